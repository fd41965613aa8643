#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

#include "graph/infer_types.h"
#include "onnx/convert_attribute.h"
#include "onnx/convert_type.h"
#include "onnx/external_data.h"
#include "onnx/free_names.h"
#include "onnx/functions/function.h"
#include "onnx/graph_reader.h"
#include "onnx/onnx_metadata.h"
#include "onnx/read_control_flow.h"
#include "onnx/sort_nodes.h"

namespace onemodel {

void GraphReader::read_nodes() {
  read_declared_types();
  if (!scope_.lost.empty()) add_lost();
  const auto place = [&](int n) {
    const onnx::NodeProto& node = file_.node(n);
    return place_of(node, node.name().empty() ? concat('#', n) : node.name());
  };
  for (const int n : sort_nodes(file_, given_, place, scope_.problems)) {
    const size_t before = scope_.problems.count();
    onnx::NodeProto& node = *file_.mutable_node(n);
    if (!read_node(node, n) || scope_.problems.count() != before)
      for (const std::string& output : node.output()) builder_.add_missing(output);
  }
}

// Of what is lost, only what is named here: graphs inside nodes may be many.
void GraphReader::add_lost() {
  const auto add = [&](const std::string& name) {
    if (scope_.lost.contains(name) && given_.insert(name).second) builder_.add_missing(name);
  };
  for (const auto& node : file_.node()) {
    for (const std::string& name : inputs_of(node)) add(name);
    for (const std::string& name : node.output()) add(name);
  }
  for (const auto& output : file_.output()) add(output.name());
}

std::string GraphReader::domain_of(const onnx::NodeProto& node) {
  return is_standard_domain(node.domain()) ? "ai.onnx" : node.domain();
}

// "node 'x' (Softmax, ai.onnx opset 17)"
std::string GraphReader::place_of(const onnx::NodeProto& node, std::string_view name) const {
  const std::string domain = domain_of(node);
  const int64_t opset = opset_of(node, domain);
  return concat(where_, "node '", name, "' (", node.op_type(), ", ", domain,
                opset ? concat(" opset ", opset) : ", no opset imported", ")");
}

void GraphReader::read_declared_types() {
  const auto declare = [&](const onnx::ValueInfoProto& value) {
    scope_.problems.attempt(concat(where_, "value '", value.name(), "'"), [&] {
      builder_.declare_type(value.name(), declared_type_from_onnx(value), loosely_declared_type(value));
    });
  };
  for (const auto& value : file_.value_info()) declare(value);
  for (const auto& value : file_.output()) declare(value);
}

// False when the node was left out for want of something that is a problem already.
bool GraphReader::read_node(onnx::NodeProto& proto, int index) {
  FileNode node{.type = proto.op_type(),
                .inputs = {proto.input().begin(), proto.input().end()},
                .outputs = {proto.output().begin(), proto.output().end()},
                .module_path = find_entry(proto.metadata_props(), kModulePathMetadataKey),
                .domain = proto.domain()};
  node.name = proto.name().empty() ? concat(proto.op_type(), "_", index) : proto.name();
  const std::string prefix = node.module_path + "/";
  if (!node.module_path.empty() && node.name.size() > prefix.size() && node.name.starts_with(prefix))
    node.name.erase(0, prefix.size());
  node.name = builder_.unique_node_name(node.name);

  const std::string domain = domain_of(proto), where = place_of(proto, node.name);
  const int64_t opset = opset_of(proto, domain);
  const size_t before = scope_.problems.count();
  if (domain == "ai.onnx" && opset != 0 && find_control_flow(node.type)) {
    bool is_whole = false;
    scope_.problems.attempt(where, [&] { is_whole = read_control_flow(proto, std::move(node), opset, where); });
    return is_whole;
  }
  const bool is_constant = domain == "ai.onnx" && node.type == "Constant";
  if (!is_known_domain(domain))
    scope_.problems.unsupported(where, ": the domain is not supported");
  else if (opset == 0)
    scope_.problems.malformed(where, ": the model imports no opset of the domain");
  else if (!is_known_operator(domain, node.type))
    scope_.problems.unsupported(where, ": unknown operator");
  bool is_whole = true;
  for (const auto& attribute : proto.attribute()) {
    if (attribute.has_t() && scope_.external->lacks(attribute.t())) {
      is_whole = false;
      continue;
    }
    scope_.problems.attempt(where, [&] {
      if (attribute.has_tp() && node.type == "Optional") {
        node.attributes["of_sequence"] = int64_t{holds_from_onnx(attribute.tp()) == Holds::sequence};
        node.attributes["dtype"] = static_cast<int64_t>(element_type_from_onnx(attribute.tp()).dtype);
        return;
      }
      AttributeValue value = attribute_from_onnx(attribute);
      if (!node.attributes.emplace(attribute.name(), std::move(value)).second)
        throw ModelError("Malformed", concat("attribute '", attribute.name(), "' is given twice"));
    });
  }
  if (!is_whole || scope_.problems.count() != before) return false;
  if (is_constant)
    read_constant(node, where);
  else
    builder_.add_node(std::move(node), opset, where);
  return true;
}

// False when something that the node or its graphs read is missing.
bool GraphReader::read_control_flow(onnx::NodeProto& proto, FileNode node, int64_t opset, const std::string& where) {
  const ControlFlow form = control_flow_from_onnx(proto, opset);
  node.inputs = form.inputs;
  std::vector<CapturedValue> captures;
  bool is_whole = true;
  for (const std::string& name : inputs_of(proto)) {
    const auto captured = builder_.capture(name);
    is_whole &= captured && !captured->is_missing;
    const bool is_operand = std::find(proto.input().begin(), proto.input().end(), name) != proto.input().end();
    if (is_operand && !form.reads(name)) continue;
    if (!captured) continue;  // reported by sort_nodes
    captures.push_back(*captured);
    if (!captured->constant.defined() && !captured->is_missing) node.inputs.push_back(name);
  }
  std::vector<std::shared_ptr<const Graph>> bodies;
  for (onnx::GraphProto* body : form.bodies) {
    const size_t before = scope_.problems.count();
    Graph graph = GraphReader(*body, scope_, concat(where, ": ")).run_body(captures);
    if (scope_.problems.count() != before) return false;  // a problem of the node too: its results are missing
    infer_types(graph);
    bodies.push_back(std::make_shared<const Graph>(std::move(graph)));
  }
  builder_.add_control_flow(std::move(node), form.op, std::move(bodies));
  return is_whole;
}

// A node of a function has the function's.
int64_t GraphReader::opset_of(const onnx::NodeProto& node, const std::string& domain) const {
  int64_t opset = 0;
  const std::string own = find_entry(node.metadata_props(), kOpsetMetadataKey);
  if (std::from_chars(own.data(), own.data() + own.size(), opset).ec == std::errc() && opset > 0) return opset;
  const auto found = scope_.opsets.find(domain);
  return found == scope_.opsets.end() ? 0 : found->second;
}

void GraphReader::read_constant(const FileNode& node, const std::string& where) {
  scope_.problems.attempt(where, [&] {
    if (node.outputs.size() != 1 || node.outputs[0].empty() || !node.inputs.empty())
      throw ModelError("Malformed", "a Constant has one output and no inputs");
    if (builder_.has(node.outputs[0])) return;  // reported as made twice
    builder_.add_named_constant(node.outputs[0], constant_of(node), ConstantKind::plain);
  });
}

}  // namespace onemodel
