#include "generate/sample_facts.h"

#include <algorithm>

#include "core/error.h"
#include "ops/op_list.h"

namespace onemodel::generate {
namespace {

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
        inputs[i] = dtype == DType::string ? Tensor::empty(inputs[i].dims(), dtype) : inputs[i].cast(dtype);
    infer_types(sample.op, inputs, sample.outputs);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Those of `dtypes` that some sample takes for these operands, all of one dtype.
template <class DTypes>
std::vector<DType> taken_of(const DTypes& dtypes, std::span<const Sample> samples,
                            const std::vector<size_t>& operands) {
  std::vector<DType> out;
  for (const DType dtype : dtypes)
    if (std::ranges::any_of(samples, [&](const Sample& sample) {
          return dtype_in(sample, operands.front()) && takes(sample, operands, dtype);
        }))
      out.push_back(dtype);
  return out;
}

std::string names_of(const std::vector<DType>& taken) {
  std::string out;
  for (const DType dtype : taken) out += concat(out.empty() ? "" : ", ", dtype);
  return out;
}

std::string arithmetic_dtypes(const std::vector<DType>& taken) {
  const auto all_of = [&](bool (*has)(DType)) {
    return std::ranges::all_of(kAllDTypes, [&](DType d) { return has(d) == (std::ranges::count(taken, d) > 0); });
  };
  if (all_of([](DType) { return true; })) return "any";
  if (all_of(is_numeric)) return "numeric";
  if (all_of(is_floating)) return "floating";
  if (all_of(is_integer)) return "integer";
  return names_of(taken);
}

std::string storage_dtypes(std::vector<DType> taken) {
  if (taken.size() == kStorageDTypes.size()) return "string, small";
  if (taken.size() + 1 == kStorageDTypes.size() && !std::ranges::count(taken, DType::string)) return "small";
  return names_of(taken);
}

// What these operands may be, in words.
std::string dtype_set(std::span<const Sample> samples, const std::vector<size_t>& operands) {
  const std::string arithmetic = arithmetic_dtypes(taken_of(kAllDTypes, samples, operands));
  const std::string storage = storage_dtypes(taken_of(kStorageDTypes, samples, operands));
  return concat(arithmetic, arithmetic.empty() || storage.empty() ? "" : ", ", storage);
}

}  // namespace

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

std::vector<TensorType> output_types(const Sample& sample) {
  return infer_types(sample.op, sample.inputs, sample.outputs);
}

std::optional<DType> dtype_in(const Sample& sample, size_t operand) {
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    if (sample.inputs[i].defined() && operand_of(sample.op.traits(), i) == operand) return sample.inputs[i].dtype();
  return {};
}

std::vector<DType> taken_by(std::span<const Sample> samples, const std::vector<size_t>& operands) {
  std::vector<DType> out = taken_of(kAllDTypes, samples, operands);
  return out.empty() ? taken_of(kStorageDTypes, samples, operands) : out;
}

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
    const std::string taken = dtype_set(samples, operands);
    const auto like = std::ranges::find(groups, taken, [](const auto& group) { return group.second; });
    if (like == groups.end())
      groups.emplace_back(operands, taken);
    else
      for (const size_t each : operands)
        if (!std::ranges::count(like->first, each)) like->first.push_back(each);
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
  for (const TensorType& type : output_types(sample)) out += concat(out.ends_with("gives ") ? "" : ", ", type);
  return out;
}

}  // namespace onemodel::generate
