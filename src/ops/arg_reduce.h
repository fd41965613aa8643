#pragma once
// Where along an axis the extreme elements are: ArgMax, ArgMin, TopK, Hardmax.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What ArgMax and ArgMin share: the int64 position along `axis` of the extreme element, of equals the first or the
/// last; a NaN comes before every number. Numeric dtypes. Errors: an axis out of range, an axis without elements. T has
/// `kLargest`.
template <class T>
struct ArgReduction {
  static constexpr auto fields() {
    return std::tuple{field("axis", &T::axis, "axis to search along"),
                      field("keepdims", &T::keepdims, "the axis stays with extent 1"),
                      field("select_last_index", &T::select_last_index, "of equals the last, not the first")};
  }
  static constexpr Input inputs[] = {{"data", "values of rank 1 or more"}};
  static constexpr std::string_view outputs[] = {"reduced"};
  static constexpr NotDifferentiable vjp{"a position is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

struct ArgMax : ArgReduction<ArgMax> {
  int64_t axis = 0;
  bool keepdims = true;
  bool select_last_index = false;
  static constexpr OpInfo info{.name = "ArgMax", .doc = "position of the largest element along an axis", .since = 13};
  static constexpr bool kLargest = true;
};

struct ArgMin : ArgReduction<ArgMin> {
  int64_t axis = 0;
  bool keepdims = true;
  bool select_last_index = false;
  static constexpr OpInfo info{.name = "ArgMin", .doc = "position of the smallest element along an axis", .since = 13};
  static constexpr bool kLargest = false;
};

/// The K largest (or smallest) elements along `axis` and their int64 positions, in order, of equals the first ones
/// first; NaN counts as above every number. K is one int64. Numeric dtypes. `sorted` changes nothing: the result always
/// is. Errors: K negative or above the extent.
struct TopK {
  int64_t axis = -1;
  bool largest = true;
  bool sorted = true;
  static constexpr auto fields() {
    return std::tuple{field("axis", &TopK::axis, "axis to sort along"),
                      field("largest", &TopK::largest, "the largest elements, else the smallest"),
                      field("sorted", &TopK::sorted, "the order matters; it is always kept")};
  }
  static constexpr Input inputs[] = {{"X", "values of rank 1 or more"},
                                     {"K", "how many elements", Input::required, true}};
  static constexpr std::string_view outputs[] = {"Values", "Indices"};
  static constexpr OpInfo info{
      .name = "TopK", .doc = "the K largest or smallest elements along an axis, and where they are", .since = 11};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// 1 at the first largest element along `axis`, 0 elsewhere. Floating dtypes; the gradient is 0.
struct Hardmax {
  int64_t axis = -1;
  static constexpr auto fields() { return std::tuple{field("axis", &Hardmax::axis, "axis to search along")}; }
  static constexpr Input inputs[] = {{"input", "values of rank 1 or more"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "Hardmax", .doc = "1 at the first largest element along an axis, else 0", .since = 13};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
