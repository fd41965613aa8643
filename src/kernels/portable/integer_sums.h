#pragma once
// What integer products and convolutions share: 8-bit operands less their zero points, in pairs, and what becomes of
// the sums.

#include <cstdint>

#include "core/dims.h"
#include "core/dtype.h"
#include "kernels/portable/gemm_tile.h"
#include "kernels/portable/loops.h"

namespace onemodel::kernels {

/// One number for each line of a matrix, or with a step of 0 one for all. `batch` are strides over the batch; they may
/// be left out when there is none.
template <class T>
struct LineValues {
  const T* data = nullptr;
  int64_t step = 0;
  Dims batch = {};

  const T& operator[](int64_t line) const { return data[line * step]; }
};

/// 8-bit integers of either sign, less a zero point.
class Levels {
  auto level() const {
    return [flip = static_cast<uint8_t>(offset_), offset = offset_](uint8_t x) {
      return static_cast<int16_t>(static_cast<int8_t>(x ^ flip) + offset);
    };
  }

 public:
  Levels(const void* data, DType dtype)
      : data_(static_cast<const uint8_t*>(data)), offset_(dtype == DType::u8 ? 128 : 0) {}
  Levels at(int64_t place) const { return {data_ + place, offset_}; }
  int32_t get(int64_t place, int32_t zero) const { return level()(data_[place]) - zero; }
  /// `count` that follow each other, less one zero point each, or one for all.
  void read(int64_t count, const int16_t* zeros, int16_t* out) const {
    zip(data_, zeros, out, count,
        [level = level()](uint8_t x, int16_t zero) { return static_cast<int16_t>(level(x) - zero); });
  }
  void read(int64_t count, int16_t zero, int16_t* out) const {
    map(data_, out, count, [level = level(), zero](uint8_t x) { return static_cast<int16_t>(level(x) - zero); });
  }

 private:
  Levels(const uint8_t* data, int16_t offset) : data_(data), offset_(offset) {}
  const uint8_t* data_;
  int16_t offset_;  // 128 shifts unsigned ones to the range of signed ones
};

/// Two numbers of 16 bits as multiply_pairs takes them.
constexpr uint32_t pair_of(int32_t first, int32_t second) {
  return (static_cast<uint32_t>(first) & 0xffffu) | static_cast<uint32_t>(second) << 16;
}

/// Two lines of `count` numbers as pairs.
inline void join_lines(const int16_t* first, const int16_t* second, int64_t count, uint32_t* out) {
  zip(first, second, out, count, [](int16_t a, int16_t b) { return pair_of(a, b); });
}

/// What is stored of a sum: itself as i32, or as i8 or u8 saturate(round(sum * multiplier) + zero), rounded to nearest,
/// halves to even.
struct SumTarget {
  DType dtype = DType::i32;
  int32_t zero = 0;
};

/// Stores `count` sums plus `bias`, which wraps, behind `begin` elements of y. `multiplier` has a step of 0 or 1, and is
/// not read for i32.
void store_sums(const SumTarget& target, const uint32_t* sums, int64_t count, uint32_t bias, const float* multiplier,
                int64_t step, void* y, int64_t begin);

}  // namespace onemodel::kernels
