#pragma once
// Attributes as data: the fields of an operator struct, seen generically.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// Any attribute value, in ONNX's kinds. bool and DType fields appear as integers.
using AttributeValue = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>, Tensor>;

enum class AttributeKind : uint8_t { integer, real, text, integers, reals, tensor, boolean, dtype };

/// What documentation and generated types say. A WebAssembly module never shows it and leaves the text out.
#ifdef __EMSCRIPTEN__
inline constexpr bool kHasDocs = false;
struct Doc {
  constexpr Doc(const char*) {}
  constexpr Doc(std::string_view) {}
  constexpr operator std::string_view() const { return {}; }
};
#else
inline constexpr bool kHasDocs = true;
using Doc = std::string_view;
#endif

/// One field of an operator: its ONNX attribute name, where it lives, and what it means.
template <class Op, class T>
struct Field {
  std::string_view name;
  T Op::*member;
  Doc doc;
  bool required = false;
};

template <class Op, class T>
constexpr Field<Op, T> field(std::string_view name, T Op::*member, Doc doc) {
  return {name, member, doc};
}
/// A field that has no default: leaving it out is an error.
template <class Op, class T>
constexpr Field<Op, T> required_field(std::string_view name, T Op::*member, Doc doc) {
  return {name, member, doc, true};
}

/// What the registry tells of a field. `initial` is nothing for a required field and for an optional one that is absent
/// by default.
struct FieldInfo {
  std::string_view name;
  Doc doc;
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

/// How a member of one type is read and written.
struct MemberCodec {
  AttributeKind kind;
  bool optional;
  std::optional<AttributeValue> (*encode)(const void* member);
  bool (*decode)(const AttributeValue& value, void* member);
};
template <class T>
inline constexpr MemberCodec kMemberCodec = {
    FieldCodec<T>::kind, is_optional<T>,
    [](const void* member) { return FieldCodec<T>::encode(*static_cast<const T*>(member)); },
    [](const AttributeValue& value, void* member) { return FieldCodec<T>::decode(value, *static_cast<T*>(member)); }};

/// A field without its types: what is done with fields is compiled once, not for every operator.
struct Member {
  std::string_view name;
  [[no_unique_address]] Doc doc;
  bool required;
  const MemberCodec* codec;
  void* (*place)(void* object);
};
template <class T, size_t I>
void* member_place(void* object) {
  return &(static_cast<T*>(object)->*std::get<I>(T::fields()).member);
}
template <class T>
inline constexpr auto kMembers = []<size_t... I>(std::index_sequence<I...>) {
  return std::array<Member, sizeof...(I)>{
      Member{std::get<I>(T::fields()).name, std::get<I>(T::fields()).doc, std::get<I>(T::fields()).required,
             &kMemberCodec<std::remove_cvref_t<decltype(std::declval<T&>().*std::get<I>(T::fields()).member)>>,
             member_place<T, I>}...};
}
(std::make_index_sequence<std::tuple_size_v<decltype(T::fields())>>());

std::vector<FieldInfo> describe_members(std::span<const Member> members, const void* initial);
void set_members(std::string_view who, std::span<const Member> members,
                 std::span<const std::optional<AttributeValue>> values, void* object);

}  // namespace detail

/// The fields of T as the registry tells them.
template <class T>
std::vector<FieldInfo> field_infos() {
  const T initial{};
  return detail::describe_members(detail::kMembers<T>, &initial);
}

/// A T from values in field order; nothing keeps the default. Throws ArgumentError naming `who` and the field for a
/// value of the wrong kind and for a required one that is missing.
template <class T>
T from_values(std::string_view who, std::span<const std::optional<AttributeValue>> values) {
  T out{};
  detail::set_members(who, detail::kMembers<T>, values, &out);
  return out;
}

/// The value of field `index` of `data`; nothing for an absent optional one.
template <class T>
std::optional<AttributeValue> field_value(const T& data, size_t index) {
  const detail::Member& member = std::span<const detail::Member>(detail::kMembers<T>)[index];
  return member.codec->encode(member.place(const_cast<T*>(&data)));
}

/// Equality of values; tensors by dtype, shape and bytes.
bool equal(const AttributeValue& a, const AttributeValue& b);
void append_value(std::string& out, const AttributeValue& value);
/// "integer", "list of integers", …
std::string_view attribute_kind_name(AttributeKind kind);

}  // namespace onemodel
