#pragma once
// A graph at one signature: the sizes and dtype of every value, and the values that no run can change.

#include <string>
#include <vector>

#include "core/tensor.h"
#include "graph/graph.h"

namespace onemodel {

/// What decides a plan: each input's sizes and, for an input whose contents decide shapes, its
/// contents.
struct Signature {
  std::vector<Dims> dims;
  std::vector<Tensor> values;  // per input; undefined: contents do not matter
};

/// All vectors are indexed by ValueId or NodeId of the graph.
struct Specialised {
  std::vector<DType> dtypes;
  std::vector<Dims> dims;
  std::vector<Tensor> constants;  // contiguous; undefined: changes from run to run
  std::vector<bool> needed;       // nodes that a run has to execute
};

/// Infers every node and evaluates those whose inputs are known, as far as results are small. Errors
/// name the node: a shape that does not fit, or one that depends on values known only while running.
Specialised specialise(const Graph& graph, const Signature& signature);

/// The graph inputs whose contents decide shapes: they belong to the signature.
std::vector<bool> inputs_that_decide_shapes(const Graph& graph);

/// "node 'conv1' (Conv) in encoder.layers.0": what errors put in front.
std::string location(std::string_view node, const Op& op, std::string_view module_path);

}  // namespace onemodel
