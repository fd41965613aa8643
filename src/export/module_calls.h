#pragma once
// Which module calls a program's nodes came from.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eager/call_log.h"
#include "export/structure.h"
#include "graph/graph.h"

namespace onemodel {

/// One call of a module. Values are named as in the graph; "" is what is no value of it: nothing that the
/// program's outputs need.
struct ModuleCall {
  std::string path;     // "" for the root
  size_t index = 0;     // of the calls of that path, from 0
  int32_t parent = -1;  // the call around it, in the same list; -1 for the root
  std::vector<std::string> inputs, outputs;
  /// The form of the arguments (a list of them) and of the result, where it is known: each of their tensors is an input or
  /// output.
  std::optional<ArgumentForm> input_form = {}, output_form = {};

  /// What `Node::module_path` says of nodes made in it: "encoder.fc", and "encoder.fc@1" for the second call.
  std::string name() const { return call_name(path, index); }
  friend bool operator==(const ModuleCall&, const ModuleCall&) = default;
};

/// The root first, whose values the caller fills in, then the calls that completed, in that order. `names` has those of the
/// tensors of `watched_values`, in their order.
std::vector<ModuleCall> module_calls(std::span<const CallLog::Call> calls, std::span<const std::string> names);
/// Inputs, then outputs, of each call that completed.
std::vector<Tensor> watched_values(std::span<const CallLog::Call> calls);

/// The paths of the calls around a node, outermost first, its own last: {"encoder", "encoder.fc"}; empty at the root. A list per node.
std::vector<std::vector<std::string>> module_stacks(const Graph& graph, std::span<const ModuleCall> calls);
/// For each node the position of the call that it was made in; 0, the root, when there is none.
std::vector<size_t> calls_of(const Graph& graph, std::span<const ModuleCall> calls);

}  // namespace onemodel
