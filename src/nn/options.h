#pragma once
// Constructor arguments of modules and optimizers as data.

#include <string>

#include "eager/functions.h"
#include "ops/attribute.h"

namespace onemodel::detail {

/// A number kept in double precision; an integer is one too.
template <>
struct FieldCodec<double> {
  static constexpr AttributeKind kind = AttributeKind::real;
  static std::optional<AttributeValue> encode(double value) { return AttributeValue(value); }
  static bool decode(const AttributeValue& value, double& out);
};

/// A list of two integers (height, width); one, alone or in a list, stands for both.
template <>
struct FieldCodec<Pair> {
  static constexpr AttributeKind kind = AttributeKind::integers;
  static std::optional<AttributeValue> encode(const Pair& value);
  static bool decode(const AttributeValue& value, Pair& out);
};

}  // namespace onemodel::detail

namespace onemodel::nn {

/// "Linear(in_features=1, out_features=1, bias=1)"; an absent optional argument is left out.
template <class T>
std::string describe_options(std::string_view name, const T& options) {
  std::string out = concat(name, '(');
  std::string_view comma;
  size_t i = 0;
  const auto add = [&](const auto& field) {
    if (const auto value = field_value(options, i++)) {
      out += concat(comma, field.name, '=');
      append_value(out, *value);
      comma = ", ";
    }
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, T::fields());
  return out + ')';
}

}  // namespace onemodel::nn
