#include "onnx/inline_functions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/function_body.h"
#include "onnx/functions/function.h"
#include "onnx/onnx_metadata.h"

namespace onemodel {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload

// Calls within calls; each is a frame or two of the stack.
constexpr size_t kMostNested = 100;

Key key_of(const std::string& domain, const std::string& name, const std::string& overload) {
  return {is_standard_domain(domain) ? std::string() : domain, name, overload};
}

std::string describe(const onnx::FunctionProto& function) {
  return concat("function '", function.name(), "' (",
                is_standard_domain(function.domain()) ? "ai.onnx" : function.domain(), ")");
}

class Inliner {
 public:
  Inliner(onnx::ModelProto& model, const OnnxReadOptions& options, Problems& problems)
      : model_(model), options_(options), problems_(problems) {}

  std::unordered_set<std::string> run() {
    for (const auto& function : model_.functions()) {
      if (!functions_.emplace(key_of(function.domain(), function.name(), function.overload()), &function).second)
        problems_.malformed(describe(function), " is defined twice");
    }
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
    count(node);
    const auto found = functions_.find(key_of(node.domain(), node.op_type(), node.overload()));
    if (found == functions_.end() || is_known_operator(node.domain(), node.op_type())) {
      out.Add()->Swap(&node);
    } else {
      call(*found->second, node, out);
    }
  }

  void call(const onnx::FunctionProto& function, const onnx::NodeProto& node, Nodes& out) {
    const std::string where = concat("node '", node.name(), "' (", node.op_type(), ")");
    std::vector<onnx::NodeProto> body;
    const bool fits = problems_.attempt(where, [&] {
      if (std::find(open_.begin(), open_.end(), &function) != open_.end())
        throw ModelError("Malformed", concat(describe(function), " calls itself"));
      if (open_.size() == kMostNested)
        throw ModelError("Unsupported", concat("functions are nested more than ", kMostNested, " deep"));
      body = body_of(function, node, names_);
    });
    if (!fits) lost_.insert(node.output().begin(), node.output().end());
    open_.push_back(&function);
    for (onnx::NodeProto& inner : body) put(inner, out);
    open_.pop_back();
  }

  // Of what comes from functions: calls count as well, so that few bytes cannot ask for endless work.
  void count(const onnx::NodeProto& node) {
    if (open_.empty()) return;
    bytes_ += node.ByteSizeLong();
    if (++nodes_ > options_.max_nodes)
      throw ModelError("TooLarge",
                       concat("the ONNX model has more than ", options_.max_nodes, " nodes in its functions"));
    if (bytes_ > options_.max_bytes)
      throw ModelError("TooLarge",
                       concat("the calls of the ONNX model's functions have more than ", options_.max_bytes, " bytes"));
  }

  onnx::ModelProto& model_;
  const OnnxReadOptions& options_;
  Problems& problems_;
  std::map<Key, const onnx::FunctionProto*> functions_;
  std::vector<const onnx::FunctionProto*> open_;  // the calls that are being put
  NamePool names_;
  std::unordered_set<std::string> lost_;
  size_t nodes_ = 0, bytes_ = 0;
};

}  // namespace

std::unordered_set<std::string> inline_functions(onnx::ModelProto& model, const OnnxReadOptions& options,
                                                 Problems& problems) {
  return Inliner(model, options, problems).run();
}

}  // namespace onemodel
