#include "nn/registry.h"

#include "nn/adagrad.h"
#include "nn/adam.h"
#include "nn/adamw.h"
#include "nn/layers.h"
#include "nn/recurrent.h"
#include "nn/rmsprop.h"
#include "nn/sgd.h"

namespace onemodel::nn {
namespace {

using Arguments = std::span<const std::optional<AttributeValue>>;

template <class M>
ModuleTraits module_traits() {
  constexpr bool several_outputs = std::is_base_of_v<RecurrentLayer, M>;
  return {M::kName, M::kDoc, field_infos<typename M::Options>(), several_outputs,
          [](Arguments arguments) -> std::shared_ptr<Module> {
            return std::make_shared<M>(from_values<typename M::Options>(M::kName, arguments));
          }};
}

template <class O>
OptimizerTraits optimizer_traits() {
  return {O::kName, O::kDoc, field_infos<typename O::Options>(),
          [](std::vector<Tensor> parameters, Arguments arguments) -> std::unique_ptr<Optimizer> {
            return std::make_unique<O>(std::move(parameters), from_values<typename O::Options>(O::kName, arguments));
          }};
}

}  // namespace

std::span<const ModuleTraits> all_modules() {
  static const std::vector<ModuleTraits> modules = {
#define MODULE(M) module_traits<M>(),
#define OPTIMIZER(O)
#include "nn/module_list.inc"
#undef MODULE
#undef OPTIMIZER
  };
  return modules;
}

std::span<const OptimizerTraits> all_optimizers() {
  static const std::vector<OptimizerTraits> optimizers = {
#define MODULE(M)
#define OPTIMIZER(O) optimizer_traits<O>(),
#include "nn/module_list.inc"
#undef MODULE
#undef OPTIMIZER
  };
  return optimizers;
}

}  // namespace onemodel::nn
