// web/src/generated/modules.ts and optimizers.ts: a class for each module, optimizer and schedule.

#include "generate/pages.h"
#include "generate/script_text.h"
#include "nn/layers.h"
#include "nn/registry.h"

namespace onemodel::generate {
namespace {

// Arguments in PyTorch's order: the required ones by position, the others as options.
std::string class_text(std::string_view name, std::string_view doc, std::span<const FieldInfo> arguments,
                       std::string_view first, std::string_view base, size_t index, std::string_view leading) {
  std::string parameters(first), values, docs;
  std::vector<FieldInfo> options;
  for (const FieldInfo& argument : arguments) {
    const std::string id = camel(argument.name);
    if (!argument.required) {
      options.push_back(argument);
      continue;
    }
    check(options.empty(), name, ": ", argument.name, " is required, but follows an option");
    parameters += concat(parameters.empty() ? "" : ", ", id, ": ", script_type(argument));
    docs += concat("\n   * @param ", id, " ", argument.doc);
    values += concat(values.empty() ? "" : ", ", id);
  }
  const std::string type = options.empty() ? "Record<string, never>" : concat("{\n", option_list(options), "  }");
  parameters += concat(parameters.empty() ? "" : ", ", "options: ", type, " = {}");
  const std::string given = values_text(name, options);
  values = values.empty() ? given : concat("[", values, ", ...", given, "]");
  return concat("\n/** ", doc, " */\nexport class ", name, " extends ", base, " {\n", docs.empty() ? "" : "  /**", docs,
                docs.empty() ? "" : "\n   */\n", "  constructor(", parameters, ") {\n    super(", index, leading, ", ",
                values, ");\n  }\n}\n");
}

// Whether a module takes one tensor and gives one.
bool is_layer(std::string_view name) {
#define MODULE(M) \
  if (name == nn::M::kName) return std::is_base_of_v<nn::Layer<nn::M, nn::M::Options>, nn::M>;
#define OPTIMIZER(O)
#define SCHEDULE(S)
#include "nn/module_list.inc"
#undef MODULE
#undef OPTIMIZER
#undef SCHEDULE
  return false;
}

// "NativeModuleOfSeveral<[Tensor, Tensor]>", by what a small one of these modules gives.
std::string base_of_several(const nn::ModuleTraits& traits) {
  std::vector<std::optional<AttributeValue>> arguments;
  for (const FieldInfo& argument : traits.arguments)
    arguments.push_back(argument.required ? std::optional<AttributeValue>(int64_t{2}) : std::nullopt);
  const Tensor x = Tensor::full({1, 2}, 0.0, DType::f32);  // of layers one without a batch
  std::string out;
  for (size_t left = traits.make(arguments)->forward(std::vector{x}).size(); left > 0; --left)
    out += concat(out.empty() ? "" : ", ", "Tensor");
  return concat("NativeModuleOfSeveral<[", out, "]>");
}

std::string base_of(const nn::ModuleTraits& traits) {
  if (traits.attends) return "NativeAttention";
  if (traits.several_outputs) return base_of_several(traits);
  return is_layer(traits.name) ? "NativeLayer" : "NativeModule";
}

std::string optimizer_class(const nn::OptimizerTraits& traits, size_t index) {
  return concat("\n/** Options of ", traits.name, ", for all parameters or for a group. */\nexport interface ",
                traits.name, "Options {\n", option_list(traits.arguments), "}\n\n/** ", traits.doc,
                " */\nexport class ", traits.name, " extends Optimizer<", traits.name,
                "Options> {\n  /** Groups have options of their own, and `options` for what they leave out. */\n"
                "  constructor(parameters: OptimizerParameters<",
                traits.name, "Options>, options: ", traits.name, "Options = {}) {\n    super(", index, ", [",
                names_of(traits.arguments), "], parameters, options);\n  }\n}\n");
}

}  // namespace

std::string modules_ts() {
  std::string body;
  const auto modules = nn::all_modules();
  for (size_t i = 0; i < modules.size(); ++i)
    if (modules[i].name != "Sequential")
      body += class_text(modules[i].name, modules[i].doc, modules[i].arguments, "", base_of(modules[i]), i, "");
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n\n"
      "import { valuesOf } from '../arguments.js';\n"
      "import { NativeAttention, NativeLayer, NativeModule, NativeModuleOfSeveral } from '../nn/native_module.js';\n"
      "import type { Tensor } from '../tensor.js';\n",
      body);
}

std::string optimizers_ts() {
  std::string body;
  const auto optimizers = nn::all_optimizers();
  for (size_t i = 0; i < optimizers.size(); ++i) body += optimizer_class(optimizers[i], i);
  const auto schedules = nn::all_schedules();
  for (size_t i = 0; i < schedules.size(); ++i)
    body += class_text(schedules[i].name, schedules[i].doc, schedules[i].arguments, "optimizer: Optimizer",
                       "LRScheduler", i, ", optimizer");
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n\n"
      "import { valuesOf } from '../arguments.js';\n"
      "import { Optimizer, type OptimizerParameters } from '../optimizer.js';\n"
      "import { LRScheduler } from '../schedule.js';\n",
      body);
}

}  // namespace onemodel::generate
