#pragma once
// Results of PyTorch, written by scripts/make_goldens.py.

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/tensor.h"

namespace onemodel::test {

/// The object `section` ("modules") / `name` of tests/data/nn/goldens.json.
const nlohmann::json& golden(const std::string& section, const std::string& name);
/// A float32 tensor from {"shape": …, "data": …}.
Tensor golden_tensor(const nlohmann::json& value, DType dtype = DType::f32);
std::map<std::string, Tensor> golden_tensors(const nlohmann::json& values);

}  // namespace onemodel::test
