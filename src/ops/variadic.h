#pragma once
// Element by element over any number of inputs, with numpy broadcasting: maximum, minimum, sum, mean.

#include "kernels/portable/elementwise.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What all of them share: inputs of one dtype. T has `kPortable`, which joins two.
template <class T>
struct Elementwise {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"data_0", "values", Input::variadic}};
  static constexpr std::string_view outputs[] = {"result"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

struct Max : Elementwise<Max> {
  static constexpr OpInfo info{.name = "Max",
                               .doc = "largest of all inputs; NaN beside NaN; equals share the gradient evenly",
                               .since = 13,
                               .strided = true};
  static constexpr auto kPortable = kernels::Binary::max;
  Gradients vjp(GradContext&) const;
};

struct Min : Elementwise<Min> {
  static constexpr OpInfo info{.name = "Min",
                               .doc = "smallest of all inputs; NaN beside NaN; equals share the gradient evenly",
                               .since = 13,
                               .strided = true};
  static constexpr auto kPortable = kernels::Binary::min;
  Gradients vjp(GradContext&) const;
};

struct Sum : Elementwise<Sum> {
  static constexpr OpInfo info{.name = "Sum", .doc = "sum of all inputs", .since = 13, .strided = true};
  static constexpr auto kPortable = kernels::Binary::add;
  Gradients vjp(GradContext&) const;
};

struct Mean : Elementwise<Mean> {
  static constexpr OpInfo info{.name = "Mean", .doc = "mean of all inputs", .since = 13, .strided = true};
  static constexpr auto kPortable = kernels::Binary::add;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
};

}  // namespace onemodel
