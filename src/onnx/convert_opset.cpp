#include "onnx/convert_opset.h"

#include <utility>

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

constexpr std::span<const OpsetRule> (*kRuleFamilies[])() = {broadcast_rules, normalisation_rules, resize_rules,
                                                             shape_rules, element_rules};

// Until opset 6 it told which operands might be overwritten.
constexpr int64_t kFirstWithoutConsumedInputs = 6;

}  // namespace

std::string_view newest_name(std::string_view type) {
  if (type == "Scatter") return "ScatterElements";
  return type == "Upsample" ? "Resize" : type;
}

void convert_opset(FileNode node, int64_t opset, ConversionHost& host) {
  if (opset < kFirstWithoutConsumedInputs) node.attributes.erase("consumed_inputs");
  const std::string type = node.type;
  for (const auto& family : kRuleFamilies) {
    for (const OpsetRule& rule : family()) {
      if (rule.op != type || opset >= rule.until) continue;
      rule.convert(node, opset, host);
      if (node.type.empty()) return;
    }
  }
  attributes_to_operands(node, host);
  host.emit(std::move(node));
}

Tensor constant_of(const FileNode& node) {
  if (node.attributes.size() != 1)
    throw ModelError("Malformed", concat("a Constant has one attribute, got ", node.attributes.size()));
  const auto& [name, value] = *node.attributes.begin();
  const auto* integers = std::get_if<std::vector<int64_t>>(&value);
  const auto* reals = std::get_if<std::vector<double>>(&value);
  const auto* integer = std::get_if<int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* tensor = std::get_if<Tensor>(&value);
  if ((name == "value" || name == "sparse_value") && tensor) return *tensor;
  if (name == "value_int" && integer) return Tensor::scalar(*integer);
  if (name == "value_float" && real) return Tensor::scalar(static_cast<float>(*real));
  if (name == "value_ints" && integers) return Tensor::from_ints(*integers);
  if (name == "value_floats" && reals) {
    const std::vector<float> floats(reals->begin(), reals->end());
    return Tensor::from(std::span<const float>(floats), {static_cast<int64_t>(floats.size())});
  }
  if (name == "value_strings" && tensor) return *tensor;
  if (name == "value_string")
    if (const auto* text = std::get_if<std::string>(&value))
      return Tensor::from(std::span<const std::string>(text, 1), {});
  throw ModelError("Malformed", concat("attribute '", name, "' is not a constant's value"));
}

}  // namespace onemodel
