// Sessions of exported programs.

#include "export/program_session.h"

#include <emscripten/bind.h>

#include "bindings/call_buffer.h"
#include "bindings/guard.h"
#include "bindings/programs.h"
#include "bindings/sessions.h"
#include "bindings/state.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

Handles<std::unique_ptr<ProgramSession>>& program_sessions() {
  static Handles<std::unique_ptr<ProgramSession>> table("session");
  return table;
}

/// `shared`: the session whose state this one shares; 0: it has its own.
uint32_t program_session_make(uint32_t program, uint32_t shared, bool exact, bool optimize, val intermediates) {
  return guarded([&] {
    ProgramSessionOptions options;
    options.session = session_options(exact, optimize, intermediates);
    if (shared) options.share_state_with = program_sessions().get(shared).get();
    return program_sessions().add(std::make_unique<ProgramSession>(*programs().get(program), options));
  });
}

/// Buffer: `count` feeds, in order unless there are `names`; afterwards: the outputs.
int program_session_run(uint32_t handle, uint32_t count, val names) {
  return guarded([&] {
    ProgramSession& session = *program_sessions().get(handle);
    CallReader reader;
    const std::vector<Tensor> given = reader.operands(count);
    if (names.isNull()) return write_tensors(session.run(given));
    const auto named = emscripten::vecFromJSArray<std::string>(names);
    std::vector<Feed> feeds;
    for (size_t i = 0; i < named.size(); ++i) feeds.push_back({named[i], given[i]});
    return write_tensors(session.run(feeds));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(program_session) {
  using emscripten::function;
  function("programSessionMake", &program_session_make);
  function(
      "programSessionValues", +[](uint32_t handle) {
        return guarded([&] {
          const ProgramSession& session = *program_sessions().get(handle);
          val out = val::object();
          out.set("inputs", infos(session.inputs()));
          out.set("outputs", infos(session.outputs()));
          return out;
        });
      });
  function("programSessionRun", &program_session_run);
  function(
      "programSessionState", +[](uint32_t handle) {
        return guarded([&] { return state_to_script(program_sessions().get(handle)->state_dict()); });
      });
  function(
      "programSessionLoadState", +[](uint32_t handle, val state) {
        guarded([&] { program_sessions().get(handle)->load_state_dict(state_from_script(state)); });
      });
  function(
      "programSessionDescribe",
      +[](uint32_t handle) { return guarded([&] { return program_sessions().get(handle)->describe(); }); });
  function(
      "programSessionRelease", +[](uint32_t handle) { program_sessions().release(handle); });
  function(
      "programSessionCount", +[] { return program_sessions().live(); });
}

}  // namespace onemodel::bindings
