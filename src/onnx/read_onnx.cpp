#include "onnx/read_onnx.h"

#include <onnx.pb.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <unordered_set>

#include "onnx/convert_attribute.h"
#include "onnx/convert_sparse_tensor.h"
#include "onnx/convert_tensor.h"
#include "onnx/convert_type.h"
#include "onnx/functions/function.h"
#include "onnx/graph_builder.h"
#include "onnx/inline_functions.h"
#include "onnx/onnx_metadata.h"
#include "onnx/sort_nodes.h"

namespace onemodel {
namespace {

template <class Entries>
std::string find_entry(const Entries& entries, std::string_view key) {
  for (const auto& entry : entries)
    if (entry.key() == key) return entry.value();
  return {};
}

class Reader {
 public:
  Reader(onnx::ModelProto& model, const OnnxReadOptions& options)
      : model_(model), file_(*model.mutable_graph()), options_(options) {}

  Graph run() {
    if (!file_.name().empty()) graph_.name = file_.name();
    for (const auto& entry : model_.metadata_props()) graph_.metadata[entry.key()] = entry.value();
    read_versions();
    problems_.throw_if_any();
    inline_functions(model_, options_, problems_);
    problems_.throw_if_any();
    reserve_names();
    read_initializers();
    read_inputs();
    read_declared_types();
    for (const int n : sort_nodes(file_, given_, problems_)) read_node(file_.node(n), n);
    read_outputs();
    problems_.throw_if_any();
    infer_types(graph_);
    verify(graph_);
    return std::move(graph_);
  }

 private:
  void read_versions() {
    if (model_.ir_version() < kOldestOnnxIr || model_.ir_version() > kNewestOnnxIr)
      problems_.unsupported("IR version ", model_.ir_version(), " is not supported (", kOldestOnnxIr, " to ",
                            kNewestOnnxIr, " are)");
    for (const auto& import : model_.opset_import()) {
      const std::string domain = is_standard_domain(import.domain()) ? "ai.onnx" : import.domain();
      opsets_[domain] = std::max(opsets_[domain], import.version());
    }
    const int64_t opset = opsets_["ai.onnx"];
    if (opset == 0 && model_.opset_import().empty())
      problems_.malformed("the model names no opset");
    else if (opset != 0 && (opset < kOldestOnnxOpset || opset > kNewestOnnxOpset))
      problems_.unsupported("opset ", opset, " of ai.onnx is not supported (", kOldestOnnxOpset, " to ",
                            kNewestOnnxOpset, " are)");
    if (static_cast<size_t>(file_.node_size()) > options_.max_nodes)
      throw ModelError("TooLarge",
                       concat("the ONNX model has ", file_.node_size(), " nodes; the limit is ", options_.max_nodes));
  }

  void reserve_names() {
    for (const auto& tensor : file_.initializer()) builder_.reserve_name(tensor.name());
    for (const auto& sparse : file_.sparse_initializer()) builder_.reserve_name(sparse.values().name());
    for (const auto& input : file_.input()) builder_.reserve_name(input.name());
    for (const auto& node : file_.node()) {
      for (const auto& output : node.output()) builder_.reserve_name(output);
      for (const auto& input : node.input()) builder_.reserve_name(input);
    }
  }

  // Takes each tensor out of the file: its bytes are in memory twice only one at a time.
  void read_initializers() {
    for (auto& entry : *file_.mutable_initializer()) {
      onnx::TensorProto tensor;
      tensor.Swap(&entry);
      const std::string where = concat("initializer '", tensor.name(), "'");
      if (tensor.name().empty() || !given_.insert(tensor.name()).second) {
        problems_.malformed(where, ": the name is empty or used twice");
        continue;
      }
      const auto kind = constant_kind_from_name(find_entry(tensor.metadata_props(), kKindMetadataKey));
      problems_.attempt(where, [&] {
        builder_.add_named_constant(tensor.name(), tensor_from_onnx(tensor), kind.value_or(ConstantKind::plain));
      });
    }
    for (const auto& sparse : file_.sparse_initializer()) {
      const std::string& name = sparse.values().name();
      const std::string where = concat("sparse initializer '", name, "'");
      if (name.empty() || !given_.insert(name).second) {
        problems_.malformed(where, ": the name is empty or used twice");
        continue;
      }
      problems_.attempt(
          where, [&] { builder_.add_named_constant(name, dense_tensor_from_onnx(sparse), ConstantKind::plain); });
    }
  }

  void read_inputs() {
    std::unordered_set<std::string> seen;
    for (const auto& input : file_.input()) {
      const std::string where = concat("graph input '", input.name(), "'");
      if (input.name().empty() || !seen.insert(input.name()).second) {
        problems_.malformed(where, ": the name is empty or used twice");
        continue;
      }
      if (!given_.insert(input.name()).second) continue;  // the default of an initializer
      problems_.attempt(where, [&] { builder_.add_input(input.name(), input_type_from_onnx(input)); });
    }
  }

  void read_declared_types() {
    const auto declare = [&](const onnx::ValueInfoProto& value) {
      problems_.attempt(concat("value '", value.name(), "'"),
                        [&] { builder_.declare_type(value.name(), declared_type_from_onnx(value)); });
    };
    for (const auto& value : file_.value_info()) declare(value);
    for (const auto& value : file_.output()) declare(value);
  }

  void read_node(const onnx::NodeProto& proto, int index) {
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

    const std::string domain = is_standard_domain(proto.domain()) ? "ai.onnx" : proto.domain();
    const int64_t opset = opset_of(proto, domain);
    const std::string where = concat("node '", node.name, "' (", node.type, ", ", domain,
                                     opset ? concat(" opset ", opset) : ", no opset imported", ")");
    const size_t before = problems_.count();
    const bool is_constant = domain == "ai.onnx" && node.type == "Constant";
    if (!is_known_domain(domain))
      problems_.unsupported(where, ": the domain is not supported");
    else if (opset == 0)
      problems_.malformed(where, ": the model imports no opset of the domain");
    else if (!is_known_operator(domain, node.type))
      problems_.unsupported(where, ": unknown operator");
    for (const auto& attribute : proto.attribute()) {
      problems_.attempt(where, [&] {
        AttributeValue value = attribute_from_onnx(attribute);
        if (!node.attributes.emplace(attribute.name(), std::move(value)).second)
          throw ModelError("Malformed", concat("attribute '", attribute.name(), "' is given twice"));
      });
    }
    if (problems_.count() != before) return;
    if (is_constant)
      read_constant(node, where);
    else
      builder_.add_node(std::move(node), opset, where);
  }

  // A node of a function has the function's.
  int64_t opset_of(const onnx::NodeProto& node, const std::string& domain) const {
    int64_t opset = 0;
    const std::string own = find_entry(node.metadata_props(), kOpsetMetadataKey);
    if (std::from_chars(own.data(), own.data() + own.size(), opset).ec == std::errc() && opset > 0) return opset;
    const auto found = opsets_.find(domain);
    return found == opsets_.end() ? 0 : found->second;
  }

  void read_constant(const FileNode& node, const std::string& where) {
    problems_.attempt(where, [&] {
      if (node.outputs.size() != 1 || node.outputs[0].empty() || !node.inputs.empty())
        throw ModelError("Malformed", "a Constant has one output and no inputs");
      if (builder_.has(node.outputs[0])) return;  // reported as made twice
      builder_.add_named_constant(node.outputs[0], constant_of(node), ConstantKind::plain);
    });
  }

  void read_outputs() {
    std::unordered_set<std::string> made = given_;
    for (const auto& node : file_.node()) made.insert(node.output().begin(), node.output().end());
    for (const auto& output : file_.output()) {
      if (output.name().empty() || !made.contains(output.name()))
        problems_.malformed("graph output '", output.name(), "' is made by no node");
      builder_.add_output(output.name());
    }
    if (file_.output().empty()) problems_.malformed("the graph has no outputs");
  }

  onnx::ModelProto& model_;
  onnx::GraphProto& file_;
  const OnnxReadOptions& options_;
  Graph graph_;
  Problems problems_;
  GraphBuilder builder_{graph_, problems_};
  std::map<std::string, int64_t> opsets_;
  std::unordered_set<std::string> given_;  // names of initializers and inputs
};

}  // namespace

Graph read_onnx(std::span<const std::byte> file, const OnnxReadOptions& options) {
  const size_t most = std::min<size_t>(options.max_bytes, std::numeric_limits<int>::max());
  if (file.size() > most)
    throw ModelError("TooLarge", concat("the ONNX model has ", file.size(), " bytes; the limit is ", most));
  onnx::ModelProto model;
  if (!model.ParseFromArray(file.data(), static_cast<int>(file.size())))
    throw ModelError("Malformed", "the ONNX model cannot be read: not a protocol buffer");
  if (!model.has_graph()) throw ModelError("Malformed", "the ONNX model cannot be read: no graph in it");
  try {
    return Reader(model, options).run();
  } catch (const ModelError&) {
    throw;
  } catch (const Error& error) {
    throw ModelError("Malformed", concat("the ONNX model cannot be read: ", error.what()));
  }
}

}  // namespace onemodel
