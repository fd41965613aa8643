// Element by element.

#include "onnx/functions/families.h"

namespace onemodel {
namespace {

void cast_like(FunctionCall& call) {
  call.integer("saturate", 1);  // of 8-bit floats
  call.give(0, "Cast", {call.input(0)}, {{"to", static_cast<int64_t>(call.dtype(call.input(1)))}});
}

// Values within lambd of 0 become 0, the others come nearer by bias.
void shrink(FunctionCall& call) {
  const auto x = call.input(0);
  const DType dtype = call.dtype(x);
  const double threshold = call.real("lambd", 0.5);
  const auto bias = call.number(call.real("bias", 0), dtype);
  const auto above = call.make("Greater", {x, call.number(threshold, dtype)});
  const auto below = call.make("Less", {x, call.number(-threshold, dtype)});
  const auto near = call.make("Where", {below, call.make("Add", {x, bias}), call.number(0, dtype)});
  call.give(0, "Where", {above, call.make("Sub", {x, bias}), near});
}

void swish(FunctionCall& call) {
  const auto x = call.input(0);
  const auto scaled = call.make("Mul", {x, call.number(call.real("alpha", 1), call.dtype(x))});
  call.give(0, "Mul", {x, call.make("Sigmoid", {scaled})});
}

constexpr Function kFunctions[] = {
    {"CastLike", 2, 2, 1, cast_like}, {"Shrink", 1, 1, 1, shrink}, {"Swish", 1, 1, 1, swish}};

}  // namespace

std::span<const Function> element_functions() { return kFunctions; }

}  // namespace onemodel
