#pragma once
// Attributes as data: the fields of an operator struct, seen generically.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// Any attribute value, in ONNX's kinds. bool and DType fields appear as integers.
using AttributeValue = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>, Tensor>;

enum class AttributeKind : uint8_t { integer, real, text, integers, reals, tensor, boolean, dtype };

/// One field of an operator: its ONNX attribute name, where it lives, and what it means.
template <class Op, class T>
struct Field {
  std::string_view name;
  T Op::*member;
  std::string_view doc;
  bool required = false;
};

template <class Op, class T>
constexpr Field<Op, T> field(std::string_view name, T Op::*member, std::string_view doc) {
  return {name, member, doc};
}
/// A field that has no default: leaving it out is an error.
template <class Op, class T>
constexpr Field<Op, T> required_field(std::string_view name, T Op::*member, std::string_view doc) {
  return {name, member, doc, true};
}

/// What the registry tells of a field. `initial` is nothing for a required field and for an optional one that is absent
/// by default.
struct FieldInfo {
  std::string_view name, doc;
  AttributeKind kind;
  bool optional, required;
  std::optional<AttributeValue> initial;
};

namespace detail {

template <class T>
struct FieldCodec;  // kind, encode, decode

template <class T, class Stored, AttributeKind Kind>
struct DirectCodec {
  static constexpr AttributeKind kind = Kind;
  static std::optional<AttributeValue> encode(const T& value) { return AttributeValue(Stored(value)); }
  static bool decode(const AttributeValue& value, T& out) {
    const Stored* stored = std::get_if<Stored>(&value);
    if (stored) out = static_cast<T>(*stored);
    return stored != nullptr;
  }
};
template <>
struct FieldCodec<int64_t> : DirectCodec<int64_t, int64_t, AttributeKind::integer> {};
template <>
struct FieldCodec<float> : DirectCodec<float, double, AttributeKind::real> {};
template <>
struct FieldCodec<std::string> : DirectCodec<std::string, std::string, AttributeKind::text> {};
template <>
struct FieldCodec<std::vector<int64_t>>
    : DirectCodec<std::vector<int64_t>, std::vector<int64_t>, AttributeKind::integers> {};
template <>
struct FieldCodec<std::vector<double>> : DirectCodec<std::vector<double>, std::vector<double>, AttributeKind::reals> {};
template <>
struct FieldCodec<bool> : DirectCodec<bool, int64_t, AttributeKind::boolean> {};
template <>
struct FieldCodec<DType> : DirectCodec<DType, int64_t, AttributeKind::dtype> {};
template <>
struct FieldCodec<Tensor> {
  static constexpr AttributeKind kind = AttributeKind::tensor;
  static std::optional<AttributeValue> encode(const Tensor& value) {
    return value.defined() ? std::optional<AttributeValue>(value) : std::nullopt;
  }
  static bool decode(const AttributeValue& value, Tensor& out) {
    const Tensor* stored = std::get_if<Tensor>(&value);
    if (stored) out = *stored;
    return stored != nullptr;
  }
};
template <class T>
struct FieldCodec<std::optional<T>> {
  static constexpr AttributeKind kind = FieldCodec<T>::kind;
  static std::optional<AttributeValue> encode(const std::optional<T>& value) {
    return value ? FieldCodec<T>::encode(*value) : std::nullopt;
  }
  static bool decode(const AttributeValue& value, std::optional<T>& out) {
    return FieldCodec<T>::decode(value, out.emplace());
  }
};
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

[[noreturn]] void bad_attribute(std::string_view who, std::string_view name, AttributeKind expected,
                                const AttributeValue* got);

}  // namespace detail

/// The fields of T as the registry tells them.
template <class T>
std::vector<FieldInfo> field_infos() {
  std::vector<FieldInfo> out;
  const T initial{};
  const auto add = [&](const auto& field) {
    using Value = std::remove_cvref_t<decltype(initial.*field.member)>;
    using Codec = detail::FieldCodec<Value>;
    out.push_back({field.name, field.doc, Codec::kind, detail::is_optional<Value>, field.required,
                   field.required ? std::nullopt : Codec::encode(initial.*field.member)});
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, T::fields());
  return out;
}

/// A T from values in field order; nothing keeps the default. Throws ArgumentError naming `who` and the field for a
/// value of the wrong kind and for a required one that is missing.
template <class T>
T from_values(std::string_view who, std::span<const std::optional<AttributeValue>> values) {
  T out{};
  size_t i = 0;
  const auto set = [&](const auto& field) {
    using Codec = detail::FieldCodec<std::remove_reference_t<decltype(out.*field.member)>>;
    const std::optional<AttributeValue> value = i < values.size() ? values[i] : std::nullopt;
    ++i;
    if (value ? !Codec::decode(*value, out.*field.member) : field.required)
      detail::bad_attribute(who, field.name, Codec::kind, value ? &*value : nullptr);
  };
  std::apply([&](const auto&... field) { (set(field), ...); }, T::fields());
  return out;
}

/// The value of field `index` of `data`; nothing for an absent optional one.
template <class T>
std::optional<AttributeValue> field_value(const T& data, size_t index) {
  std::optional<AttributeValue> out;
  size_t i = 0;
  const auto visit = [&](const auto& field) {
    using Codec = detail::FieldCodec<std::remove_cvref_t<decltype(data.*field.member)>>;
    if (i++ == index) out = Codec::encode(data.*field.member);
  };
  std::apply([&](const auto&... field) { (visit(field), ...); }, T::fields());
  return out;
}

/// Equality of values; tensors by dtype, shape and bytes.
bool equal(const AttributeValue& a, const AttributeValue& b);
void append_value(std::string& out, const AttributeValue& value);
/// "integer", "list of integers", …
std::string_view attribute_kind_name(AttributeKind kind);

}  // namespace onemodel
