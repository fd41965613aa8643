// The tracer.

#include "trace/tracer.h"

#include <emscripten/bind.h>

#include <optional>

#include "bindings/graphs.h"
#include "bindings/guard.h"
#include "bindings/handles.h"
#include "eager/record.h"
#include "eager/recording.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

std::unique_ptr<Tracer>& tracer() {
  static std::unique_ptr<Tracer> active;
  return active;
}

Tracer& active_tracer() {
  if (!tracer()) throw TraceError("InvalidUsage", "no trace is being recorded");
  return *tracer();
}

std::vector<std::string> strings(const val& list) { return emscripten::vecFromJSArray<std::string>(list); }

void trace_begin() {
  guarded([] { tracer() = std::unique_ptr<Tracer>(new Tracer(Tracer::begin())); });
}

uint32_t trace_input(const std::string& name, uint32_t example, val axes) {
  return guarded([&] { return tensors().add(active_tracer().input(name, tensors().get(example), strings(axes))); });
}

void trace_parameter(const std::string& name, uint32_t tensor, const std::string& kind) {
  guarded([&] {
    active_tracer().parameter(name, tensors().get(tensor),
                              constant_kind_from_name(kind).value_or(ConstantKind::parameter));
  });
}

/// {graph: handle, warnings: [text]}
val trace_finish(val outputs, val names) {
  return guarded([&] {
    std::vector<Tensor> list;
    for (uint32_t handle : emscripten::vecFromJSArray<uint32_t>(outputs)) list.push_back(tensors().get(handle));
    TracedModel model = active_tracer().finish(list, strings(names));
    tracer().reset();
    val out = val::object();
    out.set("graph", graphs().add(std::make_shared<const Graph>(std::move(model.graph))));
    val warnings = val::array();
    for (const std::string& warning : model.warnings) warnings.call<void>("push", warning);
    out.set("warnings", warnings);
    return out;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(trace) {
  using emscripten::function;
  function("traceBegin", &trace_begin);
  function("traceInput", &trace_input);
  function("traceParameter", &trace_parameter);
  function("traceFinish", &trace_finish);
  function(
      "traceAbandon", +[] { tracer().reset(); });
  function(
      "isTracing", +[] { return active_trace() != 0; });
  function(
      "pushModule", +[](const std::string& name) { push_module(name); });
  function("popModule", &pop_module);
  function("modulePath", &module_path);
}

}  // namespace onemodel::bindings
