#pragma once
// Every module and optimizer by name, with its constructor's arguments as data: what script bindings and the
// documentation are made from.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nn/module.h"
#include "nn/optimizer.h"
#include "ops/attribute.h"

namespace onemodel::nn {

/// One constructible class. Arguments are in PyTorch's order; those without `initial` and not optional are required.
struct ModuleTraits {
  std::string_view name, doc;
  std::vector<FieldInfo> arguments;
  bool several_outputs;  // forward gives more than one tensor
  std::shared_ptr<Module> (*make)(std::span<const std::optional<AttributeValue>> arguments);
};
std::span<const ModuleTraits> all_modules();

struct OptimizerTraits {
  std::string_view name, doc;
  std::vector<FieldInfo> arguments;
  std::unique_ptr<Optimizer> (*make)(std::vector<Tensor> parameters,
                                     std::span<const std::optional<AttributeValue>> arguments);
};
std::span<const OptimizerTraits> all_optimizers();

}  // namespace onemodel::nn
