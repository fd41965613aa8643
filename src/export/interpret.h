#pragma once
// Runs a graph by applying its operators eagerly: gradients, traces and errors are those of eager code.

#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// Computes a node in place of its operator; gives one tensor per output of the node.
using NodeRunner = std::function<std::vector<Tensor>(const Node& node, std::span<const Tensor> inputs)>;
/// The node's operator.
std::vector<Tensor> run_node(const Node& node, std::span<const Tensor> inputs);

/// One tensor per output of `graph`, which has no control flow. `seen`, when given, gets the tensor of every value by its
/// id (else each is freed after its last use). Errors name the node and its module path.
std::vector<Tensor> interpret(const Graph& graph, std::span<const Tensor> inputs, const NodeRunner& runner = run_node,
                              std::vector<Tensor>* seen = nullptr);

}  // namespace onemodel
