// Writes what follows from the declarations of operators, modules, optimizers and functions: docs/operators.md and
// web/src/generated/*.ts. Usage: om_generate DIRECTORY (the repository).

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <regex>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "nn/declarations.h"
#include "nn/layers.h"
#include "nn/registry.h"
#include "onnx/functions/families.h"
#include "onnx/opsets/rule.h"
#include "onnx/read_onnx.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/sample.h"

namespace onemodel {
namespace {

std::string camel(std::string_view name) {  // "MatMul" -> "matMul", "kernel_shape" -> "kernelShape"
  std::string out;
  bool raise = false;
  for (char c : name) {
    if (c == '_') {
      raise = !out.empty();
    } else {
      out += raise ? static_cast<char>(std::toupper(c)) : c;
      raise = false;
    }
  }
  out[0] = static_cast<char>(std::tolower(out[0]));
  return out;
}

// The words that are all a text may be, as its documentation lists them: "tanh or relu", "to float8e8m0: up, down or
// nearest; …", with the default among them where there is one; none for another text.
std::vector<std::string> words_of(const FieldInfo& field) {
  static const std::regex list(R"((?:^|: )("?[\w-]+"?(?:, "?[\w-]+"?)* or "?[\w-]+"?)(?:$|[;:,]))");
  static const std::regex word(R"([\w-]+)");
  std::cmatch found;
  const std::string_view doc = field.doc;
  if (!std::regex_search(doc.data(), doc.data() + doc.size(), found, list)) return {};
  std::vector<std::string> out;
  for (std::cregex_iterator each(found[1].first, found[1].second, word), end; each != end; ++each)
    if (each->str() != "or") out.push_back(each->str());
  const auto* initial = field.initial ? std::get_if<std::string>(&*field.initial) : nullptr;
  return !initial || std::ranges::count(out, *initial) ? out : std::vector<std::string>();
}

// "'tanh' | 'relu'".
std::string text_type(const FieldInfo& field) {
  std::string out;
  for (const std::string& word : words_of(field)) out += concat(out.empty() ? "" : " | ", "'", word, "'");
  return out.empty() ? "string" : out;
}

// A number stands for a list of one, and for all axes, but not where a list of several is the default.
std::string script_type(const FieldInfo& field) {
  const auto* reals = field.initial ? std::get_if<std::vector<double>>(&*field.initial) : nullptr;
  const std::string words = field.doc.find("\"same\"") == std::string_view::npos ? "" : " | 'same' | 'valid'";
  switch (field.kind) {
    case AttributeKind::integer:
    case AttributeKind::real: return "number" + words;
    case AttributeKind::text: return text_type(field);
    case AttributeKind::reals:
      if (reals && reals->size() == 2) return "readonly [number, number]";
      [[fallthrough]];
    case AttributeKind::integers: return "number | readonly number[]" + words;
    case AttributeKind::tensor: return "Tensor";
    case AttributeKind::boolean: return "boolean";
    case AttributeKind::dtype: return "DType";
  }
  return "never";
}

std::string initial_text(const FieldInfo& field) {
  if (field.required) return "required";
  if (!field.initial) return "none";
  if (field.kind == AttributeKind::dtype)
    return std::string(dtype_name(static_cast<DType>(std::get<int64_t>(*field.initial))));
  if (field.kind == AttributeKind::boolean) return std::get<int64_t>(*field.initial) ? "true" : "false";
  std::string out;
  append_value(out, *field.initial);
  return out;
}

std::string escaped(std::string_view text, char what, std::string_view with) {
  std::string out;
  for (char c : text)
    if (c == what)
      out += with;
    else
      out += c;
  return out;
}

// --- what an operator's samples show ----------------------------------------------------------------------------------

// The samples of each operator that run.
std::vector<std::vector<Sample>> good_samples() {
#define OP(T) samples_of<T>(),
  std::vector<std::vector<Sample>> all = {
#include "ops/op_list.inc"
  };
#undef OP
  for (std::vector<Sample>& samples : all)
    std::erase_if(samples, [](const Sample& each) { return !each.error.empty(); });
  return all;
}

std::vector<TensorType> infer_types(const Op& op, const std::vector<Tensor>& inputs, size_t outputs) {
  std::vector<TensorType> types;
  types.reserve(inputs.size());
  for (const Tensor& input : inputs)
    types.push_back(input.defined() ? TensorType{input.dtype(), Shape(input.dims())} : TensorType{});
  InferContext context(op.traits(), types, inputs, outputs);
  return infer(op, context);
}

// The operand that input `i` of a call is: those of a list are one.
size_t operand_of(const OpTraits& traits, size_t i) { return std::min(i, traits.inputs.size() - 1); }

// Whether the sample runs when these operands have that dtype.
bool takes(const Sample& sample, const std::vector<size_t>& operands, DType dtype) {
  std::vector<Tensor> inputs = sample.inputs;
  try {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].defined() && std::ranges::count(operands, operand_of(sample.op.traits(), i)))
        inputs[i] = inputs[i].cast(dtype);
    infer_types(sample.op, inputs, sample.outputs);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The dtype of an operand in a sample, if it is there.
std::optional<DType> dtype_in(const Sample& sample, size_t operand) {
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    if (sample.inputs[i].defined() && operand_of(sample.op.traits(), i) == operand) return sample.inputs[i].dtype();
  return {};
}

// What some sample takes for these operands, all of one dtype.
std::vector<DType> taken_by(std::span<const Sample> samples, const std::vector<size_t>& operands) {
  std::vector<DType> out;
  const auto add = [&](DType dtype) {
    if (std::ranges::any_of(samples, [&](const Sample& sample) {
          return dtype_in(sample, operands.front()) && takes(sample, operands, dtype);
        }))
      out.push_back(dtype);
  };
  for (const DType dtype : kAllDTypes) add(dtype);
  if (out.empty())
    for (const DType dtype : kStorageDTypes) add(dtype);
  return out;
}

// The operands that have one dtype with this one: itself alone when it may have another than they.
std::vector<size_t> sharing(std::span<const Sample> samples, size_t operand) {
  std::vector<size_t> out = {operand};
  const auto takes_another = [&](const Sample& sample) {
    const auto own = dtype_in(sample, operand);
    return own && std::ranges::any_of(kAllDTypes, [&](DType d) { return d != *own && takes(sample, out, d); });
  };
  if (std::ranges::any_of(samples, takes_another)) return out;
  const OpTraits& traits = samples.front().op.traits();
  for (size_t other = 0; other < traits.inputs.size(); ++other) {
    size_t together = 0;
    const bool same = std::ranges::all_of(samples, [&](const Sample& sample) {
      const auto a = dtype_in(sample, operand), b = dtype_in(sample, other);
      together += a && b;
      return !a || !b || *a == *b;
    });
    const bool decides_shapes = traits.inputs[other].is_shape_data && !traits.inputs[operand].is_shape_data;
    if (other != operand && together > 0 && same && !decides_shapes) out.push_back(other);
  }
  std::ranges::sort(out);
  return out;
}

std::string dtype_set(const std::vector<DType>& taken) {
  const auto all_of = [&](bool (*has)(DType)) {
    return std::ranges::all_of(kAllDTypes, [&](DType d) { return has(d) == (std::ranges::count(taken, d) > 0); });
  };
  if (all_of([](DType) { return true; })) return "any";
  if (all_of(is_numeric)) return "numeric";
  if (all_of(is_floating)) return "floating";
  if (all_of(is_integer)) return "integer";
  std::string out;
  for (const DType dtype : taken) out += concat(out.empty() ? "" : ", ", dtype);
  return out;
}

// What the samples show that operands may be: "floating", or "condition: bool; X, Y: any". Operands that decide shapes are
// left out where there are others.
std::string dtypes(std::span<const Sample> samples) {
  if (samples.empty() || samples.front().inputs.empty()) return "";
  const OpTraits& traits = samples.front().op.traits();
  std::vector<std::pair<std::vector<size_t>, std::string>> groups;
  for (size_t i = 0; i < traits.inputs.size(); ++i) {
    const bool seen =
        std::ranges::any_of(groups, [&](const auto& group) { return std::ranges::count(group.first, i); });
    const bool present =
        std::ranges::any_of(samples, [&](const Sample& each) { return dtype_in(each, i).has_value(); });
    if (seen || !present || (i > 0 && traits.inputs[i].is_shape_data)) continue;
    const std::vector<size_t> operands = sharing(samples, i);
    const std::string taken = dtype_set(taken_by(samples, operands));
    const auto like = std::ranges::find(groups, taken, [](const auto& group) { return group.second; });
    if (like == groups.end())
      groups.emplace_back(operands, taken);
    else
      like->first.insert(like->first.end(), operands.begin(), operands.end());
  }
  if (groups.size() == 1) return groups.front().second;
  std::string out;
  for (const auto& [operands, taken] : groups) {
    std::string names;
    for (const size_t i : operands) names += concat(names.empty() ? "" : ", ", traits.inputs[i].name);
    out += concat(out.empty() ? "" : "; ", names, ": ", taken);
  }
  return out;
}

// "Softmax(axis=1) of float32[2, 3] gives float32[2, 3]".
std::string example(const Sample& sample) {
  std::string out = concat(sample.op);
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor& input = sample.inputs[i];
    out += i == 0 ? " of " : ", ";
    if (!input.defined())
      out += "none";
    else
      out += sample.op.traits().input(i).is_shape_data ? to_string(input, 8) : concat(input);
  }
  out += " gives ";
  for (const TensorType& type : infer_types(sample.op, sample.inputs, sample.outputs))
    out += concat(out.ends_with("gives ") ? "" : ", ", type);
  return out;
}

// --- operators.ts ---------------------------------------------------------------------------------------------------

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

std::string names_of(std::span<const FieldInfo> fields) {
  std::string out;
  for (const FieldInfo& field : fields) out += concat(out.empty() ? "" : ", ", "'", camel(field.name), "'");
  return out;
}

std::string option_list(std::span<const FieldInfo> fields) {
  std::string out;
  for (const FieldInfo& field : fields)
    out += concat("    /** ", field.doc, "; ", initial_text(field), ". */\n    ", camel(field.name),
                  field.required ? "" : "?", ": ", script_type(field), ";\n");
  return out;
}

// "valuesOf('Softmax', options, ['axis'])": what was given for these fields, in order.
std::string values_text(std::string_view owner, std::span<const FieldInfo> fields) {
  return concat("valuesOf('", owner, "', options, [", names_of(fields), "])");
}

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

// --- modules.ts -----------------------------------------------------------------------------------------------------

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

std::string optimizer_class(const nn::OptimizerTraits& traits, size_t index) {
  return concat("\n/** Options of ", traits.name, ", for all parameters or for a group. */\nexport interface ",
                traits.name, "Options {\n", option_list(traits.arguments), "}\n\n/** ", traits.doc,
                " */\nexport class ", traits.name, " extends Optimizer<", traits.name,
                "Options> {\n  /** Groups have options of their own, and `options` for what they leave out. */\n"
                "  constructor(parameters: OptimizerParameters<",
                traits.name, "Options>, options: ", traits.name, "Options = {}) {\n    super(", index, ", [",
                names_of(traits.arguments), "], parameters, options);\n  }\n}\n");
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

// --- functional.ts, methods.ts --------------------------------------------------------------------------------------

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

// The module of each loss.
constexpr std::pair<std::string_view, std::string_view> kLossModules[] = {
    {"mse_loss", "MSELoss"},
    {"l1_loss", "L1Loss"},
    {"smooth_l1_loss", "SmoothL1Loss"},
    {"huber_loss", "HuberLoss"},
    {"binary_cross_entropy", "BCELoss"},
    {"binary_cross_entropy_with_logits", "BCEWithLogitsLoss"},
    {"kl_div", "KLDivLoss"},
    {"nll_loss", "NLLLoss"},
    {"cross_entropy", "CrossEntropyLoss"},
    {"ctc_loss", "CTCLoss"}};

std::string loss_class(const nn::FunctionTraits& traits) {
  const auto* found =
      std::ranges::find(kLossModules, traits.name, &std::pair<std::string_view, std::string_view>::first);
  check(found != std::end(kLossModules), traits.name, " has no module: see kLossModules");
  const std::string call = camel(traits.name);
  return concat("\n/** `", call, "` as a module. */\nexport class ", found->second,
                " extends LossModule {\n  constructor(options: Parameters<typeof losses.", call, ">[",
                traits.inputs.size(), "] = {}) {\n    super(losses.", call, ", options, [", names_of(traits.options),
                "]);\n  }\n}\n");
}

std::string losses_ts() {
  std::string body;
  for (const nn::FunctionTraits& traits : nn::loss_functions()) body += loss_class(traits);
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n\n"
      "import { LossModule } from '../nn/loss_module.js';\n"
      "import * as losses from './functional.js';\n",
      body);
}

std::string functional_ts() {
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n"
      "//\n"
      "// Each function throws ShapeError, DTypeError or ArgumentError, which name the argument, what was expected and "
      "what\n"
      "// was got. Losses of classes and sequences throw TraceError(UnsupportedOperation) while tracing.\n\n"
      "import { applyFunction, type Reduction } from '../functional.js';\n"
      "import type { Tensor } from '../tensor.js';\n",
      tensor_functions(false));
}

std::string methods_ts() {
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n"
      "//\n"
      "// What methods of tensors call.\n\n"
      "import { applyFunction } from '../functional.js';\n"
      "import type { Tensor } from '../tensor.js';\n",
      tensor_functions(true));
}

// --- declarations.ts ------------------------------------------------------------------------------------------------

std::string declarations_ts() {
  return concat(
      "// Generated by scripts/generate; do not edit.\n\n"
      "/** What the WebAssembly module must say of its operators and modules to fit this package. */\n"
      "export const declarations = ",
      nn::declarations_hash(), ";\n");
}

// --- docs/operators.md ----------------------------------------------------------------------------------------------

// The kernel that fast arithmetic chooses for a sample, whose operands but the first are constant or not.
std::string_view fast_kernel(const Sample& sample, bool constant) {
  std::vector<KernelRequest::Operand> inputs, outputs;
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor& x = sample.inputs[i];
    const bool is_known = (constant && i > 0) || sample.op.traits().input(i).is_shape_data;
    inputs.push_back(x.defined() ? KernelRequest::Operand{x.dtype(), x.dims(), is_known ? x : Tensor()}
                                 : KernelRequest::Operand{});
  }
  for (const TensorType& type : infer_types(sample.op, sample.inputs, sample.outputs))
    outputs.push_back({type.dtype, type.shape.dims(), {}});
  const KernelChoice choice = choose_kernel(sample.op, {inputs, outputs, Arithmetic::fast, {}});
  return choice.kernel ? choice.name : std::string_view();
}

// Those that the samples of an operator get.
std::string fast_kernels(std::span<const Sample> samples) {
  std::vector<std::string_view> names;
  std::string out;
  for (const Sample& sample : samples)
    for (const bool constant : {false, true}) {
      const std::string_view name = fast_kernel(sample, constant);
      if (name.empty() || std::ranges::find(names, name) != names.end()) continue;
      names.push_back(name);
      out += concat(out.empty() ? "" : ", ", "`", name, "`");
    }
  return out;
}

// Whether a rule turns forms of older opsets into today's.
bool has_older_forms(std::string_view name) {
  for (const auto rules : {broadcast_rules(), normalisation_rules(), resize_rules(), shape_rules(), element_rules()})
    if (std::ranges::count(rules, name, &OpsetRule::op)) return true;
  return false;
}

// One row. `exact` and `without_gradient` stand for what declarations do not say.
std::string row(const OpTraits& traits, std::span<const Sample> samples, std::string_view exact,
                std::string_view without_gradient) {
  std::string inputs, fields;
  for (const Input& input : traits.inputs) {
    const std::string_view mark = input.use == Input::optional ? "?" : input.use == Input::variadic ? "…" : "";
    inputs += concat(inputs.empty() ? "" : ", ", input.name, mark);
  }
  for (const FieldInfo& field : traits.fields)
    fields += concat(fields.empty() ? "" : ", ", "`", field.name, "` (", initial_text(field), ")");
  return concat("| ", traits.info.name, " | ", traits.info.since, "–", kNewestOnnxOpset,
                has_older_forms(traits.info.name) ? ", older ones converted" : "", " | ",
                escaped(traits.info.doc, '|', "\\|"), " | ", inputs, " | ", dtypes(samples), " | ", fields, " | ",
                without_gradient.empty() ? std::string("yes") : concat("no: ", without_gradient), " | ", exact, " | ",
                fast_kernels(samples), " | ", samples.empty() ? std::string() : example(samples.front()), " |\n");
}

std::string count_text(size_t least, size_t most) {
  if (least == most) return concat(least);
  return most == kAnyNumber ? concat(least, " or more") : concat(least, " to ", most);
}

// Those that the reader writes with operators.
std::string function_rows() {
  std::string out;
  for (const auto& family : kFunctionFamilies)
    for (const Function& function : family.functions())
      out += concat("| ", function.name, " | to ", kNewestOnnxOpset, " | a formula of other operators",
                    family.domain == "ai.onnx" ? "" : concat(", of domain ", family.domain), " | ",
                    count_text(function.least_inputs, function.most_inputs),
                    " | | | as the operators of the formula | as they | as they | |\n");
  return out;
}

std::string operators_md() {
  std::string out = concat(
      "# Operators\n\nGenerated from the declarations in `src/ops`, `src/graph` and `src/onnx/functions` by "
      "`scripts/generate`. One table: the operators in the order of\n`op_list.inc`, those that only sessions run "
      "(control flow, sequences and optionals, which come from files), and functions,\nwhich the reader writes with "
      "other operators.\n\n"
      "- **Opset**: since when the operator has the form declared here, to the newest that is read. Files of any opset "
      "from 1 on are read;\n  \"older ones converted\": a rule of `src/onnx/opsets` turns earlier forms into this "
      "one.\n"
      "- **Dtypes**: what the operator's samples show that operands may be, those that decide shapes left out: "
      "`floating` is float16,\n  bfloat16, float32 and float64; `integer` are those of 8 to 64 bits; `numeric` is "
      "both; "
      "`any` has bool as well. Operators that only move\n  elements take strings and numbers of at most 8 bits as "
      "well.\n"
      "- **Gradient**: \"no\" with the reason that the declaration gives.\n"
      "- **Exact**: whether there is a portable kernel, which gives the same bits everywhere.\n"
      "- **Fast kernel**: what fast arithmetic takes for sizes and dtypes that it knows, and else the exact one.\n\n"
      "| Operator | Opset | What it computes | Inputs | Dtypes | Attributes (default) | Gradient | Exact | Fast kernel "
      "| "
      "Example |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  std::string internal =
      "\n## Internal operators\n\nThey exist for gradients and fusions; no file has them.\n\n"
      "| Operator | What it computes | In a trace |\n|---|---|---|\n";
  const std::vector<std::vector<Sample>> samples = good_samples();
  size_t index = 0;
  for (const OpTraits* traits : all_operators()) {
    const std::vector<Sample>& of_operator = samples[index++];
    if (traits->info.internal)
      internal += concat("| ", traits->info.name, " | ", escaped(traits->info.doc, '|', "\\|"), " | ",
                         traits->info.untraceable, " |\n");
    else
      out += row(*traits, of_operator, traits->evaluate ? "yes" : "no", traits->not_differentiable);
  }
  for (const auto operators : {control_flow_operators(), container_operators()})
    for (const OpTraits* traits : operators)
      out += row(*traits, {}, "as its operands and graphs", "only sessions run it");
  return concat(out, function_rows(), internal);
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) std::cerr << "cannot write " << path << "\n";
  return file.good();
}

}  // namespace
}  // namespace onemodel

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: om_generate REPOSITORY\n";
    return 2;
  }
  const std::string root = argv[1];
  const bool ok = onemodel::write(root + "/docs/operators.md", onemodel::operators_md()) &&
                  onemodel::write(root + "/web/src/generated/declarations.ts", onemodel::declarations_ts()) &&
                  onemodel::write(root + "/web/src/generated/operators.ts", onemodel::operators_ts()) &&
                  onemodel::write(root + "/web/src/generated/modules.ts", onemodel::modules_ts()) &&
                  onemodel::write(root + "/web/src/generated/optimizers.ts", onemodel::optimizers_ts()) &&
                  onemodel::write(root + "/web/src/generated/functional.ts", onemodel::functional_ts()) &&
                  onemodel::write(root + "/web/src/generated/losses.ts", onemodel::losses_ts()) &&
                  onemodel::write(root + "/web/src/generated/methods.ts", onemodel::methods_ts());
  return ok ? 0 : 1;
}
