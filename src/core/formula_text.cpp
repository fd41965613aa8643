#include "core/formula_text.h"

#include <algorithm>
#include <charconv>

namespace onemodel {
namespace {

constexpr size_t kMostDigits = 15;

}  // namespace

std::optional<int64_t> number_of(std::string_view text) {
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > kMostDigits || !digits) return {};
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::optional<std::vector<std::string_view>> split_formula(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth < 0) return {};
    if (depth > 0 || !text.substr(i).starts_with(separator)) continue;
    out.push_back(text.substr(begin, i - begin));
    begin = i + separator.size();
    i = begin - 1;
  }
  if (depth != 0) return {};
  out.push_back(text.substr(begin));
  return out;
}

bool is_sum(std::string_view text) {
  const auto pieces = split_formula(text, " ");
  return !pieces || pieces->size() > 1;
}

bool encloses(std::string_view text, std::string_view head) {
  if (!text.starts_with(head) || !text.ends_with(')')) return false;
  return split_formula(text.substr(head.size(), text.size() - head.size() - 1), " ").has_value();
}

std::optional<std::pair<std::string_view, int64_t>> floor_parts(std::string_view text) {
  if (!encloses(text, "floor(")) return {};
  text = text.substr(6, text.size() - 7);
  const auto parts = split_formula(text, " / ");
  if (!parts || parts->size() != 2) return {};
  const auto divisor = number_of(parts->back());
  if (!divisor || *divisor < 2) return {};
  return std::pair{parts->front(), *divisor};
}

}  // namespace onemodel
