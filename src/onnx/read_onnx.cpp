#include "onnx/read_onnx.h"

#include <google/protobuf/io/coded_stream.h>
#include <onnx.pb.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "graph/infer_types.h"
#include "onnx/convert_attribute.h"
#include "onnx/convert_sparse_tensor.h"
#include "onnx/convert_tensor.h"
#include "onnx/convert_type.h"
#include "onnx/external_data.h"
#include "onnx/free_names.h"
#include "onnx/functions/function.h"
#include "onnx/graph_builder.h"
#include "onnx/inline_functions.h"
#include "onnx/onnx_metadata.h"
#include "onnx/read_control_flow.h"
#include "onnx/sort_nodes.h"

namespace onemodel {
namespace {

template <class Entries>
std::string find_entry(const Entries& entries, std::string_view key) {
  for (const auto& entry : entries)
    if (entry.key() == key) return entry.value();
  return {};
}

int64_t node_count(const onnx::GraphProto& graph) {
  int64_t count = graph.node_size();
  for (const auto& node : graph.node())
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) count += node_count(attribute.g());
  return count;
}

// Before it, every initializer had to be among the inputs, and was a constant all the same.
constexpr int64_t kOldestIrWithDefaults = 4;

/// What all graphs of one file share.
struct FileScope {
  Problems problems;
  std::unordered_set<std::string> lost;  // values that nobody makes, which is a problem already
  std::map<std::string, int64_t> opsets;
  int64_t ir_version = 0;
  ExternalTensors* external = nullptr;
};

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

// Of an initializer whose values are not at hand; undefined where it is malformed, which was said.
TensorType stated_type(const onnx::TensorProto& proto) {
  TensorType type{static_cast<DType>(proto.data_type()), {}};
  if (proto.data_type() < 0 || proto.data_type() > UINT8_MAX || dtype_size(type.dtype) == 0) return {};
  if (proto.dims_size() > static_cast<int>(kMaxRank)) return {};
  for (const int64_t extent : proto.dims()) {
    if (extent < 0) return {};
    type.shape.push_back(extent);
  }
  return type;
}

/// Reads one graph: the model's own, or one inside a node, which sees the names around it.
class Reader {
 public:
  Reader(onnx::GraphProto& file, FileScope& scope, std::string where = {})
      : file_(file), scope_(scope), where_(std::move(where)) {
    if (!file_.name().empty()) graph_.name = file_.name();
  }

  Graph run() {
    reserve_names();
    read_initializers();
    read_inputs();
    read_nodes();
    read_outputs();
    drop_fixed_inputs();
    return std::move(graph_);
  }

  /// Reads a graph inside a node: `captures` become inputs after its own.
  Graph run_body(std::span<const CapturedValue> captures) {
    reserve_names();
    for (const CapturedValue& capture : captures) builder_.reserve_name(capture.name);
    read_initializers();
    read_body_inputs();
    std::unordered_set<std::string> own = given_;
    for (const auto& node : file_.node()) own.insert(node.output().begin(), node.output().end());
    for (const CapturedValue& capture : captures) {
      // the other branch of an If may take what this one makes itself
      const std::string name = own.contains(capture.name) ? builder_.fresh_name(capture.name) : capture.name;
      given_.insert(name);
      if (capture.is_missing)
        builder_.add_missing(name, capture.type);
      else if (capture.constant.defined())
        builder_.add_named_constant(name, capture.constant, ConstantKind::plain);
      else
        builder_.add_input(name, capture.type, capture.holds);
    }
    read_nodes();
    read_outputs();
    return std::move(graph_);
  }

 private:
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
      const std::string where = concat(where_, "initializer '", tensor.name(), "'");
      if (tensor.name().empty() || !given_.insert(tensor.name()).second) {
        scope_.problems.malformed(where, ": the name is empty or used twice");
        continue;
      }
      const auto kind = constant_kind_from_name(find_entry(tensor.metadata_props(), kKindMetadataKey));
      const bool is_read = !scope_.external->lacks(tensor) && scope_.problems.attempt(where, [&] {
        const auto external = scope_.external->take(tensor);
        builder_.add_named_constant(tensor.name(), external ? *external : tensor_from_onnx(tensor),
                                    kind.value_or(ConstantKind::plain));
      });
      if (!is_read) builder_.add_missing(tensor.name(), stated_type(tensor));
    }
    for (const auto& sparse : file_.sparse_initializer()) {
      const std::string& name = sparse.values().name();
      const std::string where = concat(where_, "sparse initializer '", name, "'");
      if (name.empty() || !given_.insert(name).second) {
        scope_.problems.malformed(where, ": the name is empty or used twice");
        continue;
      }
      const bool is_read = scope_.problems.attempt(
          where, [&] { builder_.add_named_constant(name, dense_tensor_from_onnx(sparse), ConstantKind::plain); });
      if (!is_read) builder_.add_missing(name);
    }
  }

  void read_inputs() {
    std::unordered_set<std::string> seen;
    for (const auto& input : file_.input()) {
      const std::string where = concat("graph input '", input.name(), "'");
      if (input.name().empty() || !seen.insert(input.name()).second) {
        scope_.problems.malformed(where, ": the name is empty or used twice");
        continue;
      }
      if (!given_.insert(input.name()).second) {
        if (scope_.ir_version >= kOldestIrWithDefaults) add_optional_input(input);
        continue;
      }
      const bool is_read = scope_.problems.attempt(where, [&] {
        const Holds holds = holds_from_onnx(input.type());
        const TensorType element = element_type_from_onnx(input.type());
        const bool is_one = holds == Holds::tensor || holds == Holds::optional_tensor;
        TensorType type = is_one ? input_type_from_onnx(input) : element;
        if (holds != Holds::tensor && type.dtype == DType::undefined) type = element;
        builder_.add_input(input.name(), std::move(type), holds, element.dtype);
      });
      if (!is_read) builder_.add_missing(input.name());
    }
  }

  // Sizes that are declared need not be those of the default. A declaration that contradicts the default says nothing.
  void add_optional_input(const onnx::ValueInfoProto& input) {
    const ValueId id = graph_.find_value(input.name());
    if (id == kNone || !graph_.value(id).is_constant()) return;  // its initializer was refused
    const Tensor& initial = graph_.value(id).constant;
    const TensorType declared = loosely_declared_type(input);
    bool fits = declared.dtype == initial.dtype() && declared.shape.rank() == initial.rank();
    for (size_t axis = 0; fits && axis < initial.rank(); ++axis)
      fits = !declared.shape[axis].is_number() || declared.shape[axis].number() == initial.dims()[axis];
    graph_.optional_inputs.push_back({id, fits ? declared.shape : Shape(initial.dims())});
  }

  // What became part of an operator in its newest form cannot be replaced any more.
  void drop_fixed_inputs() {
    std::erase_if(graph_.optional_inputs,
                  [&](const OptionalInput& input) { return builder_.was_consulted(input.value); });
  }

  void read_body_inputs() {
    for (const auto& input : file_.input()) {
      const std::string where = concat(where_, "graph input '", input.name(), "'");
      if (input.name().empty() || !given_.insert(input.name()).second)
        scope_.problems.malformed(where, ": the name is empty or used twice");
      else if (!scope_.problems.attempt(where, [&] { add_body_input(input); }))
        builder_.add_missing(input.name());
    }
  }

  // Graphs inside nodes need not declare the types of their inputs.
  void add_body_input(const onnx::ValueInfoProto& input) {
    const bool is_typed = input.type().value_case() != onnx::TypeProto::VALUE_NOT_SET;
    const Holds holds = is_typed ? holds_from_onnx(input.type()) : Holds::tensor;
    const bool is_tensor = holds == Holds::tensor;
    builder_.add_input(input.name(), is_tensor ? loosely_declared_type(input) : element_type_from_onnx(input.type()),
                       holds);
  }

  void read_nodes() {
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
  void add_lost() {
    const auto add = [&](const std::string& name) {
      if (scope_.lost.contains(name) && given_.insert(name).second) builder_.add_missing(name);
    };
    for (const auto& node : file_.node()) {
      for (const std::string& name : inputs_of(node)) add(name);
      for (const std::string& name : node.output()) add(name);
    }
    for (const auto& output : file_.output()) add(output.name());
  }

  static std::string domain_of(const onnx::NodeProto& node) {
    return is_standard_domain(node.domain()) ? "ai.onnx" : node.domain();
  }

  // "node 'x' (Softmax, ai.onnx opset 17)"
  std::string place_of(const onnx::NodeProto& node, std::string_view name) const {
    const std::string domain = domain_of(node);
    const int64_t opset = opset_of(node, domain);
    return concat(where_, "node '", name, "' (", node.op_type(), ", ", domain,
                  opset ? concat(" opset ", opset) : ", no opset imported", ")");
  }

  void read_declared_types() {
    const auto declare = [&](const onnx::ValueInfoProto& value) {
      scope_.problems.attempt(concat(where_, "value '", value.name(), "'"), [&] {
        builder_.declare_type(value.name(), declared_type_from_onnx(value), loosely_declared_type(value));
      });
    };
    for (const auto& value : file_.value_info()) declare(value);
    for (const auto& value : file_.output()) declare(value);
  }

  // False when the node was left out for want of something that is a problem already.
  bool read_node(onnx::NodeProto& proto, int index) {
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
  bool read_control_flow(onnx::NodeProto& proto, FileNode node, int64_t opset, const std::string& where) {
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
      Graph graph = Reader(*body, scope_, concat(where, ": ")).run_body(captures);
      if (scope_.problems.count() != before) return false;  // a problem of the node too: its results are missing
      infer_types(graph);
      bodies.push_back(std::make_shared<const Graph>(std::move(graph)));
    }
    builder_.add_control_flow(std::move(node), form.op, std::move(bodies));
    return is_whole;
  }

  // A node of a function has the function's.
  int64_t opset_of(const onnx::NodeProto& node, const std::string& domain) const {
    int64_t opset = 0;
    const std::string own = find_entry(node.metadata_props(), kOpsetMetadataKey);
    if (std::from_chars(own.data(), own.data() + own.size(), opset).ec == std::errc() && opset > 0) return opset;
    const auto found = scope_.opsets.find(domain);
    return found == scope_.opsets.end() ? 0 : found->second;
  }

  void read_constant(const FileNode& node, const std::string& where) {
    scope_.problems.attempt(where, [&] {
      if (node.outputs.size() != 1 || node.outputs[0].empty() || !node.inputs.empty())
        throw ModelError("Malformed", "a Constant has one output and no inputs");
      if (builder_.has(node.outputs[0])) return;  // reported as made twice
      builder_.add_named_constant(node.outputs[0], constant_of(node), ConstantKind::plain);
    });
  }

  void read_outputs() {
    for (const auto& output : file_.output()) {
      if (!builder_.has(output.name())) {
        scope_.problems.malformed(where_, "graph output '", output.name(), "' is made by no node");
        continue;
      }
      builder_.add_output(output.name());
      note_element(output, graph_.value(graph_.outputs.back()));
    }
    if (file_.output().empty()) scope_.problems.malformed(where_, "the graph has no outputs");
  }

  // Where only running tells the rank, the element type may be declared all the same.
  void note_element(const onnx::ValueInfoProto& output, Value& value) {
    if (value.type.dtype != DType::undefined || !output.type().has_tensor_type()) return;
    if (output.type().tensor_type().elem_type() == onnx::TensorProto::UNDEFINED) return;
    scope_.problems.attempt(concat(where_, "graph output '", output.name(), "'"),
                            [&] { value.element = element_type_from_onnx(output.type()).dtype; });
  }

  onnx::GraphProto& file_;
  FileScope& scope_;
  std::string where_;  // of the node around it, before every message
  Graph graph_;
  GraphBuilder builder_{graph_, scope_.problems};
  std::unordered_set<std::string> given_;  // names of initializers and inputs
};

// Messages within messages: those of a graph inside a node are three more. Each is a frame of the stack.
constexpr int kMostNested = 100, kMostTried = 400;

bool parses(std::span<const std::byte> file, int most_nested, onnx::ModelProto& model) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(file.data()),
                                                static_cast<int>(file.size()));
  stream.SetRecursionLimit(most_nested);
  return model.ParseFromCodedStream(&stream);
}

void parse(std::span<const std::byte> file, const OnnxReadOptions& options, onnx::ModelProto& model) {
  const size_t most = std::min<size_t>(options.max_bytes, std::numeric_limits<int>::max());
  if (file.size() > most)
    throw ModelError("TooLarge", concat("the ONNX model has ", file.size(), " bytes; the limit is ", most));
  if (!parses(file, kMostNested, model)) {
    if (parses(file, kMostTried, model))
      throw ModelError("Unsupported",
                       concat("the ONNX model cannot be read: graphs are nested more than ", kMostNested / 3, " deep"));
    throw ModelError("Malformed", "the ONNX model cannot be read: not a protocol buffer");
  }
  if (!model.has_graph()) throw ModelError("Malformed", "the ONNX model cannot be read: no graph in it");
}

void take_contract(Graph& graph) {
  const auto ranges = graph.metadata.extract(std::string(kSizeRangesMetadataKey));
  const auto relations = graph.metadata.extract(std::string(kSizeRelationsMetadataKey));
  if (ranges.empty() && relations.empty()) return;
  graph.contract = std::make_shared<const SizeContract>(
      contract_from_text(ranges.empty() ? "" : std::string_view(ranges.mapped()),
                         relations.empty() ? "" : std::string_view(relations.mapped())));
}

// Outputs whose type only running tells have what the file declares: callers see it, and nothing is inferred from it.
void take_declared_outputs(const onnx::GraphProto& file, Graph& graph) {
  for (int i = 0; i < file.output_size(); ++i) {
    Value& value = graph.value(graph.outputs[static_cast<size_t>(i)]);
    if (value.type.dtype == DType::undefined && value.holds == Holds::tensor && value.element != DType::undefined)
      value.type = loosely_declared_type(file.output(i));
  }
}

// What is wrong beyond the model's own errors is a fault of the file, too.
template <class F>
auto readable(F&& f) {
  try {
    return f();
  } catch (const ModelError&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() == "OutOfMemory") throw;
    throw ModelError("Malformed", concat("the ONNX model cannot be read: ", error.what()));
  }
}

}  // namespace

struct OnnxReader::State {
  State(std::span<const std::byte> file, OnnxReadOptions most) : options(std::move(most)) {
    parse(file, options, model);
    const std::string& name = model.graph().name();
    if (!name.empty()) scope.problems.subject += concat(" '", name, "'");
    read_versions(model, options, scope);
    const bool is_refused = !scope.problems.empty();
    external.emplace(model, scope.problems);
    scope.external = &*external;
    if (is_refused) read();  // what else is wrong is told with it, before any weights are fetched
    if (options.external) external->read(options.external, scope.problems);
  }

  Graph finish() {
    external->finish(scope.problems);
    return read();
  }

  Graph read() {
    scope.lost = inline_functions(model, options, scope.problems);
    Graph graph = Reader(*model.mutable_graph(), scope).run();
    scope.problems.throw_if_any();
    for (const auto& entry : model.metadata_props()) graph.metadata[entry.key()] = entry.value();
    graph.metadata.erase(std::string(kOpsetMetadataKey));
    if (const int64_t opset = scope.opsets["ai.onnx"]) graph.metadata[std::string(kOpsetMetadataKey)] = concat(opset);
    scope.problems.attempt({}, [&] { take_contract(graph); });
    infer_types(graph, [&](const Error& error) { scope.problems.take(error); });
    scope.problems.throw_if_any();
    take_declared_outputs(model.graph(), graph);
    scope.problems.attempt({}, [&] { verify(graph); });
    scope.problems.throw_if_any();
    return graph;
  }

  OnnxReadOptions options;
  onnx::ModelProto model;
  FileScope scope;
  std::optional<ExternalTensors> external;
};

OnnxReader::OnnxReader(std::span<const std::byte> file, OnnxReadOptions options)
    : state_(readable([&] { return std::make_unique<State>(file, std::move(options)); })) {}
OnnxReader::~OnnxReader() = default;
OnnxReader::OnnxReader(OnnxReader&&) noexcept = default;
OnnxReader& OnnxReader::operator=(OnnxReader&&) noexcept = default;

std::vector<std::string> OnnxReader::missing() const { return state_->external->missing(); }

void OnnxReader::feed(const std::string& name, uint64_t offset, std::span<const std::byte> bytes) {
  readable([&] { state_->external->feed(name, offset, bytes); });
}

Graph OnnxReader::finish() {
  return readable([&] { return std::exchange(state_, nullptr)->finish(); });
}

Graph read_onnx(std::span<const std::byte> file, const OnnxReadOptions& options) {
  return OnnxReader(file, options).finish();
}

}  // namespace onemodel
