#include "bindings/call_buffer.h"

#include <algorithm>
#include <cmath>

#include "bindings/handles.h"
#include "eager/scalar.h"
#include "eager/sizes.h"

namespace onemodel::bindings {
namespace {

alignas(16) double g_buffer[kCallBufferLength];

void append_utf8(std::string& out, uint32_t unit) {
  if (unit < 0x80) {
    out += static_cast<char>(unit);
  } else if (unit < 0x800) {
    out += static_cast<char>(0xc0 | (unit >> 6));
    out += static_cast<char>(0x80 | (unit & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | (unit >> 12));
    out += static_cast<char>(0x80 | ((unit >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (unit & 0x3f));
  }
}

int64_t as_integer(double value, std::string_view what) {
  check<ArgumentError>(value == std::trunc(value) && std::abs(value) <= 0x1p63, what, " expects an integer, got ",
                       value);
  constexpr double limit = 0x1p63;
  return value >= limit ? INT64_MAX : static_cast<int64_t>(value);
}

AttributeValue number(std::string_view owner, const FieldInfo& field, double value) {
  const std::string name = concat(owner, ": ", field.name);
  switch (field.kind) {
    case AttributeKind::real: return value;
    case AttributeKind::integers: return std::vector{as_integer(value, name)};
    case AttributeKind::reals: return std::vector{value};
    case AttributeKind::dtype: throw ArgumentError(concat(name, " expects the name of a dtype, got ", value));
    default: return as_integer(value, name);
  }
}

DType dtype_named(std::string_view owner, const FieldInfo& field, std::string_view name) {
  const DType dtype = dtype_from_name(name);
  if (dtype != DType::undefined) return dtype;
  std::string known;
  for (const DType each : kAllDTypes) known += concat(known.empty() ? "" : ", ", each);
  throw ArgumentError(concat(owner, ": ", field.name, ": unknown dtype '", name, "' (known: ", known, ")"));
}

}  // namespace

double* call_buffer() { return g_buffer; }

double CallReader::next() {
  check<ArgumentError>(at_ < kCallBufferLength, "a call has too many arguments");
  return g_buffer[at_++];
}

size_t CallReader::count() {
  const double value = next();
  check<ArgumentError>(value >= 0 && value <= static_cast<double>(kCallBufferLength - at_),
                       "a call has too many arguments");
  return static_cast<size_t>(value);
}

Tensor CallReader::list(int tag) {
  constexpr std::string_view what = "an axis, size or index";
  const size_t n = count();
  if (tag == -1) {
    std::vector<int64_t> integers(n);
    for (int64_t& integer : integers) integer = as_integer(next(), what);
    return Tensor::from_ints(integers);
  }
  if (tag == -3) {
    std::vector<double> numbers(n);
    for (double& number : numbers) number = next();
    return Tensor::from(std::span<const double>(numbers), {static_cast<int64_t>(n)}).cast(DType::f32);
  }
  std::vector<ShapeEntry> sizes;
  for (size_t i = 0; i < n; ++i) {
    const bool is_handle = next() != 0;
    const double value = next();
    if (is_handle)
      sizes.emplace_back(tensors().get(static_cast<uint32_t>(value)));
    else
      sizes.emplace_back(as_integer(value, what));
  }
  return Sizes(std::move(sizes)).operand("a list of sizes");
}

std::vector<Tensor> CallReader::operands(size_t n, std::string_view owner, std::span<const Input> inputs) {
  std::vector<Tensor> out(n);
  std::vector<std::pair<size_t, double>> scalars;
  DType scalar_dtype = DType::undefined;
  for (size_t i = 0; i < n; ++i) {
    const double tag = next();
    if (tag > 0) {
      out[i] = tensors().get(static_cast<uint32_t>(tag));
      const bool is_condition = out[i].dtype() == DType::boolean;
      if (scalar_dtype == DType::undefined && !is_condition) scalar_dtype = out[i].dtype();
    } else if (tag == -2) {
      scalars.emplace_back(i, next());
    } else if (tag == -5) {
      out[i] = Tensor::from_ints({{as_integer(next(), "an integer")}}).reshape({});
    } else if (tag < 0) {
      out[i] = list(static_cast<int>(tag));
    }
  }
  if (scalar_dtype == DType::undefined) scalar_dtype = DType::f32;
  for (const auto& [i, value] : scalars)
    out[i] = scalar_of(value, scalar_dtype, owner, inputs.empty() ? "" : inputs[std::min(i, inputs.size() - 1)].name);
  return out;
}

std::vector<std::optional<AttributeValue>> CallReader::values(std::string_view owner,
                                                              std::span<const FieldInfo> fields) {
  std::vector<std::optional<AttributeValue>> out(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    const int tag = static_cast<int>(next());
    if (tag == 1) {
      out[i] = number(owner, fields[i], next());
    } else if (tag == 2) {
      const size_t n = count();
      std::vector<int64_t> integers;
      std::vector<double> reals;
      for (size_t k = 0; k < n; ++k) {
        const double value = next();
        if (fields[i].kind == AttributeKind::reals)
          reals.push_back(value);
        else
          integers.push_back(as_integer(value, concat(owner, ": ", fields[i].name)));
      }
      if (fields[i].kind == AttributeKind::reals)
        out[i] = std::move(reals);
      else
        out[i] = std::move(integers);
    } else if (tag == 3) {
      std::string text;
      for (size_t k = count(); k > 0; --k) append_utf8(text, static_cast<uint32_t>(next()));
      if (fields[i].kind == AttributeKind::dtype)
        out[i] = static_cast<int64_t>(dtype_named(owner, fields[i], text));
      else
        out[i] = std::move(text);
    } else if (tag == 4) {
      out[i] = tensors().get(static_cast<uint32_t>(next()));
    } else if (tag == 5 && fields[i].optional && fields[i].initial) {
      out[i] = Tensor();
    }
  }
  return out;
}

int write_tensors(std::span<const Tensor> list) {
  check<ArgumentError>(list.size() <= kCallBufferLength, "a call has too many results");
  for (size_t i = 0; i < list.size(); ++i) g_buffer[i] = list[i].defined() ? tensors().add(list[i]) : 0;
  return static_cast<int>(list.size());
}

}  // namespace onemodel::bindings
