#include "onnx/function_body.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/error.h"
#include "onnx/functions/function.h"
#include "onnx/onnx_metadata.h"
#include "onnx/read_onnx.h"

namespace onemodel {
namespace {

bool is_declared(const onnx::FunctionProto& function, const std::string& attribute) {
  const auto& names = function.attribute();
  const auto& defaults = function.attribute_proto();
  return std::find(names.begin(), names.end(), attribute) != names.end() ||
         std::any_of(defaults.begin(), defaults.end(), [&](const auto& given) { return given.name() == attribute; });
}

template <class F>
void for_each_name(onnx::GraphProto& graph, F&& f) {
  for (auto& value : *graph.mutable_input()) f(*value.mutable_name());
  for (auto& value : *graph.mutable_output()) f(*value.mutable_name());
  for (auto& value : *graph.mutable_value_info()) f(*value.mutable_name());
  for (auto& tensor : *graph.mutable_initializer()) f(*tensor.mutable_name());
  for (auto& tensor : *graph.mutable_sparse_initializer()) f(*tensor.mutable_values()->mutable_name());
}

void set_metadata(onnx::NodeProto& node, std::string_view key, const std::string& value) {
  auto& entry = *node.add_metadata_props();
  entry.set_key(std::string(key));
  entry.set_value(value);
}

class FunctionBody {
 public:
  FunctionBody(const onnx::FunctionProto& function, const onnx::NodeProto& call, NamePool& names);
  std::vector<onnx::NodeProto> nodes();

 private:
  void check_call() const;
  void name_results();
  const std::string& renamed(const std::string& name);
  void rename(onnx::NodeProto& node);
  void rename(onnx::GraphProto& graph);
  void settle_attributes(onnx::NodeProto& node);
  const onnx::AttributeProto* argument(const std::string& name) const;
  void set_opset(onnx::NodeProto& node) const;

  const onnx::FunctionProto& function_;
  const onnx::NodeProto& call_;
  NamePool& names_;
  std::unordered_map<std::string, std::string> renamed_;
  std::vector<onnx::NodeProto> nodes_;
};

FunctionBody::FunctionBody(const onnx::FunctionProto& function, const onnx::NodeProto& call, NamePool& names)
    : function_(function), call_(call), names_(names) {
  check_call();
  renamed_.emplace("", "");
  for (int i = 0; i < function.input_size(); ++i)
    renamed_.emplace(function.input(i), i < call.input_size() ? call.input(i) : "");
  name_results();
}

void FunctionBody::check_call() const {
  const auto too_many = [&](int given, int declared, std::string_view what) {
    if (given > declared)
      throw ModelError("Malformed",
                       concat("function '", function_.name(), "' has ", declared, " ", what, ", got ", given));
  };
  too_many(call_.input_size(), function_.input_size(), "inputs");
  too_many(call_.output_size(), function_.output_size(), "outputs");
  for (const auto& attribute : call_.attribute())
    if (!is_declared(function_, attribute.name()))
      throw ModelError("Malformed",
                       concat("attribute '", attribute.name(), "' is not one of function '", function_.name(), "'"));
}

void FunctionBody::name_results() {
  for (int i = 0; i < call_.output_size(); ++i) {
    const std::string& wanted = call_.output(i);
    if (wanted.empty()) continue;
    const auto [at, is_new] = renamed_.emplace(function_.output(i), wanted);
    if (is_new) continue;
    auto& copy = nodes_.emplace_back();
    copy.set_op_type("Identity");
    copy.set_name(concat(call_.name(), "/", function_.output(i)));
    copy.add_input(at->second);
    copy.add_output(wanted);
    set_metadata(copy, kOpsetMetadataKey, concat(kNewestOnnxOpset));
  }
}

const std::string& FunctionBody::renamed(const std::string& name) {
  const auto found = renamed_.find(name);
  if (found != renamed_.end()) return found->second;
  return renamed_.emplace(name, names_.unique(concat(call_.name(), "/", name))).first->second;
}

std::vector<onnx::NodeProto> FunctionBody::nodes() {
  for (int n = 0; n < function_.node_size(); ++n) {
    onnx::NodeProto& node = nodes_.emplace_back(function_.node(n));
    node.set_name(concat(call_.name(), "/", node.name().empty() ? concat(node.op_type(), "_", n) : node.name()));
    rename(node);
  }
  return std::move(nodes_);
}

void FunctionBody::rename(onnx::NodeProto& node) {
  for (auto& input : *node.mutable_input()) input = renamed(input);
  for (auto& output : *node.mutable_output()) output = renamed(output);
  settle_attributes(node);
  set_opset(node);
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) rename(*attribute.mutable_g());
    for (auto& graph : *attribute.mutable_graphs()) rename(graph);
  }
}

void FunctionBody::rename(onnx::GraphProto& graph) {
  for_each_name(graph, [&](std::string& name) { name = renamed(name); });
  for (auto& node : *graph.mutable_node()) rename(node);
}

const onnx::AttributeProto* FunctionBody::argument(const std::string& name) const {
  for (const auto& given : call_.attribute())
    if (given.name() == name) return &given;
  for (const auto& standard : function_.attribute_proto())
    if (standard.name() == name) return &standard;
  return nullptr;
}

// References become what the call or the declaration gives; without either there is no attribute.
void FunctionBody::settle_attributes(onnx::NodeProto& node) {
  google::protobuf::RepeatedPtrField<onnx::AttributeProto> settled;
  for (auto& attribute : *node.mutable_attribute()) {
    const std::string reference = attribute.ref_attr_name();
    if (reference.empty()) {
      settled.Add()->Swap(&attribute);
      continue;
    }
    if (!is_declared(function_, reference))
      throw ModelError("Malformed", concat("attribute '", attribute.name(), "' of ", node.op_type(), " refers to '",
                                           reference, "', which function '", function_.name(), "' does not declare"));
    const onnx::AttributeProto* given = argument(reference);
    if (!given) continue;
    auto& copy = *settled.Add();
    copy = *given;
    copy.set_name(attribute.name());
  }
  settled.Swap(node.mutable_attribute());
}

void FunctionBody::set_opset(onnx::NodeProto& node) const {
  for (const auto& import : function_.opset_import()) {
    const bool same =
        import.domain() == node.domain() || (is_standard_domain(import.domain()) && is_standard_domain(node.domain()));
    if (!same) continue;
    if (is_standard_domain(node.domain()) &&
        (import.version() < kOldestOnnxOpset || import.version() > kNewestOnnxOpset))
      throw ModelError("Unsupported",
                       concat("function '", function_.name(), "' is written in opset ", import.version(),
                              " of ai.onnx (", kOldestOnnxOpset, " to ", kNewestOnnxOpset, " are read)"));
    return set_metadata(node, kOpsetMetadataKey, concat(import.version()));
  }
}

}  // namespace

void take_names(const onnx::GraphProto& graph, NamePool& names) {
  for (const auto& tensor : graph.initializer()) names.take(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) names.take(tensor.values().name());
  for (const auto& value : graph.input()) names.take(value.name());
  for (const auto& node : graph.node()) {
    for (const auto& output : node.output()) names.take(output);
    for (const auto& input : node.input()) names.take(input);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) take_names(attribute.g(), names);
      for (const auto& inner : attribute.graphs()) take_names(inner, names);
    }
  }
}

std::vector<onnx::NodeProto> body_of(const onnx::FunctionProto& function, const onnx::NodeProto& call,
                                     NamePool& names) {
  return FunctionBody(function, call, names).nodes();
}

}  // namespace onemodel
