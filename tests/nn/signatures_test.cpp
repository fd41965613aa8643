// Arguments against PyTorch's: names, order and defaults, of modules, functions, optimizers and schedules.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "nn/goldens.h"
#include "nn/registry.h"

namespace onemodel::nn {
namespace {

using Names = std::set<std::string, std::less<>>;

const nlohmann::json& signatures(const std::string& section) {
  static const nlohmann::json all = [] {
    std::ifstream file(std::string(ONEMODEL_TEST_DATA) + "/nn/signatures.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(section);
}

// Arguments of PyTorch that are not taken; script refuses them by name, as every other option that does not exist.
const Names kNotTaken = {"device", "dtype", "inplace", "foreach", "maximize", "differentiable", "capturable", "fused",
                         "verbose", "last_epoch", "out", "proj_size", "antialias", "max_norm", "norm_type",
                         "scale_grad_by_freq", "sparse", "_weight", "return_indices", "divisor_override",
                         "recompute_scale_factor",
                         // Deprecated there.
                         "size_average", "reduce", "min_value", "max_value",
                         // What only some lack.
                         "ConvTranspose1d.padding_mode", "ConvTranspose2d.padding_mode", "ConvTranspose3d.padding_mode",
                         "OneCycleLR.epochs", "OneCycleLR.steps_per_epoch"};
// What the version that wrote the signatures does not have yet, or tells in another way.
const Names kNewer = {"LayerNorm.bias", "TransformerEncoderLayer.bias", "TransformerDecoderLayer.bias",
                      "RNN.nonlinearity"};
// Defaults that differ from those of that version.
const Names kOtherDefaults = {"OneCycleLR.total_steps",  // there from epochs, when it is left out
                              "Softmax.dim",
                              "LogSoftmax.dim",
                              "Softmin.dim",
                              "softmin.dim",  // PyTorch guesses an axis and warns
                              "batch_norm.running_mean",
                              "batch_norm.running_var",  // there given, or None
                              "SGD.lr"};                 // 1e-3 since PyTorch 2.2

bool equals(const AttributeValue& ours, const nlohmann::json& theirs) {
  if (const auto* text = std::get_if<std::string>(&ours)) return theirs == *text;
  if (const auto* list = std::get_if<std::vector<double>>(&ours))
    return theirs.is_array() ? theirs.get<std::vector<double>>() == *list
                             : list->size() == 1 && theirs == list->front();
  if (const auto* list = std::get_if<std::vector<int64_t>>(&ours))
    return std::all_of(list->begin(), list->end(), [&](int64_t each) { return theirs == each; });
  const double number =
      std::holds_alternative<double>(ours) ? std::get<double>(ours) : static_cast<double>(std::get<int64_t>(ours));
  if (theirs.is_boolean()) return number == static_cast<double>(theirs.get<bool>());
  return theirs.is_number() && std::abs(theirs.get<double>() - number) <= 1e-12 * std::abs(number);
}

bool same_default(const FieldInfo& ours, const nlohmann::json& theirs) {
  if (!theirs.contains("default")) return ours.required;
  const auto& value = theirs.at("default");
  return value.is_null() ? !ours.initial && !ours.required : ours.initial && equals(*ours.initial, value);
}

void compare(std::string_view owner, std::span<const FieldInfo> arguments, const nlohmann::json& theirs) {
  const auto of_owner = [&](std::string_view argument) { return concat(owner, ".", argument); };
  size_t next = 0;
  for (const FieldInfo& argument : arguments) {
    if (kNewer.contains(of_owner(argument.name))) continue;
    while (next < theirs.size() && theirs[next].at("name") != argument.name) {
      const auto skipped = theirs[next++].at("name").get<std::string>();
      EXPECT_TRUE(kNotTaken.contains(skipped) || kNotTaken.contains(of_owner(skipped))) << of_owner(skipped);
    }
    ASSERT_LT(next, theirs.size()) << of_owner(argument.name) << " is none of PyTorch's, or in another place";
    if (!kOtherDefaults.contains(of_owner(argument.name))) {
      EXPECT_TRUE(same_default(argument, theirs[next])) << of_owner(argument.name) << ": " << theirs[next];
    }
    ++next;
  }
  for (; next < theirs.size(); ++next) {
    const auto left = theirs[next].at("name").get<std::string>();
    EXPECT_TRUE(kNotTaken.contains(left) || kNotTaken.contains(of_owner(left))) << of_owner(left);
  }
}

TEST(Signatures, OfModulesArePyTorchs) {
  for (const ModuleTraits& traits : all_modules())
    compare(traits.name, traits.arguments, signatures("modules").at(std::string(traits.name)));
}

// The first argument is what is optimised, or the optimizer.
nlohmann::json without_first(nlohmann::json arguments) {
  arguments.erase(0);
  return arguments;
}

TEST(Signatures, OfOptimizersAndSchedulesArePyTorchs) {
  for (const OptimizerTraits& traits : all_optimizers())
    compare(traits.name, traits.arguments, without_first(signatures("optimizers").at(std::string(traits.name))));
  for (const ScheduleTraits& traits : all_schedules())
    compare(traits.name, traits.arguments, without_first(signatures("schedules").at(std::string(traits.name))));
}

TEST(Signatures, OfFunctionsArePyTorchs) {
  size_t compared = 0;
  for (const FunctionTraits& traits : all_functions()) {
    const auto found = signatures("functions").find(std::string(traits.name));
    if (found == signatures("functions").end()) continue;  // PyTorch does not tell
    std::vector<FieldInfo> arguments;
    for (const Input& input : traits.inputs)
      arguments.push_back({input.name, "", AttributeKind::tensor, false, input.use == Input::required, {}});
    arguments.insert(arguments.end(), traits.options.begin(), traits.options.end());
    compare(traits.name, arguments, *found);
    ++compared;
  }
  EXPECT_GE(compared, 28u);
}

}  // namespace
}  // namespace onemodel::nn
