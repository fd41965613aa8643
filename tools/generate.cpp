// Writes what follows from the declarations of operators, modules, optimizers and losses: docs/operators.md and
// web/src/generated/*.ts. Usage: om_generate DIRECTORY (the repository).

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "nn/declarations.h"
#include "nn/registry.h"
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

// A number stands for a list of one, and for all axes, but not where a list of several is the default.
std::string script_type(const FieldInfo& field) {
  const auto* reals = field.initial ? std::get_if<std::vector<double>>(&*field.initial) : nullptr;
  switch (field.kind) {
    case AttributeKind::integer:
    case AttributeKind::real: return "number";
    case AttributeKind::text: return "string";
    case AttributeKind::reals:
      if (reals && reals->size() > 1) return "readonly number[]";
      [[fallthrough]];
    case AttributeKind::integers: return "number | readonly number[]";
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

bool takes(const Sample& sample, DType dtype) {
  std::vector<Tensor> inputs = sample.inputs;
  try {
    for (Tensor& input : inputs)
      if (input.defined() && input.dtype() == sample.inputs[0].dtype()) input = input.cast(dtype);
    infer_types(sample.op, inputs, sample.outputs);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What the first operand, and all that share its dtype, may be.
std::string dtypes(const Sample& sample) {
  if (sample.inputs.empty()) return "";
  std::vector<DType> taken;
  for (const DType dtype : kAllDTypes)
    if (takes(sample, dtype)) taken.push_back(dtype);
  const auto all_of = [&](bool (*has)(DType)) {
    return std::ranges::all_of(kAllDTypes, [&](DType d) { return has(d) == (std::ranges::count(taken, d) > 0); });
  };
  if (all_of([](DType) { return true; })) return "any";
  if (all_of(is_numeric)) return "numeric";
  if (all_of(is_floating)) return "floating";
  if (taken.empty())
    for (const DType dtype : kStorageDTypes)
      if (takes(sample, dtype)) taken.push_back(dtype);
  std::string out;
  for (const DType dtype : taken) out += concat(out.empty() ? "" : ", ", dtype);
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

// Operands that decide shapes are integers, one or a list, but for those that samples give other numbers for.
std::string operand_type(const Input& input, std::span<const Sample> samples, size_t i) {
  if (input.use == Input::variadic) return "readonly Operand[]";
  const bool one = is_scalar(samples, i), floating = floating_example(samples, i).defined();
  if (!input.is_shape_data || (floating && one)) return "Operand";
  return floating ? "FloatOperand" : one ? "IndexOperand" : "IntegerOperand";
}

// What is written for an operand: a number or list says by itself only that it is one.
std::string marked(const std::string& type, const std::string& name) {
  if (type == "FloatOperand") return concat("floats(", name, ")");
  return type == "IndexOperand" ? concat("oneInteger(", name, ")") : name;
}

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
  const std::string types = dtypes(sample);
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
    for (const Input& input : traits.inputs) inputs += concat(inputs.empty() ? "" : ", ", "'", input.name, "'");
    for (const FieldInfo& field : traits.fields) fields += concat(fields.empty() ? "" : ", ", "'", field.name, "'");
    names +=
        concat("  ", traits.info.name, ": { index: ", i, ", inputs: [", inputs, "], attributes: [", fields, "] },\n");
  }
  return concat(
      "// Generated from src/ops by scripts/generate; do not edit.\n"
      "//\n"
      "// Each function throws ShapeError, DTypeError or ArgumentError, which name the operator, the argument, what "
      "was\n"
      "// expected and what was got. Dtypes are those of the first operand and of all that must share its dtype:\n"
      "// `floating` is float16, bfloat16, float32 and float64; `numeric` is everything but bool.\n\n"
      "import { valuesOf } from '../arguments.js';\n"
      "import { applyOne, applyOperator, applyWanted, type FloatOperand, floats, type IndexOperand, type "
      "IntegerOperand, "
      "oneInteger, "
      "type Operand, partCount, type Wanted } from '../call.js';\n"
      "import type { DType } from '../dtype.js';\n"
      "import type { Tensor } from '../tensor.js';\n\n"
      "/** Every operator's index, and the names of its inputs and attributes in order. */\n"
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

std::string modules_ts() {
  std::string body;
  const auto modules = nn::all_modules();
  for (size_t i = 0; i < modules.size(); ++i)
    if (modules[i].name != "Sequential")
      body += class_text(modules[i].name, modules[i].doc, modules[i].arguments, "",
                         modules[i].attends           ? "NativeAttention"
                         : modules[i].several_outputs ? "NativeModuleOfSeveral"
                                                      : "NativeModule",
                         i, "");
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n\n"
      "import { valuesOf } from '../arguments.js';\n"
      "import { NativeAttention, NativeModule, NativeModuleOfSeveral } from '../nn/native_module.js';\n",
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

// --- losses.ts ------------------------------------------------------------------------------------------------------

std::string loss_option_list(const nn::LossTraits& traits) {
  std::string out;
  for (const FieldInfo& field : traits.options) {
    const std::string type = field.name != "reduction"                          ? script_type(field)
                             : field.doc.find("batchmean") != std::string::npos ? "Reduction | 'batchmean'"
                                                                                : "Reduction";
    out +=
        concat("    /** ", field.doc, "; ", initial_text(field), ". */\n    ", camel(field.name), "?: ", type, ";\n");
  }
  return out;
}

std::string loss_function(const nn::LossTraits& traits, size_t index) {
  std::string parameters, operands, docs;
  for (const Input& input : traits.inputs) {
    const std::string name = camel(input.name);
    parameters += concat(name, ": ", input.is_shape_data ? "Tensor | readonly number[]" : "Tensor", ", ");
    operands += concat(operands.empty() ? "" : ", ", name);
    docs += concat("\n * @param ", name, " ", input.doc);
  }
  return concat("\n/**\n * ", traits.doc, ".", docs, "\n */\nexport function ", camel(traits.name), "(", parameters,
                "options: {\n", loss_option_list(traits), "  } = {}): Tensor {\n  return applyLoss(", index,
                ", losses[", index, "], [", operands, "], options);\n}\n");
}

std::string losses_ts() {
  std::string table, body;
  const auto losses = nn::all_losses();
  for (size_t i = 0; i < losses.size(); ++i) {
    std::string inputs;
    for (const Input& input : losses[i].inputs)
      inputs += concat(inputs.empty() ? "" : ", ", "'", camel(input.name), "'");
    table += concat("  { name: '", losses[i].name, "', inputs: [", inputs, "], options: [", names_of(losses[i].options),
                    "] },\n");
    body += loss_function(losses[i], i);
  }
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n"
      "//\n"
      "// Each loss throws ShapeError, DTypeError or ArgumentError, which name the argument, what was expected and "
      "what\n"
      "// was got. Those of classes and sequences throw TraceError(UnsupportedOperation) while tracing.\n\n"
      "import { applyLoss, type Reduction } from '../loss.js';\n"
      "import type { Tensor } from '../tensor.js';\n\n"
      "/** Names in the order in which the engine takes them. */\n"
      "const losses = [\n",
      table, "] as const;\n", body);
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

// A row each of operators that have no samples.
std::string session_rows(std::span<const OpTraits* const> operators) {
  std::string out;
  for (const OpTraits* traits : operators)
    out += concat("| ", traits->info.name, " | ", traits->info.since, " | ", traits->info.doc, " |\n");
  return out;
}

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

std::string operators_md() {
  std::string out =
      "# Operators\n\nGenerated from the declarations in `src/ops` by `scripts/generate`.\n\n"
      "Dtypes are those of the first operand and of all that must share its dtype: `floating` is float16, bfloat16,\n"
      "float32 and float64; `numeric` is everything but bool. Operators that only move elements take strings and "
      "numbers of\nat most 8 bits as well. Every operator has exact arithmetic; where a fast kernel is named, fast "
      "arithmetic takes it for\nsizes and dtypes that it knows, and else the exact one.\n\n"
      "| Operator | Opset | What it computes | Inputs | Dtypes | Attributes (default) | Gradient | Fast kernel | "
      "Example |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  std::string internal =
      "\n## Internal operators\n\nThey exist for gradients and fusions; no file has them.\n\n"
      "| Operator | What it computes | In a trace |\n|---|---|---|\n";
  const std::vector<std::vector<Sample>> samples = good_samples();
  size_t index = 0;
  for (const OpTraits* traits : all_operators()) {
    const std::vector<Sample>& of_operator = samples[index++];
    const Sample& sample = of_operator.front();
    const std::string doc = escaped(traits->info.doc, '|', "\\|");
    if (traits->info.internal) {
      internal += concat("| ", traits->info.name, " | ", doc, " | ", traits->info.untraceable, " |\n");
      continue;
    }
    std::string inputs, fields;
    for (const Input& input : traits->inputs) {
      const std::string_view mark = input.use == Input::optional ? "?" : input.use == Input::variadic ? "…" : "";
      inputs += concat(inputs.empty() ? "" : ", ", input.name, mark);
    }
    for (const FieldInfo& field : traits->fields)
      fields += concat(fields.empty() ? "" : ", ", "`", field.name, "` (", initial_text(field), ")");
    out += concat("| ", traits->info.name, " | ", traits->info.since, " | ", doc, " | ", inputs, " | ", dtypes(sample),
                  " | ", fields, " | ",
                  traits->not_differentiable.empty() ? std::string("yes") : concat("no: ", traits->not_differentiable),
                  " | ", fast_kernels(of_operator), " | ", example(sample), " |\n");
  }
  return concat(
      out,
      "\n## Operators that only sessions run\n\nControl flow, sequences and optionals (`src/graph`). They come from "
      "files; there is no eager call and no gradient.\n\n| Operator | Opset | What it computes |\n|---|---|---|\n",
      session_rows(control_flow_operators()), session_rows(container_operators()), internal);
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
                  onemodel::write(root + "/web/src/generated/losses.ts", onemodel::losses_ts());
  return ok ? 0 : 1;
}
