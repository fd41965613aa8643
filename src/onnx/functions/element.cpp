// Element by element.

#include "onnx/functions/families.h"

namespace onemodel {
namespace {

void cast_like(FunctionCall& call) {
  const int64_t saturate = call.integer("saturate", 1), to = static_cast<int64_t>(call.dtype(call.input(1)));
  call.give(0, "Cast", {call.input(0)}, {{"to", to}, {"saturate", saturate}});
}

void swish(FunctionCall& call) {
  const auto x = call.input(0);
  const auto scaled = call.make("Mul", {x, call.number(call.real("alpha", 1), call.dtype(x))});
  call.give(0, "Mul", {x, call.make("Sigmoid", {scaled})});
}

constexpr Function kFunctions[] = {
    {"CastLike", 2, 2, 1, cast_like},
    {"RegexFullMatch", 1, 1, 1, nullptr, "the patterns are those of RE2, a library that is larger than this engine"},
    {"Swish", 1, 1, 1, swish}};

}  // namespace

std::span<const Function> element_functions() { return kFunctions; }

}  // namespace onemodel
