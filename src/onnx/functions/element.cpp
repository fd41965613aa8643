// Element by element.

#include "onnx/functions/families.h"

namespace onemodel {
namespace {

void cast_like(FunctionCall& call) {
  call.integer("saturate", 1);  // of 8-bit floats
  call.give(0, "Cast", {call.input(0)}, {{"to", static_cast<int64_t>(call.dtype(call.input(1)))}});
}

void swish(FunctionCall& call) {
  const auto x = call.input(0);
  const auto scaled = call.make("Mul", {x, call.number(call.real("alpha", 1), call.dtype(x))});
  call.give(0, "Mul", {x, call.make("Sigmoid", {scaled})});
}

constexpr Function kFunctions[] = {{"CastLike", 2, 2, 1, cast_like}, {"Swish", 1, 1, 1, swish}};

}  // namespace

std::span<const Function> element_functions() { return kFunctions; }

}  // namespace onemodel
