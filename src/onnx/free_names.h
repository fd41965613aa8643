#pragma once
// What the graphs inside a node take from around them.

#include <onnx.pb.h>

#include <string>
#include <vector>

namespace onemodel {

/// The names that `graph`, or a graph inside one of its nodes, reads without making them: each once, in the order of use.
std::vector<std::string> free_names(const onnx::GraphProto& graph);

/// The names that `node` reads: its inputs that are given, then what its graphs take from around them. Each once.
std::vector<std::string> inputs_of(const onnx::NodeProto& node);

}  // namespace onemodel
