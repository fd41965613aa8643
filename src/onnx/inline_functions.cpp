#include "onnx/inline_functions.h"

#include <unordered_set>
#include <utility>
#include <vector>

#include "onnx/function_body.h"
#include "onnx/local_functions.h"
#include "onnx/onnx_metadata.h"

namespace onemodel {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

class Inliner {
 public:
  Inliner(onnx::ModelProto& model, const OnnxReadOptions& options, Problems& problems)
      : model_(model), options_(options), problems_(problems) {}

  std::unordered_set<std::string> run() {
    for (const auto& function : model_.functions())
      if (!functions_.add(function)) problems_.malformed(describe(function), " is defined twice");
    if (functions_.empty()) return {};
    take_names(model_.graph(), names_);
    in_graph(*model_.mutable_graph());
    return std::move(lost_);
  }

 private:
  void in_graph(onnx::GraphProto& graph) {
    Nodes nodes;
    nodes.Swap(graph.mutable_node());
    for (int n = 0; n < nodes.size(); ++n) {
      auto& node = *nodes.Mutable(n);
      if (node.name().empty()) node.set_name(concat(node.op_type(), "_", n));
      put(node, *graph.mutable_node());
    }
  }

  // Appends the node, or what its call stands for. Takes it.
  void put(onnx::NodeProto& node, Nodes& out) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) in_graph(*attribute.mutable_g());
      for (auto& graph : *attribute.mutable_graphs()) in_graph(graph);
    }
    if (const onnx::FunctionProto* function = functions_.of(node))
      call(*function, node, out);
    else
      out.Add()->Swap(&node);
  }

  void call(const onnx::FunctionProto& function, const onnx::NodeProto& node, Nodes& out) {
    const std::string where = concat("node '", node.name(), "' (", node.op_type(), ")");
    std::vector<onnx::NodeProto> body;
    CallSize size;
    const bool fits = problems_.attempt(where, [&] {
      if (is_outermost_) size = sizes_.of(node, function);
      body = body_of(function, node, names_);
    });
    if (!fits) lost_.insert(node.output().begin(), node.output().end());
    grow(size);
    const bool was_outermost = std::exchange(is_outermost_, false);
    for (onnx::NodeProto& inner : body) put(inner, out);
    is_outermost_ = was_outermost;
  }

  // Few bytes can ask for endless work: it is refused before it begins.
  void grow(const CallSize& size) {
    size_.add(size);
    if (size_.nodes > options_.max_nodes)
      throw ModelError("TooLarge",
                       concat("the ONNX model has more than ", options_.max_nodes, " nodes in its functions"));
    if (size_.bytes > options_.max_bytes)
      throw ModelError("TooLarge",
                       concat("the calls of the ONNX model's functions have more than ", options_.max_bytes, " bytes"));
  }

  onnx::ModelProto& model_;
  const OnnxReadOptions& options_;
  Problems& problems_;
  LocalFunctions functions_;
  CallSizes sizes_{functions_};
  CallSize size_;
  NamePool names_;
  std::unordered_set<std::string> lost_;
  bool is_outermost_ = true;
};

}  // namespace

std::unordered_set<std::string> inline_functions(onnx::ModelProto& model, const OnnxReadOptions& options,
                                                 Problems& problems) {
  return Inliner(model, options, problems).run();
}

}  // namespace onemodel
