#include "format/json.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/error.h"

namespace onemodel {
namespace {

constexpr std::string_view kEscapes = "\"\\/bfnrt", kEscaped = "\"\\/\b\f\n\r\t";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char closing(char open) { return open == '{' ? '}' : ']'; }

bool is_surrogate(uint32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

// Bytes of the character that `text` begins with; 0 when it is not UTF-8.
size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return 1;
  const size_t bytes = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC0 || lead > 0xF7 || text.size() < bytes) return 0;
  uint32_t code = lead & (0x7Fu >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    if ((c & 0xC0) != 0x80) return 0;
    code = code << 6 | (c & 0x3Fu);
  }
  constexpr uint32_t least[] = {0x80, 0x800, 0x10000};
  return code < least[bytes - 2] || code > 0x10FFFF || is_surrogate(code) ? 0 : bytes;
}

void append_character(std::string& out, uint32_t code) {
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const uint32_t mark = more == 0 ? 0 : 0xFF00u >> (more + 1);
  out += static_cast<char>(mark | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
}

}  // namespace

JsonReader::JsonReader(std::string_view who, std::string_view text, int depth) : who_(who), text_(text) {
  skip(depth);
  peek();
  if (at_ < text_.size()) fail();
  at_ = 0;
}

void JsonReader::fail() const { throw ModelError("Malformed", concat(who_, " is not a JSON object (byte ", at_, ")")); }

char JsonReader::peek() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonReader::take(char c) {
  const bool found = at_ < text_.size() && text_[at_] == c;
  at_ += found;
  return found;
}

void JsonReader::expect(char c) {
  peek();
  if (!take(c)) fail();
}

bool JsonReader::enter(char open) {
  expect(open);
  peek();
  return !take(closing(open));
}

bool JsonReader::advance(char open) {
  peek();
  if (take(',')) return true;
  expect(closing(open));
  return false;
}

std::string JsonReader::key() {
  std::string key = text();
  expect(':');
  return key;
}

std::string JsonReader::text() {
  std::string out;
  expect('"');
  while (!take('"')) {
    if (take('\\')) {
      escape(out);
      continue;
    }
    const std::string_view rest = text_.substr(at_);
    const size_t bytes = rest.empty() || static_cast<uint8_t>(rest[0]) < ' ' ? 0 : character_bytes(rest);
    if (bytes == 0) fail();
    out += rest.substr(0, bytes);
    at_ += bytes;
  }
  return out;
}

void JsonReader::escape(std::string& out) {
  if (take('u')) {
    uint32_t code = hexadecimal();
    if (is_surrogate(code)) {  // of a pair, the first
      const uint32_t second = take('\\') && take('u') ? hexadecimal() : 0;
      if (code >= 0xDC00 || second < 0xDC00 || !is_surrogate(second)) fail();
      code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
    }
    append_character(out, code);
    return;
  }
  const size_t which = at_ < text_.size() ? kEscapes.find(text_[at_]) : kEscapes.npos;
  if (which == kEscapes.npos) fail();
  out += kEscaped[which];
  ++at_;
}

uint32_t JsonReader::hexadecimal() {
  const std::string_view digits = text_.substr(at_, 4);
  uint32_t code = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() < 4 || read.ptr != digits.data() + 4) fail();
  at_ += 4;
  return code;
}

void JsonReader::digits() {
  if (at_ == text_.size() || !is_digit(text_[at_])) fail();
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
}

std::string_view JsonReader::number() {
  const size_t begin = at_;
  take('-');
  if (!take('0')) digits();
  if (take('.')) digits();
  if (take('e') || take('E')) {
    if (!take('-')) take('+');
    digits();
  }
  return text_.substr(begin, at_ - begin);
}

std::optional<uint64_t> JsonReader::unsigned_integer() {
  if (!is_digit(peek())) return {};
  const std::string_view text = number();
  uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return value;
}

void JsonReader::skip(int depth) {
  const char c = peek();
  if (c == '"') {
    text();
  } else if (c == '-' || is_digit(c)) {
    number();
  } else if (c == '{' || c == '[') {
    if (depth == 0) throw ModelError("Malformed", concat(who_, " is nested deeper than the format has it"));
    std::set<std::string> keys;
    for (bool more = enter(c); more; more = advance(c)) {
      if (c == '{') {
        const auto [key, is_new] = keys.insert(this->key());
        if (!is_new) throw ModelError("Malformed", concat(who_, " has the key '", *key, "' twice"));
      }
      skip(depth - 1);
    }
  } else {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return;
    }
    fail();
  }
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const size_t bytes = character_bytes(text), which = kEscaped.find(text[0]);
    if (text[0] != '/' && which != kEscaped.npos) {
      out += '\\';
      out += kEscapes[which];
    } else if (static_cast<uint8_t>(text[0]) < ' ') {
      out += text[0] < 16 ? "\\u000" : "\\u001";
      out += "0123456789abcdef"[text[0] & 15];
    } else {
      out += bytes == 0 ? "\xEF\xBF\xBD" : text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out += '"';
}

}  // namespace onemodel
