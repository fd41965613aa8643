#pragma once
// Convolution of 8-bit integers less their zero points, summed in int32.
//
// Shapes: as those of conv.h. The padding is of the zero point of x.
// Dtypes: i8 and u8, x and w each its own; y is i32, i8 or u8.
// Order: sums wrap, so none matters.
// Errors, aliasing, threads: as conv.h.

#include <cstddef>
#include <memory>

#include "kernels/portable/conv.h"
#include "kernels/portable/integer_sums.h"

namespace onemodel::kernels {

struct IntegerConv {
  ConvShape shape;
  DType x_dtype = DType::i8, w_dtype = DType::i8;
  int32_t x_zero = 0;
  LineValues<int32_t> w_zero;  // of each output channel
  /// y is as `target` says, with the multiplier x_scale * w_scale / y_scale; not read for i32.
  SumTarget target;
  float x_scale = 1, y_scale = 1;
  LineValues<float> w_scale;
  const int32_t* bias = nullptr;  // of each output channel, added to the sums; null for none
};

/// Weights less their zero points in the order in which convolutions read them.
class PackedWeights {
 public:
  /// Of `problem`, only what concerns w is read: group, channels and kernel.
  PackedWeights(const IntegerConv& problem, const void* w);

 private:
  friend class IntegerConvolution;
  std::unique_ptr<int16_t[]> rows_;    // [out_channels][channels / groups * kernel], for few rows to a group
  std::unique_ptr<uint32_t[]> pairs_;  // or for each group as multiply_pairs takes them
};

/// How many numbers `levels` below holds: those of x, whose content is lost.
size_t level_count(const IntegerConv& problem);
void integer_conv(const IntegerConv& problem, const void* x, const PackedWeights& w, int16_t* levels, void* y);

}  // namespace onemodel::kernels
