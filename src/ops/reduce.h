#pragma once
// Sum, mean, maximum, minimum and product over axes.

#include "kernels/portable/reduce.h"
#include "kernels/xnn/reduce.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What all of them share. `axes`, int64, may be negative; absent or empty it means all axes, or none with
/// `noop_with_empty_axes`. The result has x's dtype, any numeric one; extrema
/// take bool too. T has `kPortable` and, where XNNPACK has such a
/// function, `kFast`.
template <class T>
struct Reduction {
  static constexpr auto fields() {
    return std::tuple{field("keepdims", &T::keepdims, "reduced axes stay with extent 1"),
                      field("noop_with_empty_axes", &T::noop_with_empty_axes, "without axes nothing is reduced")};
  }
  static constexpr Input inputs[] = {{"data", "values"}, {"axes", "axes to reduce", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"reduced"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<T>> fast_kernels();
  static std::vector<Sample> samples();
};

struct ReduceSum : Reduction<ReduceSum> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceSum", .doc = "sum over axes; 0 for none; integers wrap", .since = 13, .strided = true};
  static constexpr auto kPortable = kernels::Reduce::sum;
  static constexpr auto kFast = kernels::xnn::Reduce::sum;
  Gradients vjp(GradContext&) const;
};

struct ReduceMean : Reduction<ReduceMean> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceMean", .doc = "mean over axes; NaN for none; integers truncate", .since = 18, .strided = true};
  static constexpr auto kPortable = kernels::Reduce::mean;
  static constexpr auto kFast = kernels::xnn::Reduce::mean;
  Gradients vjp(GradContext&) const;
};

struct ReduceMax : Reduction<ReduceMax> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceMax", .doc = "maximum over axes; equals share the gradient evenly", .since = 20, .strided = true};
  static constexpr auto kPortable = kernels::Reduce::max;
  static constexpr auto kFast = kernels::xnn::Reduce::max;
  Gradients vjp(GradContext&) const;
};

struct ReduceMin : Reduction<ReduceMin> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceMin", .doc = "minimum over axes; equals share the gradient evenly", .since = 20, .strided = true};
  static constexpr auto kPortable = kernels::Reduce::min;
  static constexpr auto kFast = kernels::xnn::Reduce::min;
  Gradients vjp(GradContext&) const;
};

struct ReduceProd : Reduction<ReduceProd> {
  bool keepdims = true;
  bool noop_with_empty_axes = false;
  static constexpr OpInfo info{
      .name = "ReduceProd", .doc = "product over axes; 1 for none; integers wrap", .since = 18, .strided = true};
  static constexpr auto kPortable = kernels::Reduce::prod;
  void infer(InferContext& context) const;
  Gradients vjp(GradContext&) const;
};

}  // namespace onemodel
