#include "core/generator.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/math.h"

namespace onemodel {

std::array<uint32_t, 4> Generator::philox(std::array<uint32_t, 4> c, std::array<uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53} * c[0];
    const uint64_t p1 = uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(p0)};
    k[0] += 0x9E3779B9;
    k[1] += 0xBB67AE85;
  }
  return c;
}

void Generator::set_state(const State& state) {
  state_ = state;
  block_index_ = ~uint64_t{0};
}

uint32_t Generator::next_u32() {
  const uint64_t index = state_.offset / 4;
  if (index != block_index_) {
    const auto halves = [](uint64_t v) { return std::array{static_cast<uint32_t>(v), static_cast<uint32_t>(v >> 32)}; };
    const auto counter = halves(index);
    block_ = philox({counter[0], counter[1], 0, 0}, halves(state_.seed));
    block_index_ = index;
  }
  return block_[state_.offset++ % 4];
}

uint64_t Generator::next_u64() {
  const uint64_t low = next_u32();
  return low | uint64_t{next_u32()} << 32;
}

float Generator::uniform() { return static_cast<float>(next_u32() >> 8) * 0x1p-24f; }

float Generator::uniform(float low, float high) { return low + (high - low) * uniform(); }

float Generator::normal() {
  // (0, 1], so that the logarithm is finite
  const float u = static_cast<float>((next_u32() >> 8) + 1) * 0x1p-24f;
  const float angle = 0x1.921fb6p+2f * uniform();
  return std::sqrt(-2.0f * math::log(u)) * math::cos(angle);
}

uint64_t Generator::below(uint64_t n) {
  check(n > 0, "Generator: a number below 0 does not exist");
  // Values under 2^64 mod n are drawn again: what is left is a multiple of n.
  const uint64_t refused = (0 - n) % n;
  for (;;) {
    const uint64_t value = next_u64();
    if (value >= refused) return value % n;
  }
}

std::vector<int64_t> Generator::permutation(int64_t n) {
  check(n >= 0, "Generator: a permutation of ", n, " elements does not exist");
  std::vector<int64_t> out(static_cast<size_t>(n));
  std::iota(out.begin(), out.end(), int64_t{0});
  for (size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[static_cast<size_t>(below(i))]);
  return out;
}

void Generator::fill_uniform(float* out, size_t count, float low, float high) {
  for (size_t i = 0; i < count; ++i) out[i] = uniform(low, high);
}

void Generator::fill_normal(float* out, size_t count, float mean, float deviation) {
  for (size_t i = 0; i < count; ++i) out[i] = mean + deviation * normal();
}

}  // namespace onemodel
