#include "core/error.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace onemodel {
namespace {

template <class T>
void append_digits(std::string& out, T value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// `value` in the shorter of its two notations, with the fewest digits for which `same` holds; as std::to_chars, whose
/// tables are a tenth of a WebAssembly module.
template <class Same>
void append_real(std::string& out, double value, int most, Same same) {
  char scientific[32];
  int digits = 1, length = 0;
  do length = std::snprintf(scientific, sizeof scientific, "%.*e", digits - 1, value);
  while (++digits <= most && !same(scientific));
  const char* mark = std::char_traits<char>::find(scientific, static_cast<size_t>(length), 'e');
  if (!mark) {  // inf, nan; the sign of that says nothing
    out += value == value ? scientific : "nan";
    return;
  }
  const int decimals = digits - 2 - std::atoi(mark + 1);
  char fixed[400];
  const int fixed_length = std::snprintf(fixed, sizeof fixed, "%.*f", decimals < 0 ? 0 : decimals, value);
  out += fixed_length <= length ? fixed : scientific;
}

}  // namespace

void append_integer(std::string& out, int64_t value) { append_digits(out, value); }
void append_integer(std::string& out, uint64_t value) { append_digits(out, value); }

void append(std::string& out, double value) {
  append_real(out, value, 17, [&](const char* text) { return std::strtod(text, nullptr) == value; });
}

void append(std::string& out, float value) {
  append_real(out, value, 9, [&](const char* text) { return std::strtof(text, nullptr) == value; });
}

std::string join(std::initializer_list<Part> parts) {
  std::string out;
  for (const Part& part : parts) part.append_to(out);
  return out;
}

}  // namespace onemodel
