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

}  // namespace onemodel::detail
