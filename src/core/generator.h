#pragma once
// Random numbers that are the same on every machine: Philox 4x32-10, counted.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace onemodel {

/// The counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011):
/// the n-th number is a function of seed and n, so the whole state is two integers. Not thread-safe.
class Generator {
 public:
  /// `offset` counts 32-bit numbers drawn since the seed.
  struct State {
    uint64_t seed = 0;
    uint64_t offset = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  explicit Generator(uint64_t seed = 0) : state_{seed, 0} {}
  const State& state() const { return state_; }
  void set_state(const State& state);

  uint32_t next_u32();
  uint64_t next_u64();
  /// In [0, 1), a multiple of 2^-24.
  float uniform();
  /// low + (high - low) * uniform(); in [low, high) up to rounding.
  float uniform(float low, float high);
  /// Mean 0, variance 1, by Box and Muller; takes two numbers.
  float normal();
  /// In [0, n), each equally likely; takes one 64-bit number or, rarely, more. Throws ArgumentError for n = 0.
  uint64_t below(uint64_t n);
  /// 0 … n-1 shuffled by Fisher and Yates. Throws ArgumentError for a negative n.
  std::vector<int64_t> permutation(int64_t n);

  void fill_uniform(float* out, size_t count, float low, float high);
  /// mean + deviation * normal() each.
  void fill_normal(float* out, size_t count, float mean, float deviation);

  /// The raw bijection: ten rounds on a counter under a key, words little end first.
  static std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

 private:
  State state_;
  std::array<uint32_t, 4> block_{};
  uint64_t block_index_ = ~uint64_t{0};  // of block_, in units of four numbers
};

}  // namespace onemodel
