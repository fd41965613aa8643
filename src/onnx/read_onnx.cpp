#include "onnx/read_onnx.h"

#include <google/protobuf/io/coded_stream.h>
#include <onnx.pb.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "graph/control_flow.h"
#include "graph/infer_types.h"
#include "onnx/convert_type.h"
#include "onnx/external_data.h"
#include "onnx/file_scope.h"
#include "onnx/graph_reader.h"
#include "onnx/inline_functions.h"
#include "onnx/onnx_metadata.h"

namespace onemodel {
namespace {

// Messages within messages: those of a graph inside a node are three more. Each is a frame of the stack. What is somewhat too
// deep is read, to say so.
constexpr int kMostMessages = 400;

bool parses(std::span<const std::byte> file, onnx::ModelProto& model) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(file.data()),
                                                static_cast<int>(file.size()));
  stream.SetRecursionLimit(kMostMessages);
  return model.ParseFromCodedStream(&stream);
}

void parse(std::span<const std::byte> file, const OnnxReadOptions& options, onnx::ModelProto& model) {
  const size_t most = std::min<size_t>(options.max_bytes, std::numeric_limits<int>::max());
  if (file.size() > most)
    throw ModelError("TooLarge", concat("the ONNX model has ", file.size(), " bytes; the limit is ", most));
  if (!parses(file, model))
    throw ModelError("Malformed", "the ONNX model cannot be read: not a protocol buffer, or one nested far too deep");
  if (!model.has_graph()) throw ModelError("Malformed", "the ONNX model cannot be read: no graph in it");
}

bool nests_beyond(const onnx::GraphProto& graph, size_t most) {
  for (const auto& node : graph.node())
    for (const auto& attribute : node.attribute())
      if (attribute.has_g() && (most == 0 || nests_beyond(attribute.g(), most - 1))) return true;
  return false;
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
    if (nests_beyond(model.graph(), kMostNestedGraphs))
      throw ModelError("Unsupported", concat("the ONNX model cannot be read: graphs are nested more than ",
                                             kMostNestedGraphs, " deep"));
    Graph graph = GraphReader(*model.mutable_graph(), scope).run();
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
