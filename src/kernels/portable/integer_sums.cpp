#include "kernels/portable/integer_sums.h"

#include "kernels/portable/internal.h"
#include "kernels/portable/rounding.h"

namespace onemodel::kernels {
namespace {

void requantise(const SumTarget& target, const uint32_t* __restrict sums, int64_t count, uint32_t bias,
                const float* __restrict multiplier, int64_t step, uint8_t* __restrict y) {
  const int32_t lowest = target.dtype == DType::u8 ? 0 : -128, zero = target.zero;
  const auto low = static_cast<float>(lowest - zero), high = static_cast<float>(lowest + 255 - zero);
  const auto one = [=](uint32_t sum, float factor) {
    const auto value = static_cast<float>(static_cast<int32_t>(sum + bias));
    return static_cast<uint8_t>(round_within(value * factor, low, high) + zero);
  };
  if (step == 0)
    for (int64_t i = 0; i < count; ++i) y[i] = one(sums[i], *multiplier);
  else
    for (int64_t i = 0; i < count; ++i) y[i] = one(sums[i], multiplier[i]);
}

}  // namespace

void store_sums(const SumTarget& target, const uint32_t* sums, int64_t count, uint32_t bias, const float* multiplier,
                int64_t step, void* y, int64_t begin) {
  if (target.dtype == DType::i8 || target.dtype == DType::u8)
    return requantise(target, sums, count, bias, multiplier, step, static_cast<uint8_t*>(y) + begin);
  if (target.dtype != DType::i32) unsupported("an integer product", target.dtype);
  uint32_t* to = static_cast<uint32_t*>(y) + begin;
  for (int64_t i = 0; i < count; ++i) to[i] = sums[i] + bias;
}

}  // namespace onemodel::kernels
