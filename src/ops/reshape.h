#pragma once
// Operators that keep the elements and their order: the output differs in shape only, and eager
// results share storage.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What all of them share: a copy, and the gradient brought back to the input's shape.
struct SameElements {
  static constexpr auto fields() { return std::tuple{}; }
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext& context) const;
};

/// data as shape[n] (int64): -1 is inferred from the rest, 0 copies the extent of data at that
/// place. Errors: counts that differ, more than one -1, other negative extents.
struct Reshape : SameElements {
  bool allowzero = false;
  static constexpr auto fields() {
    return std::tuple{field("allowzero", &Reshape::allowzero, "0 in shape means an empty axis")};
  }
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"shape", "extents; -1 is inferred, 0 copies", Input::required, true}};
  static constexpr std::string_view outputs[] = {"reshaped"};
  static constexpr OpInfo info{.name = "Reshape",
                               .doc = "the same elements in another shape",
                               .since = 19,
                               .takes_stored = true,
                               .shape_operand = 1,
                               .keeps_elements = true,
                               .strided = true};
  void infer(InferContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  static std::vector<Sample> samples();
};

/// data without the named axes, which have extent 1; without `axes`, without all axes of extent 1.
struct Squeeze : SameElements {
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"axes", "axes to remove; all of extent 1 when absent", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"squeezed"};
  static constexpr OpInfo info{.name = "Squeeze",
                               .doc = "removes axes of extent 1",
                               .since = 13,
                               .takes_stored = true,
                               .keeps_elements = true,
                               .strided = true};
  void infer(InferContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  static std::vector<Sample> samples();
};

/// data with axes of extent 1 at the places `axes` of the result.
struct Unsqueeze : SameElements {
  static constexpr Input inputs[] = {{"data", "values"},
                                     {"axes", "places of the new axes in the result", Input::required, true}};
  static constexpr std::string_view outputs[] = {"expanded"};
  static constexpr OpInfo info{.name = "Unsqueeze",
                               .doc = "inserts axes of extent 1",
                               .since = 13,
                               .takes_stored = true,
                               .keeps_elements = true,
                               .strided = true};
  void infer(InferContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  static std::vector<Sample> samples();
};

/// input[d0, …] as a matrix [d0 * … * d(axis-1), d(axis) * …]; `axis` in [-rank, rank].
struct Flatten : SameElements {
  int64_t axis = 1;
  static constexpr auto fields() {
    return std::tuple{field("axis", &Flatten::axis, "first axis of the second dimension")};
  }
  static constexpr Input inputs[] = {{"input", "values"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Flatten",
                               .doc = "joins the axes before `axis`, and those from it on",
                               .since = 13,
                               .takes_stored = true,
                               .keeps_elements = true,
                               .strided = true};
  void infer(InferContext&) const;
  Tensor view(std::span<const Tensor> inputs) const;
  static std::vector<Sample> samples();
};

/// input, unchanged.
struct Identity : SameElements {
  static constexpr Input inputs[] = {{"input", "values"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Identity",
                               .doc = "the input itself",
                               .since = 19,
                               .takes_stored = true,
                               .keeps_elements = true,
                               .strided = true};
  void infer(InferContext&) const;
  Tensor view(std::span<const Tensor> inputs) const { return inputs[0].detach(); }
  static std::vector<Sample> samples();
};

}  // namespace onemodel
