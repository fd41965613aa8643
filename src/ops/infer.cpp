#include "ops/infer.h"

#include "ops/shape_data.h"
#include "ops/size_mismatch.h"

namespace onemodel {

InferContext::InferContext(const OpTraits& traits, std::span<const TensorType> types, std::span<const Tensor> values,
                           size_t output_count)
    : traits_(traits), types_(types), values_(values), outputs_(output_count) {}

std::optional<std::vector<int64_t>> InferContext::ints(size_t i) const {
  const auto data = shape_data(i);
  if (!data) return {};
  std::vector<int64_t> out;
  for (const Extent& extent : *data) {
    if (!extent.is_number()) return {};
    out.push_back(extent.number());
  }
  return out;
}

std::optional<ShapeData> InferContext::shape_data(size_t i) const {
  if (i < data_.size() && data_[i]) return data_[i];
  const Tensor known = value(i);
  if (!known.defined()) return {};
  check<DTypeError>(is_integer(known.dtype()), "operand '", traits_.input(i).name, "' expects integers, got ", known);
  check(known.rank() <= 1, "operand '", traits_.input(i).name, "' expects one axis, got ", known);
  const Tensor list = known.dtype() == DType::i64 ? known.contiguous() : known.cast(DType::i64);
  const auto* numbers = list.raw_as<int64_t>();
  return ShapeData(numbers, numbers + list.numel());
}

void InferContext::set_shape_data(size_t i, ShapeData data) {
  if (data_.size() <= i) data_.resize(i + 1);
  data_[i] = std::move(data);
}

void InferContext::output_shape_data(size_t i, ShapeData data) {
  if (output_data_.size() <= i) output_data_.resize(i + 1);
  output_data_[i] = std::move(data);
}

const std::optional<ShapeData>& InferContext::output_shape_data(size_t i) const {
  static const std::optional<ShapeData> none;
  return i < output_data_.size() ? output_data_[i] : none;
}

void InferContext::check_dtype(bool ok, size_t i, std::string_view expected) const {
  check<DTypeError>(ok, "input '", traits_.input(i).name, "' expects ", expected, ", got ", dtype(i));
}

void InferContext::check_same_dtype(size_t a, size_t b) const {
  if (!has(a) || !has(b)) return;
  check<DTypeError>(dtype(a) == dtype(b), "inputs '", traits_.input(a).name, "' and '", traits_.input(b).name,
                    "' must have one dtype, got ", dtype(a), " and ", dtype(b));
}

Shape InferContext::broadcast(const Shape& a, const Shape& b) const {
  const bool a_longer = a.rank() >= b.rank();
  Shape out = a_longer ? a : b;
  const Shape& shorter = a_longer ? b : a;
  const size_t lead = out.rank() - shorter.rank();
  for (size_t i = 0; i < shorter.rank(); ++i) {
    Extent& x = out[lead + i];
    const Extent& y = shorter[i];
    if (x == y || y == Extent(1)) continue;
    if (x == Extent(1)) {
      x = y;
      continue;
    }
    const bool decidable = x.is_number() && y.is_number();
    if (tracing_ && !decidable && x.example() == y.example())
      throw SizeMismatch(concat(traits_.info.name, ": extents ", x, " and ", y,
                                " were equal in the example only (shapes ", a, " and ", b, ")"),
                         x, y);
    check(!decidable && !tracing_, "shapes ", a, " and ", b, " do not broadcast: axis ", lead + i, " has ", x, " and ",
          y);
    if (x.is_number()) continue;  // a symbol against a number above 1: at run time they are equal or an error
    if (y.is_number()) x = y;
  }
  return out;
}

Extent InferContext::unknown(std::string_view what) {
  return Extent::symbol(concat(label_.empty() ? traits_.info.name : std::string_view(label_), ".", what));
}

void InferContext::symbolic_error(std::string_view what) const {
  throw TraceError("SymbolicShape", concat(traits_.info.name, ": ", what));
}

const std::vector<TensorType>& infer(const Op& op, InferContext& context) {
  const OpTraits& traits = op.traits();
  const size_t least = traits.min_inputs();
  context.check<ArgumentError>(context.input_count() >= least, "expects at least ", least, " inputs, got ",
                               context.input_count());
  context.check<ArgumentError>(traits.is_variadic() || context.input_count() <= traits.inputs.size(),
                               "expects at most ", traits.inputs.size(), " inputs, got ", context.input_count());
  for (size_t i = 0; i < context.input_count(); ++i) {
    const Input& input = traits.input(i);
    context.check<ArgumentError>(context.has(i) || input.use == Input::optional, "input '", input.name, "' is missing");
    const bool is_stored = context.has(i) && (is_small(context.dtype(i)) || context.dtype(i) == DType::string);
    context.check_dtype(!is_stored || traits.info.takes_stored, i, "a type of arithmetic");
  }
  context.check<ArgumentError>(context.output_count() >= 1 && context.output_count() <= traits.outputs.size(), "has ",
                               traits.outputs.size(), " outputs, asked for ", context.output_count());
  try {
    traits.infer(op.data(), context);
  } catch (const UnknownLength&) {
    if (context.tracing()) throw;
  }
  return context.outputs();
}

}  // namespace onemodel
