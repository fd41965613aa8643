#include "nn/options.h"

namespace onemodel::detail {

bool FieldCodec<double>::decode(const AttributeValue& value, double& out) {
  if (const auto* real = std::get_if<double>(&value))
    out = *real;
  else if (const auto* integer = std::get_if<int64_t>(&value))
    out = static_cast<double>(*integer);
  else
    return false;
  return true;
}

std::optional<AttributeValue> FieldCodec<Pair>::encode(const Pair& value) {
  return AttributeValue(std::vector{value.height, value.width});
}

bool FieldCodec<Pair>::decode(const AttributeValue& value, Pair& out) {
  if (const auto* both = std::get_if<int64_t>(&value)) {
    out = *both;
    return true;
  }
  const auto* list = std::get_if<std::vector<int64_t>>(&value);
  if (!list || list->empty() || list->size() > 2) return false;
  out = Pair(list->front(), list->back());
  return true;
}

std::optional<AttributeValue> FieldCodec<Triple>::encode(const Triple& value) {
  return AttributeValue(std::vector{value.depth, value.height, value.width});
}

bool FieldCodec<Triple>::decode(const AttributeValue& value, Triple& out) {
  if (const auto* all = std::get_if<int64_t>(&value)) {
    out = *all;
    return true;
  }
  const auto* list = std::get_if<std::vector<int64_t>>(&value);
  if (!list || (list->size() != 1 && list->size() != 3)) return false;
  out = list->size() == 1 ? Triple((*list)[0]) : Triple((*list)[0], (*list)[1], (*list)[2]);
  return true;
}

bool FieldCodec<nn::Sizes>::decode(const AttributeValue& value, nn::Sizes& out) {
  if (const auto* one = std::get_if<int64_t>(&value)) out.values = {*one};
  const auto* list = std::get_if<std::vector<int64_t>>(&value);
  if (list) out.values = *list;
  return list || std::holds_alternative<int64_t>(value);
}

bool FieldCodec<nn::Factors>::decode(const AttributeValue& value, nn::Factors& out) {
  double one = 0;
  if (FieldCodec<double>::decode(value, one)) {
    out.values = {one};
    return true;
  }
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    out.values = *reals;
    return true;
  }
  const auto* list = std::get_if<std::vector<int64_t>>(&value);
  if (list) out.values.assign(list->begin(), list->end());
  return list != nullptr;
}

}  // namespace onemodel::detail

namespace onemodel::nn {

std::string describe_members(std::string_view name, std::span<const detail::Member> members, const void* options) {
  std::string out = concat(name, '(');
  std::string_view comma;
  for (const detail::Member& member : members) {
    const auto value = member.codec->encode(member.place(const_cast<void*>(options)));
    if (!value) continue;
    out += concat(comma, member.name, '=');
    if (member.codec->kind == AttributeKind::boolean)
      out += std::get<int64_t>(*value) != 0 ? "true" : "false";
    else if (member.codec->kind != AttributeKind::tensor && std::holds_alternative<Tensor>(*value))
      out += "null";
    else
      append_value(out, *value);
    comma = ", ";
  }
  return out + ')';
}

}  // namespace onemodel::nn
