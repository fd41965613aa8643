// Graphs: reading and writing files, and the view that pictures are drawn from.

#include <emscripten/bind.h>

#include <algorithm>

#include "bindings/bytes.h"
#include "bindings/graphs.h"
#include "bindings/guard.h"
#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "graph/size_contract.h"
#include "onnx/onnx_metadata.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"
#include "passes/pipeline.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<const Graph>>& graphs() {
  static Handles<std::shared_ptr<const Graph>> table("graph");
  return table;
}

using emscripten::val;

val shape_of(const Shape& shape) {
  val out = val::array();
  for (const Extent& extent : shape) {
    if (extent.is_number())
      out.call<void>("push", static_cast<double>(extent.number()));
    else
      out.call<void>("push", extent.text());
  }
  return out;
}

namespace {

Handles<std::unique_ptr<OneModelReader>>& readers() {
  static Handles<std::unique_ptr<OneModelReader>> table("reader");
  return table;
}

uint32_t keep(Graph graph) { return graphs().add(std::make_shared<const Graph>(std::move(graph))); }

void push_lines(val& list, std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    list.call<void>("push", std::string(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

/// {name, values: [{name, dtype, hasRank, shape, kind}], nodes: [{name, op, label, modulePath, inputs, outputs}], inputs,
/// outputs, sizes, metadata}; values by index, -1 for none.
val graph_view(uint32_t handle) {
  return guarded([&] {
    const Graph& graph = *graphs().get(handle);
    val out = val::object();
    out.set("name", graph.name);
    val values = val::array();
    for (const Value& value : graph.values) {
      val entry = val::object();
      entry.set("name", value.name);
      const bool is_typed = value.type.dtype != DType::undefined;
      entry.set("dtype", std::string(dtype_name(is_typed ? value.type.dtype : value.element)));
      entry.set("hasRank", is_typed || value.holds != Holds::tensor);
      entry.set("shape", shape_of(value.type.shape));
      entry.set("kind", value.is_constant() ? val(std::string(constant_kind_name(value.kind))) : val::null());
      values.call<void>("push", entry);
    }
    out.set("values", values);
    val nodes = val::array();
    for (const Node& node : graph.nodes) {
      val entry = val::object();
      entry.set("name", node.name);
      entry.set("op", std::string(node.op.name()));
      entry.set("label", concat(node.op));
      entry.set("modulePath", node.module_path);
      entry.set("inputs", val::array(node.inputs));
      entry.set("outputs", val::array(node.outputs));
      nodes.call<void>("push", entry);
    }
    out.set("nodes", nodes);
    out.set("inputs", val::array(graph.inputs));
    out.set("outputs", val::array(graph.outputs));
    val optional = val::array();
    for (const OptionalInput& input : graph.optional_inputs) optional.call<void>("push", input.value);
    out.set("optionalInputs", optional);
    val sizes = val::array();
    if (graph.contract) {
      push_lines(sizes, ranges_text(*graph.contract));
      push_lines(sizes, relations_text(*graph.contract));
    }
    out.set("sizes", sizes);
    val metadata = val::object();
    for (const auto& [name, text] : graph.metadata)
      if (name != kOpsetMetadataKey) metadata.set(name, text);
    out.set("metadata", metadata);
    return out;
  });
}

Handles<std::unique_ptr<OnnxReader>>& onnx_readers() {
  static Handles<std::unique_ptr<OnnxReader>> table("reader");
  return table;
}

/// `files`: some of what the model's weights are in, a Map of Uint8Arrays by name.
uint32_t onnx_reader_make(uintptr_t data, size_t bytes, val files) {
  return guarded([&] {
    OnnxReadOptions options;
    options.external = [files](const std::string& name, uint64_t offset, uint64_t length) -> std::shared_ptr<Storage> {
      const val file = files.call<val>("get", name);
      if (file.isUndefined()) return nullptr;
      const double size = file["byteLength"].as<double>(),
                   end = static_cast<double>(offset) + static_cast<double>(length);
      if (end > size)
        throw ModelError("Malformed", concat("'", name, "' has ", size, " bytes, expected ", length, " from ", offset));
      std::shared_ptr<Storage> out = Storage::allocate(static_cast<size_t>(length));
      const val part = file.call<val>("subarray", static_cast<double>(offset), end);
      val(emscripten::typed_memory_view(out->bytes(), reinterpret_cast<uint8_t*>(out->data()))).call<void>("set", part);
      return out;
    };
    return onnx_readers().add(std::make_unique<OnnxReader>(heap_bytes(data, bytes), std::move(options)));
  });
}

// What script's writers may be given at once.
constexpr size_t kMostAtOnce = size_t{1} << 26;

/// Gives the pieces to `sink` as views of memory, and ends when it gives false. It throws nothing.
std::function<void(std::span<const std::byte>)> to_sink(const val& sink) {
  return [sink](std::span<const std::byte> bytes) {
    for (size_t at = 0; at < bytes.size(); at += kMostAtOnce) {
      const auto part = bytes.subspan(at, std::min(kMostAtOnce, bytes.size() - at));
      const emscripten::memory_view<uint8_t> view(part.size(), reinterpret_cast<const uint8_t*>(part.data()));
      if (!sink(view).as<bool>()) throw Error("CancelledError", "Cancelled", "the file was not written to its end");
    }
  };
}

uint32_t graph_optimize(uint32_t handle, bool exact) {
  return guarded([&] {
    const Graph& graph = *graphs().get(handle);
    check(has_all_types(graph), "optimize: graph '", graph.name,
          "' has values whose types only running tells; a session optimises such a graph piece by piece");
    return keep(optimize(graph, {.arithmetic = exact ? Arithmetic::exact : Arithmetic::fast}).graph());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(graph) {
  using emscripten::function;
  function("graphView", &graph_view);
  function(
      "graphText", +[](uint32_t handle) { return guarded([&] { return to_string(*graphs().get(handle)); }); });
  function("graphOptimize", &graph_optimize);
  function(
      "graphRelease", +[](uint32_t handle) { graphs().release(handle); });
  function(
      "graphCount", +[] { return graphs().live(); });
  function(
      "writeOnnx",
      +[](uint32_t handle) { return guarded([&] { return to_script(write_onnx(*graphs().get(handle))); }); });
  function(
      "writeOnnxBeside", +[](uint32_t handle, const std::string& file, double least_bytes, val sink) {
        return guarded([&] {
          const ExternalWeights external{file, to_sink(sink), static_cast<uint64_t>(least_bytes)};
          return to_script(write_onnx(*graphs().get(handle), &external));
        });
      });
  function(
      "writeOneModel",
      +[](uint32_t handle, val sink) { guarded([&] { write_onemodel(*graphs().get(handle), to_sink(sink)); }); });
  // A .onnx file, and in pieces those beside it that hold its weights.
  function("onnxReaderMake", &onnx_reader_make);
  function(
      "onnxReaderMissing",
      +[](uint32_t handle) { return guarded([&] { return val::array(onnx_readers().get(handle)->missing()); }); });
  function(
      "onnxReaderFeed", +[](uint32_t handle, const std::string& name, double offset, uintptr_t data, size_t bytes) {
        guarded(
            [&] { onnx_readers().get(handle)->feed(name, static_cast<uint64_t>(offset), heap_bytes(data, bytes)); });
      });
  function(
      "onnxReaderFinish",
      +[](uint32_t handle) { return guarded([&] { return keep(onnx_readers().get(handle)->finish()); }); });
  function(
      "onnxReaderRelease", +[](uint32_t handle) { onnx_readers().release(handle); });
  function(
      "readOneModel", +[](uintptr_t data, size_t bytes) {
        return guarded([&] { return keep(read_onemodel(heap_bytes(data, bytes))); });
      });
  // A .onemodel file in pieces. `length` < 0: not known.
  function(
      "readerMake", +[](double length) {
        return guarded([&] {
          return readers().add(std::make_unique<OneModelReader>(
              length < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(length))));
        });
      });
  function(
      "readerFeed", +[](uint32_t handle, uintptr_t data, size_t bytes) {
        guarded([&] { readers().get(handle)->feed(heap_bytes(data, bytes)); });
      });
  function(
      "readerFinish", +[](uint32_t handle) { return guarded([&] { return keep(readers().get(handle)->finish()); }); });
  function(
      "readerRelease", +[](uint32_t handle) { readers().release(handle); });
}

}  // namespace onemodel::bindings
