#pragma once
// Operators on values that are no tensors: sequences (lists of tensors) and optionals (a value or nothing). Only sessions
// run them.

#include <optional>
#include <tuple>

#include "graph/graph.h"
#include "graph/session_op.h"

namespace onemodel {

/// A sequence without elements.
struct SequenceEmpty {
  DType dtype = DType::f32;
  static constexpr auto fields() { return std::tuple{field("dtype", &SequenceEmpty::dtype, "element type")}; }
  static constexpr OpInfo info{.name = "SequenceEmpty", .doc = "a sequence without elements", .since = 11};
  static constexpr std::span<const Input> inputs{};
  static constexpr std::string_view outputs[] = {"output"};
};
struct SequenceConstruct {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "SequenceConstruct", .doc = "the sequence of its inputs", .since = 11};
  static constexpr Input inputs[] = {{"inputs", "tensors of one element type", Input::variadic}};
  static constexpr std::string_view outputs[] = {"output_sequence"};
};
/// Positions count from the end when negative; without one it is the end. Errors: a position outside the sequence.
struct SequenceInsert {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "SequenceInsert", .doc = "the sequence with one more tensor", .since = 11};
  static constexpr Input inputs[] = {{"input_sequence", "a sequence"},
                                     {"tensor", "what to insert"},
                                     {"position", "before which element; the end when absent", Input::optional}};
  static constexpr std::string_view outputs[] = {"output_sequence"};
};
struct SequenceErase {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "SequenceErase", .doc = "the sequence without one of its tensors", .since = 11};
  static constexpr Input inputs[] = {{"input_sequence", "a sequence"},
                                     {"position", "which element; the last when absent", Input::optional}};
  static constexpr std::string_view outputs[] = {"output_sequence"};
};
struct SequenceAt {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "SequenceAt", .doc = "one tensor of a sequence", .since = 11};
  static constexpr Input inputs[] = {{"input_sequence", "a sequence"}, {"position", "which element"}};
  static constexpr std::string_view outputs[] = {"tensor"};
};
struct SequenceLength {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "SequenceLength", .doc = "how many tensors a sequence has", .since = 11};
  static constexpr Input inputs[] = {{"input_sequence", "a sequence"}};
  static constexpr std::string_view outputs[] = {"length"};
};
/// Parts along `axis` of the sizes in `split` (one number: that size, the last part may be smaller), else single entries,
/// whose axis goes when `keepdims` is 0.
struct SplitToSequence {
  int64_t axis = 0;
  bool keepdims = true;
  static constexpr auto fields() {
    return std::tuple{field("axis", &SplitToSequence::axis, "axis to split"),
                      field("keepdims", &SplitToSequence::keepdims, "whether single entries keep the axis")};
  }
  static constexpr OpInfo info{.name = "SplitToSequence", .doc = "the parts of a tensor along an axis", .since = 11};
  static constexpr Input inputs[] = {{"input", "a tensor"}, {"split", "sizes of the parts", Input::optional}};
  static constexpr std::string_view outputs[] = {"output_sequence"};
};
struct ConcatFromSequence {
  int64_t axis = 0;
  bool new_axis = false;
  static constexpr auto fields() {
    return std::tuple{required_field("axis", &ConcatFromSequence::axis, "axis to join along"),
                      field("new_axis", &ConcatFromSequence::new_axis, "whether that axis is new")};
  }
  static constexpr OpInfo info{.name = "ConcatFromSequence", .doc = "the tensors of a sequence in one", .since = 11};
  static constexpr Input inputs[] = {{"input_sequence", "a sequence"}};
  static constexpr std::string_view outputs[] = {"concat_result"};
};
/// Its input, or nothing.
struct Optional {
  bool of_sequence = false;
  DType dtype = DType::undefined;
  static constexpr auto fields() {
    return std::tuple{field("of_sequence", &Optional::of_sequence, "whether it may hold a sequence"),
                      field("dtype", &Optional::dtype, "element type, where there is no input")};
  }
  static constexpr OpInfo info{.name = "Optional", .doc = "a value or nothing", .since = 15};
  static constexpr Input inputs[] = {{"input", "a tensor or a sequence", Input::optional}};
  static constexpr std::string_view outputs[] = {"output"};
};
struct OptionalHasElement {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "OptionalHasElement", .doc = "whether there is something", .since = 18};
  static constexpr Input inputs[] = {{"input", "an optional", Input::optional}};
  static constexpr std::string_view outputs[] = {"output"};
};
struct OptionalGetElement {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr OpInfo info{.name = "OptionalGetElement", .doc = "what an optional holds", .since = 18};
  static constexpr Input inputs[] = {{"input", "an optional"}};
  static constexpr std::string_view outputs[] = {"output"};
};

/// The operators above.
std::span<const OpTraits* const> container_operators();
/// The one of that name, or null.
inline const OpTraits* find_container_operator(std::string_view name) {
  return find_by_name(container_operators(), name);
}

/// Whether a node works on something else than tensors, so that no plan can contain it.
bool handles_containers(const Graph& graph, const Node& node);

/// Sets what the outputs of such a node hold, from what its inputs hold.
void infer_containers(Graph& graph, const Node& node);

}  // namespace onemodel
