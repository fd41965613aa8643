#pragma once
// JSON of a fixed form: read from front to back, and written as text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace onemodel {

/// Reads JSON as it stands in the text, without building values: who reads knows the form. Text that is not JSON is a
/// ModelError(Malformed) that begins with `who`.
class JsonReader {
 public:
  /// Checks all of the text, that no object has a key twice, and that at most `depth` lists and objects are nested.
  /// `who` and the text must outlive the reader.
  JsonReader(std::string_view who, std::string_view text, int depth);

  /// The first character of the next value, or what stands there instead; 0 at the end.
  char peek();
  /// Enters a list or an object; false when it is empty, which is then passed.
  bool enter(char open);
  /// Goes on to the next item or member; false, and past the end, after the last.
  bool advance(char open);
  /// A member's name, up to its value.
  std::string key();
  std::string text();
  /// The next value when it is an integer from 0 to 2^64 - 1. Nothing for another number, which is passed, and for
  /// another value, which is not.
  std::optional<uint64_t> unsigned_integer();
  /// Passes a value.
  void skip(int depth);

 private:
  [[noreturn]] void fail() const;
  bool take(char c);
  void expect(char c);
  std::string_view number();
  void digits();
  void escape(std::string& out);
  uint32_t hexadecimal();

  std::string_view who_, text_;
  size_t at_ = 0;
};

/// `text` as JSON, quoted; what is no UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

}  // namespace onemodel
