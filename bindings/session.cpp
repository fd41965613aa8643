// Sessions.

#include "runtime/session.h"

#include <emscripten/bind.h>
#include <emscripten/em_macros.h>

#include <algorithm>

#include "bindings/call_buffer.h"
#include "bindings/graphs.h"
#include "bindings/guard.h"
#include "bindings/handles.h"
#include "bindings/sessions.h"
#include "runtime/profiler.h"

namespace onemodel::bindings {

using emscripten::val;

SessionOptions session_options(bool exact, bool optimize, const val& intermediates) {
  SessionOptions options;
  options.arithmetic = exact ? Arithmetic::exact : Arithmetic::fast;
  options.optimize = optimize;
  options.intermediates = emscripten::vecFromJSArray<std::string>(intermediates);
  return options;
}

constexpr std::string_view kHolds[] = {"tensor", "sequence", "optional_tensor", "optional_sequence"};

val infos(const std::vector<ValueInfo>& list) {
  val out = val::array();
  for (const ValueInfo& info : list) {
    val entry = val::object();
    entry.set("name", info.name);
    entry.set("dtype", std::string(dtype_name(info.dtype)));
    entry.set("shape", shape_of(info.shape));
    entry.set("hasRank", info.has_rank);
    entry.set("holds", std::string(kHolds[static_cast<size_t>(info.holds)]));
    entry.set("optional", info.initial.defined());
    out.call<void>("push", entry);
  }
  return out;
}

namespace {

Handles<std::unique_ptr<Session>>& sessions() {
  static Handles<std::unique_ptr<Session>> table("session");
  return table;
}

uint32_t session_make(uint32_t graph, bool exact, bool optimize, val intermediates) {
  return guarded([&] {
    return sessions().add(
        std::make_unique<Session>(*graphs().get(graph), session_options(exact, optimize, intermediates)));
  });
}

constexpr double kTensor = -2, kNothing = -1;

/// One of: -2 and a handle; -1 for nothing; n and n handles of a sequence.
Item read_item(CallReader& reader) {
  const auto tensor = [&] { return tensors().get(static_cast<uint32_t>(reader.next())); };
  const double tag = reader.next();
  if (tag == kTensor) return tensor();
  if (tag == kNothing) return {};
  std::vector<Tensor> sequence;
  for (auto n = static_cast<size_t>(tag); n > 0; --n) sequence.push_back(tensor());
  return sequence;
}

/// As `read_item` reads them.
void write_items(std::span<const Item> items) {
  size_t numbers = 0;
  for (const Item& item : items) numbers += 2 + (item.sequence ? item.sequence->size() : 0);
  check<ArgumentError>(numbers <= kCallBufferLength, "a run gave more than ", kCallBufferLength, " tensors");
  double* to = call_buffer();
  for (const Item& item : items) {
    *to++ = item.tensor.defined() ? kTensor : item.sequence ? static_cast<double>(item.sequence->size()) : kNothing;
    if (item.tensor.defined()) *to++ = tensors().add(item.tensor);
    for (size_t i = 0; item.sequence && i < item.sequence->size(); ++i) *to++ = tensors().add((*item.sequence)[i]);
  }
}

bool is_tensor(const ValueInfo& info) { return info.holds == Holds::tensor; }
bool only_tensors(const Session& session) {
  return std::ranges::all_of(session.inputs(), is_tensor) && std::ranges::all_of(session.outputs(), is_tensor);
}

std::vector<Item> run(Session& session, std::span<const Item> inputs, const RunOptions& options) {
  const auto is_sequence = [](const Item& item) { return item.sequence != nullptr; };
  if (!only_tensors(session) || std::ranges::any_of(inputs, is_sequence)) return session.run_items(inputs, options);
  std::vector<Tensor> feeds;
  for (const Item& input : inputs) feeds.push_back(input.tensor);
  const std::vector<Tensor> results = session.run(feeds, options);
  return {results.begin(), results.end()};
}

std::vector<Item> read_inputs(const Session& session) {
  CallReader reader;
  std::vector<Item> inputs;
  for (size_t i = 0; i < session.inputs().size(); ++i) inputs.push_back(read_item(reader));
  return inputs;
}

/// Buffer: an item per input, in order; afterwards: one per wanted output. `outputs`: their names, all when there are none.
/// `cancelled` and `progress` are functions or null, and throw nothing.
void session_run(uint32_t handle, val outputs, val cancelled, val progress) {
  guarded([&] {
    Session& session = *sessions().get(handle);
    const std::vector<Item> inputs = read_inputs(session);
    RunOptions options;
    options.outputs = emscripten::vecFromJSArray<std::string>(outputs);
    if (!cancelled.isNull()) options.cancelled = [&] { return cancelled().as<bool>(); };
    if (!progress.isNull())
      options.progress = [&](size_t done, size_t steps) {
        progress(static_cast<double>(done), static_cast<double>(steps));
      };
    write_items(run(session, inputs, options));
  });
}

/// As session_run of all outputs, unwatched; past Embind as applyOperator is.
extern "C" EMSCRIPTEN_KEEPALIVE void sessionRunAll(uint32_t handle) {
  guarded([&] {
    Session& session = *sessions().get(handle);
    write_items(run(session, read_inputs(session), {}));
  });
}

/// As session_run, of all outputs: {steps: [{node, op, kernel, modulePath, runs, microseconds}], text}.
val session_profile(uint32_t handle, int runs) {
  return guarded([&] {
    Session& session = *sessions().get(handle);
    const std::vector<Item> inputs = read_inputs(session);
    Profiler profiler;
    RunOptions options;
    options.profiler = &profiler;
    for (int i = 0; i < runs; ++i) run(session, inputs, options);
    val steps = val::array();
    for (const Profiler::Entry& entry : profiler.entries()) {
      val step = val::object();
      step.set("node", entry.node);
      step.set("op", entry.op);
      step.set("kernel", entry.kernel);
      step.set("modulePath", entry.module_path);
      step.set("runs", static_cast<double>(entry.runs));
      step.set("microseconds", 1e6 * entry.seconds / static_cast<double>(entry.runs));
      steps.call<void>("push", step);
    }
    val out = val::object();
    out.set("steps", steps);
    out.set("text", to_string(profiler));
    return out;
  });
}

/// A copy of what optional input `name` has when it is not fed.
uint32_t session_default(uint32_t handle, const std::string& name) {
  return guarded([&] {
    for (const ValueInfo& input : sessions().get(handle)->inputs())
      if (input.name == name && input.initial.defined()) return tensors().add(input.initial.clone());
    throw ArgumentError(concat("no optional input is called '", name, "'"));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(session) {
  using emscripten::function;
  function("sessionMake", &session_make);
  function(
      "sessionName", +[](uint32_t handle) { return guarded([&] { return sessions().get(handle)->name(); }); });
  function(
      "sessionInputs",
      +[](uint32_t handle) { return guarded([&] { return infos(sessions().get(handle)->inputs()); }); });
  function(
      "sessionOutputs",
      +[](uint32_t handle) { return guarded([&] { return infos(sessions().get(handle)->outputs()); }); });
  function("sessionRun", &session_run);
  function("sessionDefault", &session_default);
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
