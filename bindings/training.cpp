// Losses and other functions, optimizers, schedules and gradient clipping.

#include <emscripten/bind.h>

#include "bindings/call_buffer.h"
#include "bindings/guard.h"
#include "bindings/handles.h"
#include "bindings/state.h"
#include "nn/clip_grad.h"
#include "nn/registry.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

struct HeldOptimizer {
  const nn::OptimizerTraits* traits = nullptr;
  std::shared_ptr<nn::Optimizer> optimizer;
};

// The schedule keeps its optimizer alive.
struct HeldSchedule {
  std::shared_ptr<nn::Optimizer> optimizer;
  std::unique_ptr<nn::Schedule> schedule;
};

Handles<HeldOptimizer>& held_optimizers() {
  static Handles<HeldOptimizer> table("optimizer");
  return table;
}
nn::Optimizer& optimizer_of(uint32_t handle) { return *held_optimizers().get(handle).optimizer; }

Handles<HeldSchedule>& held_schedules() {
  static Handles<HeldSchedule> table("schedule");
  return table;
}
nn::Schedule& schedule_of(uint32_t handle) { return *held_schedules().get(handle).schedule; }

/// Buffer: parameter handles, then the constructor's arguments.
uint32_t optimizer_make(uint32_t index, uint32_t parameters) {
  return guarded([&] {
    const nn::OptimizerTraits& traits = nn::all_optimizers()[index];
    CallReader reader;
    std::vector<Tensor> list = reader.operands(parameters);
    return held_optimizers().add({&traits, traits.make(std::move(list), reader.values(traits.name, traits.arguments))});
  });
}

/// Buffer: parameter handles, then the group's options.
void optimizer_add_group(uint32_t handle, uint32_t parameters) {
  guarded([&] {
    const HeldOptimizer& held = held_optimizers().get(handle);
    CallReader reader;
    std::vector<Tensor> list = reader.operands(parameters);
    held.optimizer->add_group(std::move(list), reader.values(held.traits->name, held.traits->arguments));
  });
}

val script_value(const FieldInfo& field, const AttributeValue& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return val::array(list->begin(), list->end());
  if (const auto* real = std::get_if<double>(&value)) return val(*real);
  const auto integer = std::get<int64_t>(value);
  return field.kind == AttributeKind::boolean ? val(integer != 0) : val(static_cast<double>(integer));
}

/// A group's options in the order of their declaration.
val optimizer_options(uint32_t handle, uint32_t group) {
  return guarded([&] {
    const HeldOptimizer& held = held_optimizers().get(handle);
    const auto values = held.optimizer->option_values(group);
    val out = val::array();
    for (size_t i = 0; i < values.size(); ++i)
      out.call<void>("push", values[i] ? script_value(held.traits->arguments[i], *values[i]) : val::undefined());
    return out;
  });
}

/// Buffer: a group's options; those that are absent stay.
void optimizer_set_options(uint32_t handle, uint32_t group) {
  guarded([&] {
    const HeldOptimizer& held = held_optimizers().get(handle);
    CallReader reader;
    held.optimizer->set_option_values(group, reader.values(held.traits->name, held.traits->arguments));
  });
}

/// Buffer: the constructor's arguments.
uint32_t schedule_make(uint32_t index, uint32_t of) {
  return guarded([&] {
    const nn::ScheduleTraits& traits = nn::all_schedules()[index];
    const std::shared_ptr<nn::Optimizer> optimizer = held_optimizers().get(of).optimizer;
    CallReader reader;
    return held_schedules().add({optimizer, traits.make(*optimizer, reader.values(traits.name, traits.arguments))});
  });
}

val schedule_rates(uint32_t handle) {
  return guarded([&] {
    const std::vector<double> rates = schedule_of(handle).last_rates();
    return val::array(rates.begin(), rates.end());
  });
}

/// Buffer: tensors, then options.
uint32_t call_function(uint32_t index, uint32_t inputs) {
  return guarded([&] {
    const nn::FunctionTraits& traits = nn::all_functions()[index];
    CallReader reader;
    std::vector<Tensor> given = reader.operands(inputs, traits.name, traits.inputs);
    given.resize(traits.inputs.size());
    for (size_t i = 0; i < given.size(); ++i)
      check<ArgumentError>(given[i].defined() || traits.inputs[i].use == Input::optional, traits.name, ": ",
                           traits.inputs[i].name, " is missing");
    return tensors().add(traits.call(traits.name, given, reader.values(traits.name, traits.options)));
  });
}

/// Buffer: parameter handles.
double clip_grad_norm(uint32_t parameters, double max_norm, double norm_type) {
  return guarded([&] {
    CallReader reader;
    return nn::clip_grad_norm(reader.operands(parameters), max_norm, norm_type);
  });
}

/// Buffer: parameter handles.
void clip_grad_value(uint32_t parameters, double clip_value) {
  guarded([&] {
    CallReader reader;
    nn::clip_grad_value(reader.operands(parameters), clip_value);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(training) {
  using emscripten::function;
  function("optimizerMake", &optimizer_make);
  function("optimizerAddGroup", &optimizer_add_group);
  function(
      "optimizerStep", +[](uint32_t handle) { guarded([&] { optimizer_of(handle).step(); }); });
  function(
      "optimizerZeroGrad", +[](uint32_t handle) { guarded([&] { optimizer_of(handle).zero_grad(); }); });
  function("optimizerOptions", &optimizer_options);
  function("optimizerSetOptions", &optimizer_set_options);
  function(
      "optimizerState",
      +[](uint32_t handle) { return guarded([&] { return state_to_script(optimizer_of(handle).state_dict()); }); });
  function(
      "optimizerStateProblems", +[](uint32_t handle, val state) {
        return guarded([&] { return optimizer_of(handle).state_problems(state_from_script(state)); });
      });
  function(
      "optimizerLoadState", +[](uint32_t handle, val state) {
        guarded([&] { optimizer_of(handle).load_state_dict(state_from_script(state)); });
      });
  function(
      "optimizerRelease", +[](uint32_t handle) { held_optimizers().release(handle); });
  function(
      "optimizerCount", +[] { return held_optimizers().live(); });

  function("scheduleMake", &schedule_make);
  function(
      "scheduleStep", +[](uint32_t handle) { guarded([&] { schedule_of(handle).step(); }); });
  function(
      "scheduleEpoch",
      +[](uint32_t handle) { return guarded([&] { return static_cast<double>(schedule_of(handle).last_epoch()); }); });
  function("scheduleRates", &schedule_rates);
  function(
      "scheduleState",
      +[](uint32_t handle) { return guarded([&] { return state_to_script(schedule_of(handle).state_dict()); }); });
  function(
      "scheduleStateProblems", +[](uint32_t handle, val state) {
        return guarded([&] { return schedule_of(handle).state_problems(state_from_script(state)); });
      });
  function(
      "scheduleLoadState", +[](uint32_t handle, val state) {
        guarded([&] { schedule_of(handle).load_state_dict(state_from_script(state)); });
      });
  function(
      "scheduleRelease", +[](uint32_t handle) { held_schedules().release(handle); });
  function(
      "scheduleCount", +[] { return held_schedules().live(); });

  function("callFunction", &call_function);
  function("clipGradNorm", &clip_grad_norm);
  function("clipGradValue", &clip_grad_value);
}

}  // namespace onemodel::bindings
