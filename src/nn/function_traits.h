#pragma once
// How functions of tensors are entered in the registry.

#include "nn/layer.h"
#include "nn/registry.h"

namespace onemodel::nn {

using Given = std::span<const Tensor>;
using Values = std::span<const std::optional<AttributeValue>>;

inline constexpr Input kOneInput[] = {{"input", "values"}};

/// A function of the tensors and of options as a struct.
template <class O, Tensor (*Function)(Given, const O&)>
FunctionTraits function_of(std::string_view name, Doc doc, std::span<const Input> inputs,
                           FunctionTraits::Kind kind = FunctionTraits::functional) {
  return {name,
          doc,
          inputs,
          field_infos<O>(),
          [](std::string_view name, Given tensors, Values values) {
            return Function(tensors, from_values<O>(name, values));
          },
          kind};
}

/// What a module without parameters computes.
template <class M>
FunctionTraits module_function(std::string_view name) {
  using O = typename M::Options;
  return {name,
          M::kDoc,
          kOneInput,
          field_infos<O>(),
          [](std::string_view name, Given tensors, Values values) {
            return M(from_values<O>(name, values)).run(tensors[0]);
          },
          FunctionTraits::functional};
}

}  // namespace onemodel::nn
