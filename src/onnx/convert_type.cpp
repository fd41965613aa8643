#include "onnx/convert_type.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "onnx/convert_tensor.h"

namespace onemodel {
namespace {

// Sizes are added and multiplied in 64 bits, also those inside a name.
constexpr size_t kMostDigits = 15;
constexpr size_t kShownName = 80;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void check_symbol(std::string_view text) {
  size_t digits = 0, most = 0;
  for (const char c : text) most = std::max(most, digits = is_digit(c) ? digits + 1 : 0);
  if (text.empty() || most > kMostDigits)
    throw ModelError("Malformed", concat("'", text.substr(0, kShownName), "' cannot name a size"));
}

// The factors of "2*batch*(n + 1)"; nothing when `text` is not a product.
std::optional<std::vector<std::string_view>> factors_of(std::string_view text) {
  std::vector<std::string_view> factors;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '*';
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) return {};
    if (depth > 0) continue;
    if (c == ' ') return {};
    if (c != '*') continue;
    if (i == begin) return {};
    factors.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (depth != 0 || factors.size() < 2) return {};
  return factors;
}

bool encloses(std::string_view factor) {
  if (!factor.starts_with('(') || !factor.ends_with(')')) return false;
  int depth = 0;
  for (size_t i = 0; i + 1 < factor.size(); ++i) {
    depth += factor[i] == '(' ? 1 : factor[i] == ')' ? -1 : 0;
    if (depth == 0) return false;
  }
  return factor.size() > 2;
}

const onnx::TypeProto::Tensor* tensor_type(const onnx::ValueInfoProto& proto) {
  return proto.has_type() && proto.type().has_tensor_type() ? &proto.type().tensor_type() : nullptr;
}

std::optional<Extent> extent_of(const onnx::TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value() && dim.dim_value() >= 0) return Extent(dim.dim_value());
  if (dim.has_dim_param() && !dim.dim_param().empty()) return extent_from_text(dim.dim_param());
  return {};
}

}  // namespace

Extent extent_from_text(std::string_view text) {
  check_symbol(text);
  const auto factors = factors_of(text);
  if (!factors) return Extent::symbol(std::string(text));
  Extent product = 1;
  for (std::string_view factor : *factors) {
    if (std::all_of(factor.begin(), factor.end(), is_digit)) {
      int64_t number = 0;
      std::from_chars(factor.data(), factor.data() + factor.size(), number);
      product = product * Extent(number);
    } else {
      if (encloses(factor)) factor = factor.substr(1, factor.size() - 2);
      product = product * Extent::symbol(std::string(factor));
    }
  }
  return product;
}

TensorType loosely_declared_type(const onnx::ValueInfoProto& proto) {
  const auto* type = tensor_type(proto);
  if (!type || !type->has_shape() || type->shape().dim_size() > static_cast<int>(kMaxRank)) return {};
  TensorType out{dtype_from_onnx(type->elem_type()), {}};
  for (int i = 0; i < type->shape().dim_size(); ++i) {
    const auto extent = extent_of(type->shape().dim(i));
    out.shape.push_back(extent ? *extent : Extent::symbol(concat(proto.name(), "_dim_", i)));
  }
  return out;
}

TensorType input_type_from_onnx(const onnx::ValueInfoProto& proto) {
  if (proto.type().has_optional_type()) {
    onnx::ValueInfoProto inner;
    inner.set_name(proto.name());
    *inner.mutable_type() = proto.type().optional_type().elem_type();
    return input_type_from_onnx(inner);
  }
  const auto* type = tensor_type(proto);
  if (!type) throw ModelError("Unsupported", "only tensors are supported");
  if (type->shape().dim_size() > static_cast<int>(kMaxRank))
    throw ModelError("Unsupported", concat("rank ", type->shape().dim_size(), " is above ", kMaxRank));
  return loosely_declared_type(proto);
}

TensorType declared_type_from_onnx(const onnx::ValueInfoProto& proto) {
  const auto* type = tensor_type(proto);
  if (!type || !type->has_shape() || type->shape().dim_size() > static_cast<int>(kMaxRank)) return {};
  TensorType out;
  for (const auto& dim : type->shape().dim()) {
    const auto extent = extent_of(dim);
    if (!extent) return {};
    out.shape.push_back(*extent);
  }
  out.dtype = dtype_from_onnx(type->elem_type());
  return out;
}

Holds holds_from_onnx(const onnx::TypeProto& proto) {
  const auto holds_tensors = [](const onnx::TypeProto& inner) {
    if (!inner.has_tensor_type())
      throw ModelError("Unsupported", "only tensors, sequences of tensors and optionals are supported");
  };
  if (proto.has_optional_type()) {
    const Holds inner = holds_from_onnx(proto.optional_type().elem_type());
    if (inner == Holds::tensor) return Holds::optional_tensor;
    if (inner == Holds::sequence) return Holds::optional_sequence;
    throw ModelError("Unsupported", "an optional of an optional is not supported");
  }
  if (proto.has_sequence_type()) {
    holds_tensors(proto.sequence_type().elem_type());
    return Holds::sequence;
  }
  holds_tensors(proto);
  return Holds::tensor;
}

TensorType element_type_from_onnx(const onnx::TypeProto& proto) {
  if (proto.has_optional_type()) return element_type_from_onnx(proto.optional_type().elem_type());
  if (proto.has_sequence_type()) return element_type_from_onnx(proto.sequence_type().elem_type());
  return {dtype_from_onnx(proto.tensor_type().elem_type()), {}};
}

void type_to_onnx(std::string_view name, const TensorType& type, onnx::ValueInfoProto& out, Holds holds) {
  out.set_name(std::string(name));
  onnx::TypeProto* proto = out.mutable_type();
  if (holds == Holds::optional_tensor || holds == Holds::optional_sequence)
    proto = proto->mutable_optional_type()->mutable_elem_type();
  if (holds == Holds::sequence || holds == Holds::optional_sequence)
    proto = proto->mutable_sequence_type()->mutable_elem_type();
  auto* tensor = proto->mutable_tensor_type();
  if (type.dtype == DType::undefined) return;
  tensor->set_elem_type(static_cast<int32_t>(type.dtype));
  if (holds != Holds::tensor && type.shape.rank() == 0) return;
  auto* shape = tensor->mutable_shape();
  for (const Extent& extent : type.shape) {
    if (extent.is_number())
      shape->add_dim()->set_dim_value(extent.number());
    else
      shape->add_dim()->set_dim_param(extent.text());
  }
}

}  // namespace onemodel
