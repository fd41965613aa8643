// Sessions.

#include "runtime/session.h"

#include <emscripten/bind.h>

#include "bindings/call_buffer.h"
#include "bindings/graphs.h"
#include "bindings/guard.h"
#include "bindings/handles.h"
#include "runtime/profiler.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

Handles<std::unique_ptr<Session>>& sessions() {
  static Handles<std::unique_ptr<Session>> table("session");
  return table;
}

uint32_t session_make(uint32_t graph, bool exact, bool optimize, val intermediates) {
  return guarded([&] {
    SessionOptions options;
    options.arithmetic = exact ? Arithmetic::exact : Arithmetic::fast;
    options.optimize = optimize;
    options.intermediates = emscripten::vecFromJSArray<std::string>(intermediates);
    return sessions().add(std::make_unique<Session>(*graphs().get(graph), options));
  });
}

val infos(const std::vector<ValueInfo>& list) {
  val out = val::array();
  for (const ValueInfo& info : list) {
    val entry = val::object();
    entry.set("name", info.name);
    entry.set("dtype", std::string(dtype_name(info.dtype)));
    val shape = val::array();
    for (const Extent& extent : info.shape) {
      if (extent.is_number())
        shape.call<void>("push", static_cast<double>(extent.number()));
      else
        shape.call<void>("push", extent.text());
    }
    entry.set("shape", shape);
    out.call<void>("push", entry);
  }
  return out;
}

/// Buffer: one operand per input, in order; afterwards: the outputs.
int session_run(uint32_t handle) {
  return guarded([&] {
    Session& session = *sessions().get(handle);
    CallReader reader;
    const std::vector<Tensor> feeds = reader.operands(session.inputs().size());
    return write_tensors(session.run(feeds));
  });
}

/// As session_run, with the time of each step as text.
std::string session_profile(uint32_t handle, int runs) {
  return guarded([&] {
    Session& session = *sessions().get(handle);
    CallReader reader;
    const std::vector<Tensor> feeds = reader.operands(session.inputs().size());
    Profiler profiler;
    RunOptions options;
    options.profiler = &profiler;
    for (int i = 0; i < runs; ++i) session.run(feeds, options);
    return to_string(profiler);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(session) {
  using emscripten::function;
  function("sessionMake", &session_make);
  function(
      "sessionInputs",
      +[](uint32_t handle) { return guarded([&] { return infos(sessions().get(handle)->inputs()); }); });
  function(
      "sessionOutputs",
      +[](uint32_t handle) { return guarded([&] { return infos(sessions().get(handle)->outputs()); }); });
  function("sessionRun", &session_run);
  function("sessionProfile", &session_profile);
  function(
      "sessionDescribe", +[](uint32_t handle) { return guarded([&] { return sessions().get(handle)->describe(); }); });
  function(
      "sessionArenaBytes", +[](uint32_t handle) {
        return guarded([&] { return static_cast<double>(sessions().get(handle)->arena_bytes()); });
      });
  function(
      "sessionRelease", +[](uint32_t handle) { sessions().release(handle); });
  function(
      "sessionCount", +[] { return sessions().live(); });
}

}  // namespace onemodel::bindings
