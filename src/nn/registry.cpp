#include "nn/registry.h"

#include "nn/adagrad.h"
#include "nn/adam.h"
#include "nn/adamw.h"
#include "nn/layers.h"
#include "nn/one_cycle.h"
#include "nn/rmsprop.h"
#include "nn/sgd.h"

namespace onemodel::nn {
namespace {

using Arguments = std::span<const std::optional<AttributeValue>>;

template <class M>
ModuleTraits module_traits() {
  constexpr bool several_outputs = std::is_base_of_v<RecurrentLayer, M> || std::is_same_v<LSTMCell, M>;
  return {M::kName,
          M::kDoc,
          field_infos<typename M::Options>(),
          several_outputs,
          std::is_same_v<MultiheadAttention, M>,
          [](Arguments arguments) -> std::shared_ptr<Module> {
            // Not make_shared: one way to count and to delete serves every class.
            std::unique_ptr<Module> made = std::make_unique<M>(from_values<typename M::Options>(M::kName, arguments));
            return made;
          }};
}

template <class O>
OptimizerTraits optimizer_traits() {
  return {O::kName, O::kDoc, field_infos<typename O::Options>(),
          [](std::vector<Tensor> parameters, Arguments arguments) -> std::unique_ptr<Optimizer> {
            return std::make_unique<O>(std::move(parameters), from_values<typename O::Options>(O::kName, arguments));
          }};
}

template <class S>
ScheduleTraits schedule_traits() {
  return {S::kName, S::kDoc, field_infos<typename S::Options>(),
          [](Optimizer& optimizer, Arguments arguments) -> std::unique_ptr<Schedule> {
            return std::make_unique<S>(optimizer, from_values<typename S::Options>(S::kName, arguments));
          }};
}

}  // namespace

std::span<const ModuleTraits> all_modules() {
  static const std::vector<ModuleTraits> modules = {
#define MODULE(M) module_traits<M>(),
#define OPTIMIZER(O)
#define SCHEDULE(S)
#include "nn/module_list.inc"
#undef MODULE
#undef OPTIMIZER
#undef SCHEDULE
  };
  return modules;
}

std::span<const OptimizerTraits> all_optimizers() {
  static const std::vector<OptimizerTraits> optimizers = {
#define MODULE(M)
#define OPTIMIZER(O) optimizer_traits<O>(),
#define SCHEDULE(S)
#include "nn/module_list.inc"
#undef MODULE
#undef OPTIMIZER
#undef SCHEDULE
  };
  return optimizers;
}

std::span<const ScheduleTraits> all_schedules() {
  static const std::vector<ScheduleTraits> schedules = {
#define MODULE(M)
#define OPTIMIZER(O)
#define SCHEDULE(S) schedule_traits<S>(),
#include "nn/module_list.inc"
#undef MODULE
#undef OPTIMIZER
#undef SCHEDULE
  };
  return schedules;
}

std::span<const FunctionTraits> all_functions() {
  static const std::vector<FunctionTraits> functions = [] {
    std::vector<FunctionTraits> all = loss_functions();
    for (auto part : {&tensor_functions, &layer_functions})
      for (FunctionTraits& each : part()) all.push_back(std::move(each));
    return all;
  }();
  return functions;
}

}  // namespace onemodel::nn
