#pragma once
// MaxPool, AveragePool and GlobalAveragePool.

#include "kernels/portable/pool.h"
#include "kernels/xnn/pool.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// X[n, c, h, w] gives Y[n, c, h', w'], likewise with 1 or 3 spatial axes, and on request the
/// positions of the maxima: int64, flat and row-major in the whole of X, the first of equals. With
/// `storage_order` 1 the spatial axes of a position are column-major: the first moves by 1.
/// Dtypes: floating, int8, uint8.
struct MaxPool {
  std::string auto_pad = "NOTSET";
  bool ceil_mode = false;
  std::vector<int64_t> dilations, kernel_shape, pads;
  int64_t storage_order = 0;
  std::vector<int64_t> strides;
  static constexpr auto fields() {
    return std::tuple{field("auto_pad", &MaxPool::auto_pad, "NOTSET, SAME_UPPER, SAME_LOWER or VALID"),
                      field("ceil_mode", &MaxPool::ceil_mode, "round the output extents up"),
                      field("dilations", &MaxPool::dilations, "step between window elements; default 1"),
                      field("kernel_shape", &MaxPool::kernel_shape, "extents of the window; required"),
                      field("pads", &MaxPool::pads, "padding before each axis, then after each; default 0"),
                      field("storage_order", &MaxPool::storage_order, "order of Indices: 0 row-major, 1 column-major"),
                      field("strides", &MaxPool::strides, "step between windows; default 1")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"}};
  static constexpr std::string_view outputs[] = {"Y", "Indices"};
  static constexpr OpInfo info{
      .name = "MaxPool", .doc = "maximum over windows; the gradient goes to the first of equals", .since = 12};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides, ceil_mode}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<MaxPool>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// As MaxPool with means. The divisor is the number of elements of X in the window or, with
/// `count_include_pad`, of places in the padded X. Floating dtypes.
struct AveragePool {
  std::string auto_pad = "NOTSET";
  bool ceil_mode = false;
  bool count_include_pad = false;
  std::vector<int64_t> dilations, kernel_shape, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("auto_pad", &AveragePool::auto_pad, "NOTSET, SAME_UPPER, SAME_LOWER or VALID"),
                      field("ceil_mode", &AveragePool::ceil_mode, "round the output extents up"),
                      field("count_include_pad", &AveragePool::count_include_pad, "the padding counts in the mean"),
                      field("dilations", &AveragePool::dilations, "step between window elements; default 1"),
                      field("kernel_shape", &AveragePool::kernel_shape, "extents of the window; required"),
                      field("pads", &AveragePool::pads, "zeros before each axis, then after each; default 0"),
                      field("strides", &AveragePool::strides, "step between windows; default 1")};
  }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "AveragePool", .doc = "mean over windows", .since = 19};
  WindowAttributes window() const { return {auto_pad, dilations, kernel_shape, pads, strides, ceil_mode}; }
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<AveragePool>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// X[n, c, spatial...] gives the means [n, c, 1, ...]. Rank 2 or more; floating dtypes.
struct GlobalAveragePool {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "[batch, channels, spatial...]"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "GlobalAveragePool", .doc = "mean over all spatial axes", .since = 1};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<GlobalAveragePool>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The result's shape; checks rank and attributes.
Shape pool_shape(const InferContext& context, const WindowAttributes& window);
kernels::PoolShape pool_operands(const WindowAttributes& window, const Dims& x, const Dims& y);

}  // namespace onemodel
