// web/src/generated/operators.ts: a function for each operator.

#include <algorithm>

#include "generate/pages.h"
#include "generate/sample_facts.h"
#include "generate/script_text.h"
#include "ops/op_list.h"

namespace onemodel::generate {
namespace {

// A floating tensor that a sample gives for operand `i`; undefined when none does.
Tensor floating_example(std::span<const Sample> samples, size_t i) {
  for (const Sample& sample : samples)
    if (i < sample.inputs.size() && sample.inputs[i].defined() && is_floating(sample.inputs[i].dtype()))
      return sample.inputs[i];
  return {};
}

// Whether a sample gives a scalar for operand `i`.
bool is_scalar(std::span<const Sample> samples, size_t i) {
  return std::ranges::any_of(samples, [&](const Sample& sample) {
    return i < sample.inputs.size() && sample.inputs[i].defined() && sample.inputs[i].rank() == 0;
  });
}

// Whether an operand is of indices or lengths, as a list of integers is.
bool takes_indices(std::span<const Sample> samples, size_t i) {
  if (std::ranges::none_of(samples, [&](const Sample& sample) { return dtype_in(sample, i).has_value(); }))
    return false;
  const std::vector<DType> taken = taken_by(samples, sharing(samples, i));
  return std::ranges::count(taken, DType::i64) > 0 &&
         std::ranges::all_of(taken, [](DType d) { return d == DType::i32 || d == DType::i64; });
}

// Operands that decide shapes are integers, one or a list, but for those that samples give other numbers for.
std::string operand_type(const Input& input, std::span<const Sample> samples, size_t i) {
  if (input.use == Input::variadic) return "readonly Operand[]";
  const bool one = is_scalar(samples, i), floating = floating_example(samples, i).defined();
  if (!input.is_shape_data && takes_indices(samples, i)) return "IntegerOperand";
  if (!input.is_shape_data || (floating && one)) return "Operand";
  return floating ? "FloatOperand" : one ? "IndexOperand" : "IntegerOperand";
}

// What is written for an operand: a number or list says by itself only that it is one.
std::string marked(const std::string& type, const std::string& name) {
  if (type == "FloatOperand") return concat("floats(", name, ")");
  return type == "IndexOperand" ? concat("oneInteger(", name, ")") : name;
}

bool takes_list(std::string_view type) { return type != "Operand" && type != "readonly Operand[]"; }

// How many results are given unless the caller says: all, or as many parts as are asked for.
std::string output_count(const OpTraits& traits) {
  const bool parts = std::ranges::count(traits.fields, "num_outputs", &FieldInfo::name) > 0;
  return parts ? concat("partCount(", camel(traits.inputs[1].name), ", options)") : concat(traits.outputs.size());
}

std::string operator_function(const OpTraits& traits, size_t index, std::span<const Sample> samples) {
  const Sample& sample = samples.front();
  std::string parameters, operands, doc;
  for (size_t i = 0; i < traits.inputs.size(); ++i) {
    const Input& input = traits.inputs[i];
    const bool optional = input.use == Input::optional;
    const std::string type = operand_type(input, samples, i), name = camel(input.name);
    parameters += concat(parameters.empty() ? "" : ", ", name, optional ? "?" : "", ": ", type);
    if (input.use == Input::variadic)
      check(traits.inputs.size() == 1, traits.info.name, ": a list is not the only operand");
    operands += concat(operands.empty() ? "" : ", ", marked(type, name));
    doc += concat("\n * @param ", camel(input.name), " ", input.doc, optional ? " (optional)" : "");
  }
  if (!traits.is_variadic()) operands = concat("[", operands, "]");
  const bool required = std::ranges::any_of(traits.fields, &FieldInfo::required);
  const std::string attributes =
      traits.fields.empty() ? "" : concat(", ", values_text(traits.info.name, traits.fields));
  if (!traits.fields.empty())
    parameters += concat(parameters.empty() ? "" : ", ", "options: {\n", option_list(traits.fields), "  }",
                         required ? "" : " = {}");
  const std::string types = dtypes(samples);
  doc =
      concat(types.empty() ? "" : "\n * Dtypes: ", types, types.empty() ? "" : ".", "\n * ", example(sample), ".", doc);
  const bool several = sample.outputs > 1, further = !several && traits.outputs.size() > 1;
  if (several) parameters += concat(", outputs = ", output_count(traits));
  if (further) parameters += ", outputs?: N";
  if (several || further)
    doc += concat("\n * @param outputs how many results are wanted",
                  further ? concat(", at most ", traits.outputs.size(), "; the first alone when absent") : "");
  const std::string_view apply = several ? "applyOperator(" : further ? "applyWanted(" : "applyOne(";
  return concat("\n/**\n * ", traits.info.doc, ".\n * ONNX ", traits.info.name, ", opset ", traits.info.since, ".", doc,
                "\n */\nexport function ", camel(traits.info.name),
                further ? "<N extends number | undefined = undefined>(" : "(", parameters, "): ",
                further   ? "Wanted<N>"
                : several ? "Tensor[]"
                          : "Tensor",
                " {\n  return ", apply, index, ", ", operands, several || further ? ", outputs" : "", attributes,
                ");\n}\n");
}

}  // namespace

std::string operators_ts() {
  std::string body, names;
  const auto operators = all_operators();
  const std::vector<std::vector<Sample>> samples = good_samples();
  for (size_t i = 0; i < operators.size(); ++i) {
    const OpTraits& traits = *operators[i];
    if (traits.info.internal) continue;
    body += operator_function(traits, i, samples[i]);
    std::string inputs, fields;
    for (size_t at = 0; at < traits.inputs.size(); ++at)
      inputs += concat(inputs.empty() ? "" : ", ", "'", traits.inputs[at].name,
                       takes_list(operand_type(traits.inputs[at], samples[i], at)) ? "[]" : "", "'");
    for (const FieldInfo& field : traits.fields) fields += concat(fields.empty() ? "" : ", ", "'", field.name, "'");
    names +=
        concat("  ", traits.info.name, ": { index: ", i, ", inputs: [", inputs, "], attributes: [", fields, "] },\n");
  }
  return concat(
      "// Generated from src/ops by scripts/generate; do not edit.\n"
      "//\n"
      "// Each function throws ShapeError, DTypeError or ArgumentError, which name the operator, the argument, what "
      "was\n"
      "// expected and what was got. Dtypes are those that samples show for each operand that is no shape:\n"
      "// `floating` is float16, bfloat16, float32 and float64; `numeric` is everything but bool.\n\n"
      "import { valuesOf } from '../arguments.js';\n"
      "import { applyOne, applyOperator, applyWanted, type FloatOperand, floats, type IndexOperand, type "
      "IntegerOperand, "
      "oneInteger, "
      "type Operand, partCount, type Wanted } from '../call.js';\n"
      "import type { DType } from '../dtype.js';\n"
      "import type { Tensor } from '../tensor.js';\n\n"
      "/**\n * Every operator's index, and the names of its inputs and attributes in order; inputs that may be lists "
      "end in "
      "\"[]\".\n */\n"
      "export const operators: Record<\n"
      "  string,\n"
      "  { index: number; inputs: readonly string[]; attributes: readonly string[] }\n"
      "> = {\n",
      names, "};\n", body);
}

}  // namespace onemodel::generate
