#include "nn/goldens.h"

#include <fstream>
#include <vector>

namespace onemodel::test {

const nlohmann::json& golden(const std::string& section, const std::string& name) {
  static const nlohmann::json all = [] {
    std::ifstream file(std::string(ONEMODEL_TEST_DATA) + "/nn/goldens.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(section).at(name);
}

Tensor golden_tensor(const nlohmann::json& value, DType dtype) {
  const auto data = value.at("data").get<std::vector<double>>();
  return Tensor::from(std::span<const double>(data), value.at("shape").get<std::vector<int64_t>>()).cast(dtype);
}

std::map<std::string, Tensor> golden_tensors(const nlohmann::json& values) {
  std::map<std::string, Tensor> out;
  for (const auto& [name, value] : values.items()) out.emplace(name, golden_tensor(value));
  return out;
}

}  // namespace onemodel::test
