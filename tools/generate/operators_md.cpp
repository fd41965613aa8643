// docs/operators.md: a row for each operator.

#include <algorithm>

#include "generate/pages.h"
#include "generate/sample_facts.h"
#include "generate/script_text.h"
#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "onnx/functions/families.h"
#include "onnx/opsets/rule.h"
#include "onnx/read_onnx.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel::generate {
namespace {

std::string escaped(std::string_view text, char what, std::string_view with) {
  std::string out;
  for (char c : text)
    if (c == what)
      out += with;
    else
      out += c;
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
  for (const TensorType& type : output_types(sample)) outputs.push_back({type.dtype, type.shape.dims(), {}});
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

std::string gradient_text(const OpTraits& traits) {
  return traits.not_differentiable.empty() ? std::string("yes") : concat("no: ", traits.not_differentiable);
}

// One row. `exact` stands for what declarations do not say.
std::string row(const OpTraits& traits, std::span<const Sample> samples, std::string_view exact) {
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
                gradient_text(traits), " | ", exact, " | ", fast_kernels(samples), " | ",
                samples.empty() ? std::string() : example(samples.front()), " |\n");
}

std::string count_text(size_t least, size_t most) {
  if (least == most) return concat(least);
  return most == kAnyNumber ? concat(least, " or more") : concat(least, " to ", most);
}

// Those that the reader writes with operators, or refuses.
std::string function_rows() {
  std::string out;
  for (const auto& family : kFunctionFamilies)
    for (const Function& function : family.functions()) {
      const std::string does =
          function.build ? std::string("a formula of other operators") : concat("refused: ", function.refused);
      out += concat("| ", function.name, " | to ", kNewestOnnxOpset, " | ", does,
                    family.domain == "ai.onnx" ? "" : concat(", of domain ", family.domain), " | ",
                    count_text(function.least_inputs, function.most_inputs),
                    function.build ? " | those of the formula's operators | | as they | as they | as they | |\n"
                                   : " | | | | | | |\n");
    }
  return out;
}

}  // namespace

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
      "`any` has bool as well; `small` are\n  the numbers of at most 8 bits that are stored and converted only, "
      "float8, float4, and integers of 2 and 4 bits.\n"
      "- **Gradient**: \"no\" with the reason that the declaration gives.\n"
      "- **Exact**: whether there is a portable kernel, which gives the same bits everywhere.\n"
      "- **Fast kernel**: what fast arithmetic takes for sizes and dtypes that it knows, and else the exact one.\n\n"
      "| Operator | Opset | What it computes | Inputs | Dtypes | Attributes (default) | Gradient | Exact | Fast kernel "
      "| "
      "Example |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  std::string internal =
      "\n## Internal operators\n\nThey exist for gradients and fusions; no file has them.\n\n"
      "| Operator | What it computes | Gradient | In a trace |\n|---|---|---|---|\n";
  const std::vector<std::vector<Sample>> samples = good_samples();
  size_t index = 0;
  for (const OpTraits* traits : all_operators()) {
    const std::vector<Sample>& of_operator = samples[index++];
    if (traits->info.internal)
      internal += concat("| ", traits->info.name, " | ", escaped(traits->info.doc, '|', "\\|"), " | ",
                         gradient_text(*traits), " | ", traits->info.untraceable, " |\n");
    else
      out += row(*traits, of_operator, traits->evaluate ? "yes" : "no");
  }
  for (const auto operators : {control_flow_operators(), container_operators()})
    for (const OpTraits* traits : operators) out += row(*traits, {}, "as its operands and graphs");
  return concat(out, function_rows(), internal);
}

}  // namespace onemodel::generate
