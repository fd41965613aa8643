#pragma once
// Results whose size depends on values: NonZero, Compress, Unique. Known when the values are, as in eager calls; a trace
// refuses them.

#include <optional>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// int64[rank, n]: the places of the n elements other than 0, in row-major order. Any dtype.
struct NonZero {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "values"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "NonZero", .doc = "the places of elements other than 0", .since = 13, .sizes_from_values = true};
  static constexpr NotDifferentiable vjp{"a place is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// The entries along `axis` whose condition[i] (bool) holds; without `axis`, of the elements in row-major order. A
/// condition shorter than the axis leaves the rest out. Any dtype. Errors: a condition that is longer.
struct Compress {
  std::optional<int64_t> axis;
  static constexpr auto fields() {
    return std::tuple{field("axis", &Compress::axis, "axis to choose along; all elements as one when absent")};
  }
  static constexpr Input inputs[] = {{"input", "values of rank 1 or more"}, {"condition", "bool, which to keep"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Compress",
                               .doc = "keeps entries where a condition holds",
                               .since = 11,
                               .takes_stored = true,
                               .sizes_from_values = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// The distinct entries along `axis`, or without it the distinct elements, ascending or (`sorted` 0) in the order of
/// their first places; also int64 lists: of each its first place, of each entry of X which it is, of each how often.
/// NaNs equal each other. Any dtype.
struct Unique {
  std::optional<int64_t> axis;
  bool sorted = true;
  static constexpr auto fields() {
    return std::tuple{field("axis", &Unique::axis, "axis to compare along; all elements as one when absent"),
                      field("sorted", &Unique::sorted, "ascending order, else that of the first places")};
  }
  static constexpr Input inputs[] = {{"X", "values"}};
  static constexpr std::string_view outputs[] = {"Y", "indices", "inverse_indices", "counts"};
  static constexpr OpInfo info{.name = "Unique",
                               .doc = "distinct entries, where they are and how often",
                               .since = 11,
                               .takes_stored = true,
                               .sizes_from_values = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
