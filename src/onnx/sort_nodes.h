#pragma once
// The order in which the nodes of a file can be read.

#include <onnx.pb.h>

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "onnx/problems.h"

namespace onemodel {

/// What begins a message about the node of that index.
using NodePlace = std::function<std::string(int)>;

/// Indices of the nodes so that each comes after those it reads; the file's order where it is one.
/// `given` are the graph inputs and initializers. Problems: a value made twice or by nobody,
/// cycles; what takes part in them comes last.
std::vector<int> sort_nodes(const onnx::GraphProto& graph, const std::unordered_set<std::string>& given,
                            const NodePlace& place, Problems& problems);

}  // namespace onemodel
