#pragma once
// Gradients of pools by their input, as operators.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// X[n, c, spatial...] and dY of MaxPool's output give dX: each element of dY added where the
/// maximum was, the first of equals. The attributes are MaxPool's. Floating dtypes, both the same.
struct MaxPoolGradient {
  std::string auto_pad = "NOTSET";
  bool ceil_mode = false;
  std::vector<int64_t> dilations, kernel_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("auto_pad", &MaxPoolGradient::auto_pad, "as in MaxPool"),
                      field("ceil_mode", &MaxPoolGradient::ceil_mode, "as in MaxPool"),
                      field("dilations", &MaxPoolGradient::dilations, "as in MaxPool"),
                      field("kernel_shape", &MaxPoolGradient::kernel_shape, "as in MaxPool"),
                      field("pads", &MaxPoolGradient::pads, "as in MaxPool"),
                      field("strides", &MaxPoolGradient::strides, "as in MaxPool")};
  }
  static constexpr Input inputs[] = {{"X", "input of the pool"}, {"dY", "gradient by its output"}};
  static constexpr std::string_view outputs[] = {"dX"};
  static constexpr OpInfo info{.name = "MaxPoolGradient",
                               .doc = "gradient of MaxPool by its input",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides, ceil_mode}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// X[n, c, spatial...], of which only the shape is read, and dY of AveragePool's output give dX.
/// The attributes are AveragePool's. Floating dtypes, both the same.
struct AveragePoolGradient {
  std::string auto_pad = "NOTSET";
  bool ceil_mode = false;
  bool count_include_pad = false;
  std::vector<int64_t> dilations, kernel_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("auto_pad", &AveragePoolGradient::auto_pad, "as in AveragePool"),
                      field("ceil_mode", &AveragePoolGradient::ceil_mode, "as in AveragePool"),
                      field("count_include_pad", &AveragePoolGradient::count_include_pad, "as in AveragePool"),
                      field("dilations", &AveragePoolGradient::dilations, "as in AveragePool"),
                      field("kernel_shape", &AveragePoolGradient::kernel_shape, "as in AveragePool"),
                      field("pads", &AveragePoolGradient::pads, "as in AveragePool"),
                      field("strides", &AveragePoolGradient::strides, "as in AveragePool")};
  }
  static constexpr Input inputs[] = {{"X", "input of the pool; only its shape is read"},
                                     {"dY", "gradient by its output"}};
  static constexpr std::string_view outputs[] = {"dX"};
  static constexpr OpInfo info{.name = "AveragePoolGradient",
                               .doc = "gradient of AveragePool by its input",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides, ceil_mode}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
