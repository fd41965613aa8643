#include "ops/letter_case.h"

#include <cstdint>

namespace onemodel {
namespace {

/// Capitals `first` to `last`, every `step`th, whose small letters are `offset` further.
struct Capitals {
  char16_t first, last;
  uint8_t step, offset;
};

constexpr Capitals kCapitals[] = {
    {'A', 'Z', 1, 32},     {0xc0, 0xd6, 1, 32},   {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},  {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1},  {0x14a, 0x176, 2, 1},  {0x179, 0x17d, 2, 1},  {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37},
    {0x38c, 0x38c, 1, 64}, {0x38e, 0x38f, 1, 63}, {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x400, 0x40f, 1, 80},
    {0x410, 0x42f, 1, 32}, {0x460, 0x480, 2, 1},  {0x48a, 0x4be, 2, 1},  {0x4d0, 0x52e, 2, 1}};

uint32_t small_of(uint32_t letter) {
  for (const Capitals& c : kCapitals)
    if (letter >= c.first && letter <= c.last && (letter - c.first) % c.step == 0) return letter + c.offset;
  return letter;
}

uint32_t capital_of(uint32_t letter) {
  for (const Capitals& c : kCapitals) {
    const uint32_t capital = letter - c.offset;
    if (letter >= c.offset && capital >= c.first && capital <= c.last && (capital - c.first) % c.step == 0)
      return capital;
  }
  return letter;
}

/// All letters of the table take one or two bytes, before and after.
std::string map_letters(std::string_view text, uint32_t (*map)(uint32_t)) {
  std::string out(text);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto byte = static_cast<uint8_t>(out[i]);
    if (byte < 0x80) {
      out[i] = static_cast<char>(map(byte));
    } else if (byte >= 0xc3 && byte < 0xe0 && i + 1 < out.size() && (static_cast<uint8_t>(out[i + 1]) & 0xc0) == 0x80) {
      const uint32_t letter = map((byte & 0x1fu) << 6 | (static_cast<uint8_t>(out[i + 1]) & 0x3fu));
      out[i++] = static_cast<char>(0xc0 | letter >> 6);
      out[i] = static_cast<char>(0x80 | (letter & 0x3f));
    }
  }
  return out;
}

}  // namespace

std::string to_lower(std::string_view text) { return map_letters(text, small_of); }
std::string to_upper(std::string_view text) { return map_letters(text, capital_of); }

}  // namespace onemodel
