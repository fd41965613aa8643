// Windows of signal processing: sums of cosines over one period.

#include <numbers>

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N), where a periodic window of `size` has N = size, another N = size - 1.
void cosines(FunctionCall& call, double a0, double a1, double a2) {
  const DType to = call.element_type("output_datatype", DType::f32);
  const bool is_periodic = call.integer("periodic", 1) != 0;
  const DType real = to == DType::f64 ? DType::f64 : DType::f32;
  const auto number = [&](double value) { return call.number(value, real); };
  Ref size = call.cast(call.input(0), DType::i64);
  if (call.rank(size) == 1) size = call.make("Squeeze", {size});
  const Ref n = call.make("Range", {call.number(0, DType::i64), size, call.number(1, DType::i64)});
  Ref period = call.cast(size, real);
  if (!is_periodic) period = call.make("Sub", {period, number(1)});
  const Ref turns = call.make("Div", {call.make("Mul", {call.cast(n, real), number(2 * std::numbers::pi)}), period});
  Ref sum = call.make("Sub", {number(a0), call.make("Mul", {call.make("Cos", {turns}), number(a1)})});
  if (a2 != 0) {
    const Ref twice = call.make("Cos", {call.make("Mul", {turns, number(2)})});
    sum = call.make("Add", {sum, call.make("Mul", {twice, number(a2)})});
  }
  call.give(0, "Cast", {sum}, {{"to", static_cast<int64_t>(to)}});
}

void hann(FunctionCall& call) { cosines(call, 0.5, 0.5, 0); }
void hamming(FunctionCall& call) { cosines(call, 25.0 / 46, 21.0 / 46, 0); }
void blackman(FunctionCall& call) { cosines(call, 0.42, 0.5, 0.08); }

constexpr Function kFunctions[] = {
    {"HannWindow", 1, 1, 1, hann}, {"HammingWindow", 1, 1, 1, hamming}, {"BlackmanWindow", 1, 1, 1, blackman}};

}  // namespace

std::span<const Function> window_functions() { return kFunctions; }

}  // namespace onemodel
