#pragma once
// Constructor arguments of modules and optimizers as data.

#include <string>

#include "eager/functions.h"
#include "eager/functions_image.h"
#include "ops/attribute.h"

namespace onemodel::nn {

/// A list of sizes; one number is a list of one.
struct Sizes {
  std::vector<int64_t> values;
  Sizes() = default;
  Sizes(int64_t one) : values{one} {}
  Sizes(std::initializer_list<int64_t> list) : values(list) {}
};
/// A list of factors; one number is a list of one.
struct Factors {
  std::vector<double> values;
  Factors() = default;
  Factors(double one) : values{one} {}
  Factors(std::initializer_list<double> list) : values(list) {}
};

}  // namespace onemodel::nn

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

/// A list of three integers (depth, height, width); one, alone or in a list, stands for all.
template <>
struct FieldCodec<Triple> {
  static constexpr AttributeKind kind = AttributeKind::integers;
  static std::optional<AttributeValue> encode(const Triple& value);
  static bool decode(const AttributeValue& value, Triple& out);
};

template <>
struct FieldCodec<nn::Sizes> {
  static constexpr AttributeKind kind = AttributeKind::integers;
  static std::optional<AttributeValue> encode(const nn::Sizes& value) { return AttributeValue(value.values); }
  static bool decode(const AttributeValue& value, nn::Sizes& out);
};

template <>
struct FieldCodec<nn::Factors> {
  static constexpr AttributeKind kind = AttributeKind::reals;
  static std::optional<AttributeValue> encode(const nn::Factors& value) { return AttributeValue(value.values); }
  static bool decode(const AttributeValue& value, nn::Factors& out);
};

}  // namespace onemodel::detail

namespace onemodel::nn {

std::string describe_members(std::string_view name, std::span<const detail::Member> members, const void* options);

/// "Linear(in_features=1, out_features=1, bias=true)"; an absent optional argument is left out.
template <class T>
std::string describe_options(std::string_view name, const T& options) {
  return describe_members(name, detail::kMembers<T>, &options);
}

}  // namespace onemodel::nn
