#pragma once
// Results of PyTorch, written by scripts/make_goldens.py.

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "nn/module.h"
#include "ops/attribute.h"

namespace onemodel::test {

/// The object `section` ("modules") of tests/data/nn/goldens.json.
const nlohmann::json& golden_section(const std::string& section);
std::vector<std::string> golden_names(const std::string& section);
const nlohmann::json& golden(const std::string& section, const std::string& name);
/// A float32 tensor from {"shape": …, "data": …}.
Tensor golden_tensor(const nlohmann::json& value, DType dtype = DType::f32);
/// With its dtype: of null an undefined tensor, of a list one of int64.
Tensor golden_operand(const nlohmann::json& value);
std::map<std::string, Tensor> golden_tensors(const nlohmann::json& values);

/// The values of `fields` among `arguments`; throws ArgumentError for an argument that is no field.
std::vector<std::optional<AttributeValue>> golden_values(std::span<const FieldInfo> fields,
                                                         const nlohmann::json& arguments);
/// The module that PyTorch's is a golden of, of its class and arguments.
std::shared_ptr<nn::Module> golden_architecture(const nlohmann::json& golden);
/// The same with the golden's mode and state.
std::shared_ptr<nn::Module> golden_module(const nlohmann::json& golden);
/// The entry of `all` that is called `name`.
template <class Traits>
const Traits& named(std::span<const Traits> all, std::string_view name) {
  for (const Traits& traits : all)
    if (traits.name == name) return traits;
  throw ArgumentError(concat("nothing is called ", name));
}
/// One backward from all outputs: their products with the given gradients, added. Null: an output without gradient.
void golden_backward(const std::vector<Tensor>& outputs, const nlohmann::json& gradients);
}  // namespace onemodel::test
