#pragma once
// Tensor functions for C++ users, under PyTorch's names and argument order where it has them.
//
// Each only applies operators, so shapes, dtypes and errors are those of the operators (ops/), gradients and traces
// follow by themselves, and binary functions broadcast as numpy does. An axis may be negative. What a trace cannot keep
// (dropout and batch normalisation in training mode) throws TraceError(UnsupportedOperation).

#include <optional>
#include <string_view>
#include <vector>

#include "core/generator.h"
#include "core/tensor.h"
#include "eager/sizes.h"

namespace onemodel {

// Arithmetic.
Tensor add(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor pow(const Tensor& base, const Tensor& exponent);
Tensor pow(const Tensor& base, double exponent);
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
/// With a number, which takes the tensor's dtype.
Tensor operator+(const Tensor& a, double b);
Tensor operator-(const Tensor& a, double b);
Tensor operator*(const Tensor& a, double b);
Tensor operator/(const Tensor& a, double b);
Tensor operator-(const Tensor& a);

// Element by element.
Tensor neg(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, float negative_slope = 0.01f);
Tensor sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);
/// `approximate` is "none" (erf) or "tanh".
Tensor gelu(const Tensor& x, std::string_view approximate = "none");
/// clip(alpha x + beta, 0, 1); PyTorch's slope by default, ONNX's is 0.2.
Tensor hard_sigmoid(const Tensor& x, float alpha = 1.0f / 6, float beta = 0.5f);
Tensor hard_swish(const Tensor& x);
Tensor clip(const Tensor& x, std::optional<double> min, std::optional<double> max);
Tensor cast(const Tensor& x, DType dtype);

// Comparison and choice; comparisons give bool.
Tensor equal(const Tensor& a, const Tensor& b);
Tensor less(const Tensor& a, const Tensor& b);
Tensor greater(const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

// Over the given axes, or all when none is given. `mean` throws DTypeError for integers, of which ONNX's truncates.
Tensor sum(const Tensor& x, const Dims& axes = {}, bool keepdims = false);
Tensor mean(const Tensor& x, const Dims& axes = {}, bool keepdims = false);
Tensor max(const Tensor& x, const Dims& axes = {}, bool keepdims = false);
Tensor min(const Tensor& x, const Dims& axes = {}, bool keepdims = false);
Tensor softmax(const Tensor& x, int64_t axis = -1);
Tensor log_softmax(const Tensor& x, int64_t axis = -1);

// New tensors, of sizes that a trace may keep symbolic.
/// Every element `value`, converted to `dtype` as by Cast. Throws ArgumentError for one beyond an integer dtype.
Tensor full(const Sizes& sizes, double value, DType dtype = DType::f32);
Tensor zeros(const Sizes& sizes, DType dtype = DType::f32);
Tensor ones(const Sizes& sizes, DType dtype = DType::f32);
/// start, start + step, … before `end`: [n], int64 converted to `dtype`. Throws ArgumentError for step 0.
Tensor arange(const ShapeEntry& start, const ShapeEntry& end, const ShapeEntry& step = 1, DType dtype = DType::i64);

// Form. One extent of `reshape` may be -1. A size is a number or `dim(x, axis)`.
Tensor reshape(const Tensor& x, const Sizes& sizes);
Tensor flatten(const Tensor& x, int64_t start_axis = 0, int64_t end_axis = -1);
Tensor permute(const Tensor& x, const Dims& axes);
Tensor transpose(const Tensor& x, int64_t axis_a, int64_t axis_b);
/// Drops the given axes, which have extent 1; with none given, all of extent 1.
Tensor squeeze(const Tensor& x, const Dims& axes = {});
/// Inserts axes of extent 1 at these places of the result.
Tensor unsqueeze(const Tensor& x, const Dims& axes);
Tensor expand(const Tensor& x, const Sizes& sizes);

// Parts.
Tensor cat(const std::vector<Tensor>& parts, int64_t axis = 0);
/// Elements start, start + step, … before `end`, with Python's clamping and negative indices.
Tensor slice(const Tensor& x, int64_t axis, int64_t start, int64_t end, int64_t step = 1);
/// Element `index` along `axis`, which disappears.
Tensor select(const Tensor& x, int64_t axis, int64_t index);
/// The slices of x along `axis` that the int32 or int64 `indices` name, as ONNX's Gather: the extents of `indices` take
/// the place of the axis.
Tensor gather(const Tensor& x, const Tensor& indices, int64_t axis = 0);

// Products.
Tensor matmul(const Tensor& a, const Tensor& b);
/// alpha A' B' + beta C, where ' transposes when asked to.
Tensor gemm(const Tensor& a, const Tensor& b, const Tensor& c = {}, float alpha = 1, float beta = 1,
            bool transpose_a = false, bool transpose_b = false);
/// x weightᵀ + bias: x [..., in], weight [out, in], bias [out] or undefined; the result is [..., out].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

/// Height and width; one number stands for both.
struct Pair {
  int64_t height = 1, width = 1;
  Pair() = default;
  Pair(int64_t both) : height(both), width(both) {}
  Pair(int64_t h, int64_t w) : height(h), width(w) {}
  friend bool operator==(const Pair&, const Pair&) = default;
};

// Images: x is [batch, channels, height, width], padding the same on both sides.
/// weight [out, in / groups, height, width], bias [out] or undefined.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, Pair stride = 1, Pair padding = 0,
              Pair dilation = 1, int64_t groups = 1);
/// Without `stride` it is the kernel's size.
Tensor max_pool2d(const Tensor& x, Pair kernel, std::optional<Pair> stride = {}, Pair padding = 0, Pair dilation = 1,
                  bool ceil_mode = false);
Tensor avg_pool2d(const Tensor& x, Pair kernel, std::optional<Pair> stride = {}, Pair padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true);
/// The mean of each plane: [batch, channels, 1, 1].
Tensor global_avg_pool2d(const Tensor& x);

/// What batch normalisation holds: all [channels]; weight and bias may be undefined (1 and 0).
struct BatchNormState {
  Tensor weight, bias, running_mean, running_var;
};
/// x is [batch, channels, ...]. In evaluation mode (x - running_mean) / sqrt(running_var + epsilon) * weight + bias. In training mode with the
/// batch's mean and biased variance; the running statistics, when defined, move towards those by `momentum`
/// (new = (1 - momentum) old + momentum batch, with the unbiased variance, as in PyTorch). Throws ShapeError when a
/// channel has one value only in training mode.
Tensor batch_norm(const Tensor& x, const BatchNormState& state, bool training = false, double momentum = 0.1,
                  double epsilon = 1e-5);
/// The same for x [batch, channels, height, width].
Tensor batch_norm2d(const Tensor& x, const BatchNormState& state, bool training = false, double momentum = 0.1,
                    double epsilon = 1e-5);

/// In training mode each element is 0 with probability p, else divided by 1 - p; in evaluation mode x itself.
Tensor dropout(const Tensor& x, double p, bool training, Generator& generator);

}  // namespace onemodel
