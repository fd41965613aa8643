#pragma once
// Softmax and LogSoftmax along one axis.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// exp(x) / sum(exp(x)) along `axis`; the maximum is subtracted first. Shape and dtype of x;
/// floating dtypes.
struct Softmax {
  int64_t axis = -1;
  static constexpr auto fields() { return std::tuple{field("axis", &Softmax::axis, "axis to normalise")}; }
  static constexpr Input inputs[] = {{"input", "values of rank 1 or more"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Softmax", .doc = "exp(x) / sum(exp(x)) along one axis", .since = 13};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::span<const FastKernel<Softmax>> fast_kernels();
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// x - log(sum(exp(x))) along `axis`; the maximum is subtracted first. Shape and dtype of x;
/// floating dtypes.
struct LogSoftmax {
  int64_t axis = -1;
  static constexpr auto fields() { return std::tuple{field("axis", &LogSoftmax::axis, "axis to normalise")}; }
  static constexpr Input inputs[] = {{"input", "values of rank 1 or more"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "LogSoftmax", .doc = "x - log(sum(exp(x))) along one axis", .since = 13};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
