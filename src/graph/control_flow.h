#pragma once
// Operators whose work is a graph: If, Loop, Scan, SequenceMap. A node that applies one has the graphs as its `bodies`, and reads what
// they take from around them as its last inputs (the captures), so that a body knows nothing of the graph it is in.

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "graph/graph.h"
#include "graph/session_op.h"

namespace onemodel {

/// Graphs inside each other; each is some frames of the stack while it is read, verified or run.
constexpr size_t kMostNestedGraphs = 100;

/// Runs bodies[0] when `cond` (bool, one element) holds, else bodies[1]. Inputs: cond, captures. Outputs: the body's.
struct If {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"cond", "bool, one element"}, {"captures", "any", Input::variadic}};
  static constexpr OpInfo info{.name = "If", .doc = "one of two graphs", .since = 19};
};

/// Runs bodies[0] at most M times and as long as its condition holds. Inputs: M (int64), cond (bool), both may be absent,
/// the carried values, captures. The body takes the iteration (int64), the condition, the carried values and the captures,
/// and gives the condition, the carried values and slices. Outputs: the carried values, and the slices of all iterations
/// stacked along a new first axis.
struct Loop {
  int64_t carried = 0;
  static constexpr auto fields() { return std::tuple{field("carried", &Loop::carried, "how many values are carried")}; }
  static constexpr Input inputs[] = {{"M", "int64, the most iterations", Input::optional},
                                     {"cond", "bool, whether to begin", Input::optional},
                                     {"values", "carried values and captures", Input::variadic}};
  static constexpr OpInfo info{.name = "Loop", .doc = "a graph again and again", .since = 19};
};

/// Runs bodies[0] for each slice of its scanned inputs. Inputs: states, scanned inputs, captures. The body takes states,
/// one slice of each scanned input and captures, and gives states and slices. Outputs: states, and the stacked slices.
/// `batched` is the form of opset 8: an outer axis of independent sequences, and their lengths as the first input.
struct Scan {
  int64_t states = 0, num_scan_inputs = 0;
  std::vector<int64_t> scan_input_axes, scan_input_directions, scan_output_axes, scan_output_directions;
  bool batched = false;
  static constexpr auto fields() {
    return std::tuple{
        field("states", &Scan::states, "how many values are states"),
        field("num_scan_inputs", &Scan::num_scan_inputs, "how many inputs are scanned"),
        field("scan_input_axes", &Scan::scan_input_axes, "axis of each scanned input; 0 when empty"),
        field("scan_input_directions", &Scan::scan_input_directions, "1: backwards; 0 when empty"),
        field("scan_output_axes", &Scan::scan_output_axes, "axis along which slices are stacked; 0 when empty"),
        field("scan_output_directions", &Scan::scan_output_directions, "1: stacked backwards; 0 when empty"),
        field("batched", &Scan::batched, "the form of opset 8")};
  }
  static constexpr Input inputs[] = {{"values", "states, scanned inputs and captures", Input::variadic}};
  static constexpr OpInfo info{.name = "Scan", .doc = "a graph for each slice of its inputs", .since = 19};
};

/// Runs bodies[0] for each tensor of its first input, a sequence; other sequences, of the same length, give a tensor each
/// time, and tensors themselves. Inputs: operands, captures. Outputs: sequences.
struct SequenceMap {
  int64_t operands = 0;
  static constexpr auto fields() {
    return std::tuple{field("operands", &SequenceMap::operands, "how many inputs are no captures")};
  }
  static constexpr Input inputs[] = {{"values", "sequences, tensors and captures", Input::variadic}};
  static constexpr OpInfo info{.name = "SequenceMap", .doc = "a graph for each tensor of a sequence", .since = 17};
};

/// The operators above. They are not among `all_operators`: without a body there is nothing to call.
std::span<const OpTraits* const> control_flow_operators();
/// The one of that name, or null.
inline const OpTraits* find_control_flow(std::string_view name) { return find_by_name(control_flow_operators(), name); }
inline bool is_control_flow(const Op& op) { return find_control_flow(op.name()) != nullptr; }

/// Throws ModelError(Malformed) unless inputs, outputs, attributes and bodies of `node`, which has bodies, fit each other.
/// The functions below are for nodes that passed.
void check_control_flow(const Node& node);

/// How many of the node's last inputs are captures.
size_t capture_count(const Node& node);
/// How many inputs each body has besides the captures, and how many outputs.
size_t formal_input_count(const Node& node);
size_t body_output_count(const Node& node);

/// What the outputs hold, from the bodies.
std::vector<Holds> control_flow_holds(const Node& node);
/// What is known of the outputs' types from the bodies; undefined where they may differ in rank or element type.
std::vector<TensorType> control_flow_types(const Node& node);

}  // namespace onemodel
