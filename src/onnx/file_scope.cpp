#include "onnx/file_scope.h"

#include <algorithm>

#include "onnx/functions/function.h"

namespace onemodel {
namespace {

int64_t node_count(const onnx::GraphProto& graph) {
  int64_t count = graph.node_size();
  for (const auto& node : graph.node())
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) count += node_count(attribute.g());
  return count;
}

}  // namespace

void read_versions(const onnx::ModelProto& model, const OnnxReadOptions& options, FileScope& scope) {
  const int64_t nodes = node_count(model.graph());
  if (static_cast<uint64_t>(nodes) > options.max_nodes)
    throw ModelError("TooLarge",
                     concat(scope.problems.subject, " has ", nodes, " nodes; the limit is ", options.max_nodes));
  if (model.ir_version() < kOldestOnnxIr || model.ir_version() > kNewestOnnxIr)
    scope.problems.unsupported("IR version ", model.ir_version(), " is not supported (", kOldestOnnxIr, " to ",
                               kNewestOnnxIr, " are)");
  scope.ir_version = model.ir_version();
  for (const auto& import : model.opset_import()) {
    int64_t& opset = scope.opsets[is_standard_domain(import.domain()) ? "ai.onnx" : import.domain()];
    opset = std::max(opset, import.version());
  }
  int64_t& opset = scope.opsets["ai.onnx"];
  if (model.opset_import().empty()) {
    scope.problems.malformed("the model names no opset");
    opset = kNewestOnnxOpset;  // for whatever else is wrong
  } else if (opset != 0 && (opset < kOldestOnnxOpset || opset > kNewestOnnxOpset))
    scope.problems.unsupported("opset ", opset, " of ai.onnx is not supported (", kOldestOnnxOpset, " to ",
                               kNewestOnnxOpset, " are)");
}

}  // namespace onemodel
