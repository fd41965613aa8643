#pragma once
// The order in which the nodes of a file can be read.

#include <onnx.pb.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "onnx/problems.h"

namespace onemodel {

/// Indices of the nodes so that each comes after those it reads; the file's order where it is one.
/// `given` are the graph inputs and initializers. Problems: a value made twice or by nobody,
/// cycles; what takes part in them comes last.
std::vector<int> sort_nodes(const onnx::GraphProto& graph, const std::unordered_set<std::string>& given,
                            Problems& problems);

/// "node 'x' (Softmax)"; unnamed nodes by their position.
std::string describe_node(const onnx::NodeProto& node, int index);

}  // namespace onemodel
