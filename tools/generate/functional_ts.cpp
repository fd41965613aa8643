// web/src/generated/functional.ts and methods.ts: the functions of tensors that are no operators.

#include "generate/pages.h"
#include "generate/script_text.h"
#include "nn/registry.h"

namespace onemodel::generate {
namespace {

std::string function_options(const nn::FunctionTraits& traits) {
  std::string out;
  for (const FieldInfo& field : traits.options) {
    if (field.required) continue;
    const std::string type = field.name != "reduction"                          ? script_type(field)
                             : field.doc.find("batchmean") != std::string::npos ? "Reduction | 'batchmean'"
                                                                                : "Reduction";
    out +=
        concat("    /** ", field.doc, "; ", initial_text(field), ". */\n    ", camel(field.name), "?: ", type, ";\n");
  }
  return out;
}

std::string input_mark(const Input& input) {
  return input.use == Input::optional ? "?" : input.is_shape_data ? "[]" : "";
}

std::string tensor_function(const nn::FunctionTraits& traits, size_t index, std::string_view suffix) {
  std::string parameters, operands, docs, inputs;
  for (const Input& input : traits.inputs) {
    const std::string name = camel(input.name);
    const bool optional = input.use == Input::optional;
    parameters += concat(name, optional ? "?" : "", ": ",
                         input.is_shape_data ? "Tensor | number | readonly number[]"
                         : optional          ? "Tensor | null"
                                             : "Tensor",
                         ", ");
    operands += concat(operands.empty() ? "" : ", ", name);
    inputs += concat(inputs.empty() ? "" : ", ", "'", name, input_mark(input), "'");
    docs += concat("\n * @param ", name, " ", input.doc, optional ? " (optional)" : "");
  }
  // What is required follows the tensors.
  std::string required;
  std::vector<FieldInfo> fields;
  for (const FieldInfo& field : traits.options) {
    if (!field.required) {
      fields.push_back(field);
      continue;
    }
    check(fields.empty(), traits.name, ": ", field.name, " is required, but follows an option");
    const std::string name = camel(field.name);
    parameters += concat(name, ": ", script_type(field), ", ");
    required += concat(required.empty() ? "" : ", ", name);
    docs += concat("\n * @param ", name, " ", field.doc);
  }
  const std::string options = function_options(traits);
  const std::string declaration =
      concat("{ name: '", traits.name, "', inputs: [", inputs, "], options: [", names_of(fields), "] }");
  return concat("\n/**\n * ", traits.doc, ".", docs, "\n */\nexport function ", camel(traits.name), suffix, "(",
                options.empty() ? parameters.substr(0, parameters.size() - 2) : parameters,
                options.empty() ? "" : concat("options: {\n", options, "  } = {}"),
                "): Tensor {\n  return applyFunction(", index, ", ", declaration, ", [", operands, "], ",
                options.empty() ? "{}" : "options", required.empty() ? "" : concat(", { ", required, " }"), ");\n}\n");
}

std::string tensor_functions(bool methods) {
  std::string out;
  const auto functions = nn::all_functions();
  for (size_t i = 0; i < functions.size(); ++i)
    if ((functions[i].kind == nn::FunctionTraits::method) == methods)
      out += tensor_function(functions[i], i, methods ? "Of" : "");
  return out;
}

}  // namespace

std::string functional_ts() {
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n"
      "//\n"
      "// Each function throws ShapeError, DTypeError or ArgumentError, which name the argument, what was expected and "
      "what\n"
      "// was got. Losses of classes and sequences throw TraceError(UnsupportedOperation) while tracing.\n\n"
      "import { applyFunction, type Reduction } from '../apply_function.js';\n"
      "import type { Tensor } from '../tensor.js';\n",
      tensor_functions(false));
}

std::string methods_ts() {
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n"
      "//\n"
      "// What methods of tensors call.\n\n"
      "import { applyFunction } from '../apply_function.js';\n"
      "import type { Tensor } from '../tensor.js';\n",
      tensor_functions(true));
}

}  // namespace onemodel::generate
