// Checks of traces.

#include "trace/verify_trace.h"

#include <emscripten/bind.h>

#include "bindings/call_buffer.h"
#include "bindings/graphs.h"
#include "bindings/guard.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

val to_script(const Difference& difference) {
  val out = val::object();
  out.set("name", difference.name);
  out.set("modulePath", difference.module_path);
  out.set("what", difference.what);
  return out;
}

SymbolSizes sizes_from(val names, val numbers) {
  const auto symbols = emscripten::vecFromJSArray<std::string>(names);
  const auto sizes = emscripten::vecFromJSArray<double>(numbers);
  SymbolSizes out;
  for (size_t i = 0; i < symbols.size(); ++i) out[symbols[i]] = static_cast<int64_t>(sizes[i]);
  return out;
}

/// Buffer: an example per input; afterwards: as many inputs of other sizes. Gives {symbol: size}.
val verify_inputs(uint32_t handle, val names, val numbers) {
  return guarded([&] {
    const Graph& graph = *graphs().get(handle);
    CallReader reader;
    const std::vector<Tensor> examples = reader.operands(graph.inputs.size());
    const SymbolSizes sizes = second_sizes(graph, examples, sizes_from(names, numbers));
    write_tensors(second_inputs(graph, examples, sizes));
    val out = val::object();
    for (const auto& [symbol, size] : sizes) out.set(symbol, static_cast<double>(size));
    return out;
  });
}

/// Buffer: the inputs of the second run, then what the model gave. Gives {ok, outputs, firstNode, message}.
val verify_compare(uint32_t first, uint32_t second, val names, val numbers) {
  return guarded([&] {
    const Graph &graph = *graphs().get(first), &other = *graphs().get(second);
    CallReader reader;
    const std::vector<Tensor> operands = reader.operands(graph.inputs.size() + other.outputs.size());
    const std::span<const Tensor> all(operands);
    const size_t inputs = graph.inputs.size();
    VerifyReport report = compare_traces(graph, other, all.first(inputs), all.subspan(inputs));
    report.sizes = sizes_from(names, numbers);
    val out = val::object();
    out.set("ok", report.ok());
    val outputs = val::array();
    for (const Difference& each : report.outputs) outputs.call<void>("push", to_script(each));
    out.set("outputs", outputs);
    out.set("firstNode", report.first_node ? to_script(*report.first_node) : val::null());
    out.set("message", to_string(report));
    return out;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(verify) {
  using emscripten::function;
  function("verifyInputs", &verify_inputs);
  function("verifyCompare", &verify_compare);
}

}  // namespace onemodel::bindings
