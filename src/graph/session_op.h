#pragma once
// Operators that only sessions run: their traits have no evaluation, and they are not among `all_operators`.

#include "ops/infer.h"
#include "ops/op.h"

namespace onemodel {

inline const OpTraits* find_by_name(std::span<const OpTraits* const> operators, std::string_view name) {
  for (const OpTraits* traits : operators)
    if (traits->info.name == name) return traits;
  return nullptr;
}

namespace detail {

template <class T>
OpTraits make_session_traits(std::span<const std::string_view> outputs) {
  OpTraits traits{.info = T::info,
                  .inputs = T::inputs,
                  .outputs = outputs,
                  .fields = field_infos<T>(),
                  .not_differentiable = "only sessions run it",
                  .has_view = false};
  traits.make = [](std::span<const std::optional<AttributeValue>> values) {
    return Op(from_values<T>(T::info.name, values));
  };
  traits.get = [](const void* op, size_t field) { return field_value(*static_cast<const T*>(op), field); };
  traits.infer = [](const void*, InferContext& context) {
    throw ArgumentError(concat(context.op_name(), ": only sessions run it"));
  };
  return traits;
}

}  // namespace detail
}  // namespace onemodel

/// Derives the traits of T from its declaration; `outputs` names its outputs.
#define ONEMODEL_SESSION_OPERATOR(T, outputs)                               \
  template <>                                                               \
  const OpTraits& traits_of<T>() {                                          \
    static const OpTraits traits = detail::make_session_traits<T>(outputs); \
    return traits;                                                          \
  }
