#pragma once
// ONEMODEL_OPERATOR(T): derives everything from the declaration of operator T. Used once, in T's .cpp.

#include <tuple>
#include <utility>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/sample.h"

namespace onemodel::detail {

template <class T>
concept HasGradient = requires(const T& op, GradContext& context) {
  { op.vjp(context) } -> std::same_as<Gradients>;
};
template <class T>
concept RefusesGradient = std::same_as<std::remove_cvref_t<decltype(T::vjp)>, NotDifferentiable>;
template <class T>
concept HasView = requires(const T& op, std::span<const Tensor> inputs) {
  { op.view(inputs) } -> std::same_as<Tensor>;
};
template <class T>
concept HasFastKernels = requires {
  T::fast_kernels();
};

template <class T>
const T& as(const void* op) {
  return *static_cast<const T*>(op);
}

template <class T>
Op make(std::span<const std::optional<AttributeValue>> values) {
  return Op(from_values<T>(T::info.name, values));
}

template <class T>
KernelChoice choose(const void* op, const KernelRequest& request) {
  KernelChoice choice;
  if constexpr (HasFastKernels<T>) {
    for (const FastKernel<T>& candidate : T::fast_kernels()) {
      std::string refusal;
      choice.kernel = candidate.make(as<T>(op), request, refusal);
      if (choice.kernel) {
        choice.name = candidate.name;
        choice.applies_clamp = request.clamp.has_value();
        break;
      }
      choice.refusals.push_back(concat(candidate.name, ": ", refusal));
    }
  }
  return choice;
}

template <class T>
OpTraits make_traits() {
  static_assert(HasGradient<T> || RefusesGradient<T>,
                "an operator declares `Gradients vjp(GradContext&) const` or `static constexpr NotDifferentiable vjp`");
  static_assert(!T::info.internal || !T::info.untraceable.empty(), "an internal operator says why it is not traced");
  OpTraits traits{.info = T::info,
                  .inputs = T::inputs,
                  .outputs = T::outputs,
                  .fields = field_infos<T>(),
                  .not_differentiable = {},
                  .has_view = HasView<T>,
                  .make = make<T>,
                  .get = [](const void* op, size_t field) { return field_value(as<T>(op), field); },
                  .infer = [](const void* op, InferContext& context) { as<T>(op).infer(context); },
                  .evaluate = [](const void* op, EvalContext& context) { as<T>(op).evaluate(context); },
                  .view = nullptr,
                  .choose = choose<T>,
                  .vjp = nullptr};
  if constexpr (HasView<T>)
    traits.view = [](const void* op, std::span<const Tensor> inputs) { return as<T>(op).view(inputs); };
  if constexpr (HasGradient<T>)
    traits.vjp = [](const void* op, GradContext& context) { return as<T>(op).vjp(context); };
  else
    traits.not_differentiable = T::vjp.reason;
  return traits;
}

}  // namespace onemodel::detail

#define ONEMODEL_OPERATOR(T)                                 \
  template <>                                                \
  const OpTraits& traits_of<T>() {                           \
    static const OpTraits traits = detail::make_traits<T>(); \
    return traits;                                           \
  }                                                          \
  template <>                                                \
  std::vector<Sample> samples_of<T>() {                      \
    return T::samples();                                     \
  }
