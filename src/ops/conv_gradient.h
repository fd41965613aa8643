#pragma once
// Gradients of convolutions, as operators.

#include "kernels/portable/window.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// The gradient of Conv by its weights: X[n, c, spatial...] and dY[n, m, output...] give
/// dW[m, c / group, kernel_shape...]. The attributes are Conv's, with `pads` resolved. Floating
/// dtypes, both the same.
struct ConvWeightGradient {
  std::vector<int64_t> dilations;
  int64_t group = 1;
  std::vector<int64_t> kernel_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("dilations", &ConvWeightGradient::dilations, "as in Conv"),
                      field("group", &ConvWeightGradient::group, "as in Conv"),
                      field("kernel_shape", &ConvWeightGradient::kernel_shape, "spatial extents of the weights"),
                      field("pads", &ConvWeightGradient::pads, "as in Conv"),
                      field("strides", &ConvWeightGradient::strides, "as in Conv")};
  }
  static constexpr Input inputs[] = {{"X", "input of the convolution"}, {"dY", "gradient by its output"}};
  static constexpr std::string_view outputs[] = {"dW"};
  static constexpr OpInfo info{.name = "ConvWeightGradient",
                               .doc = "gradient of Conv by its weights",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  WindowAttributes window() const { return {"NOTSET", dilations, kernel_shape, pads, strides}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<ConvWeightGradient>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The gradient of a convolution by its input of shape `x`, from that by its output; a
/// ConvTranspose.
Var conv_input_gradient(const kernels::Window& window, int64_t group, const Dims& x, const Var& grad,
                        const Var& weights);
Var conv_weight_gradient(const kernels::Window& window, int64_t group, const Var& x, const Var& grad);
/// The convolution of x with the weights in that window.
Var convolve(const kernels::Window& window, int64_t group, const Var& x, const Var& weights);
/// [n, c, spatial...] summed to [c]: the gradient by a bias.
Var sum_but_channels(const Var& grad);

}  // namespace onemodel
