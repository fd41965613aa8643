#pragma once
// Every module, optimizer, schedule and function by name, with its arguments as data: what script bindings and the
// documentation are made from.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nn/module.h"
#include "nn/optimizer.h"
#include "nn/schedule.h"
#include "ops/op.h"

namespace onemodel::nn {

/// One constructible class. Arguments are in PyTorch's order; those without `initial` and not optional are required.
struct ModuleTraits {
  std::string_view name;
  Doc doc;
  std::vector<FieldInfo> arguments;
  bool several_outputs;  // forward gives more than one tensor
  bool attends;          // a MultiheadAttention, which can also give its weights
  std::shared_ptr<Module> (*make)(std::span<const std::optional<AttributeValue>> arguments);
};
std::span<const ModuleTraits> all_modules();

struct OptimizerTraits {
  std::string_view name;
  Doc doc;
  std::vector<FieldInfo> arguments;
  /// With one group of parameters.
  std::unique_ptr<Optimizer> (*make)(std::vector<Tensor> parameters,
                                     std::span<const std::optional<AttributeValue>> arguments);
};
std::span<const OptimizerTraits> all_optimizers();

struct ScheduleTraits {
  std::string_view name;
  Doc doc;
  std::vector<FieldInfo> arguments;
  std::unique_ptr<Schedule> (*make)(Optimizer& optimizer, std::span<const std::optional<AttributeValue>> arguments);
};
std::span<const ScheduleTraits> all_schedules();

/// A function of tensors: these by position (inputs marked as shape data are lists of integers), then options.
struct FunctionTraits {
  enum Kind : uint8_t {
    loss,
    functional,  // of torch.nn.functional, beside losses
    method       // of tensors
  };
  std::string_view name;
  Doc doc;
  std::span<const Input> inputs;
  std::vector<FieldInfo> options;
  /// `name` is the function's own; all inputs but optional ones are defined.
  Tensor (*call)(std::string_view name, std::span<const Tensor> inputs,
                 std::span<const std::optional<AttributeValue>> options);
  Kind kind = loss;
};
std::span<const FunctionTraits> all_functions();
/// The parts of that list: losses, functions of values, and those of layers.
std::vector<FunctionTraits> loss_functions();
std::vector<FunctionTraits> tensor_functions();
std::vector<FunctionTraits> layer_functions();

}  // namespace onemodel::nn
