// The optimizers of ai.onnx.preview.training. Inputs: rate R, step count T, then a group of tensors X1, X2, …, one of
// gradients G1, G2, …, and groups of states; outputs: the new X and the new states.

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

// One tensor to optimise. Arithmetic is in its dtype.
struct Step {
  FunctionCall& call;
  DType dtype;
  Ref x, gradient;

  Ref number(double value) const { return call.number(value, dtype); }
  Ref add(Ref a, Ref b) const { return call.make("Add", {a, b}); }
  Ref sub(Ref a, Ref b) const { return call.make("Sub", {a, b}); }
  Ref mul(Ref a, Ref b) const { return call.make("Mul", {a, b}); }
  Ref div(Ref a, Ref b) const { return call.make("Div", {a, b}); }
  Ref mix(double keep, Ref old, double take, Ref now) const {
    return add(mul(number(keep), old), mul(number(take), now));
  }
  Ref rate() const { return call.cast(call.input(0), dtype); }
  Ref count() const { return call.cast(call.input(1), dtype); }
  // `later` unless this is step 0.
  Ref after_first(Ref later, Ref first) const {
    const Ref is_later = call.make("Greater", {call.input(1), call.number(0, call.dtype(call.input(1)))});
    return call.make("Where", {is_later, later, first});
  }
};

size_t tensors_in(const FunctionCall& call, size_t groups) {
  const size_t given = call.input_count() - 2;
  if (given % groups != 0) throw ModelError("Malformed", concat("expects 2 + ", groups, " n inputs, got ", given + 2));
  return given / groups;
}

// Calls `f` with each tensor's step, its gradient with norm_coefficient * x added, and its place in its group.
template <class F>
void for_each_tensor(FunctionCall& call, size_t count, double norm_coefficient, F&& f) {
  for (size_t i = 0; i < count; ++i) {
    const Ref x = call.input(2 + i);
    Step step{call, call.dtype(x), x, call.input(2 + count + i)};
    step.gradient = step.add(step.mul(step.number(norm_coefficient), x), step.gradient);
    f(step, i);
  }
}

void adagrad(FunctionCall& call) {
  const double decay = call.real("decay_factor", 0), epsilon = call.real("epsilon", 1e-6);
  const size_t count = tensors_in(call, 3);
  for_each_tensor(call, count, call.real("norm_coefficient", 0), [&](const Step& s, size_t i) {
    const Ref rate = s.div(s.rate(), s.add(s.number(1), s.mul(s.count(), s.number(decay))));
    const Ref squares = s.add(call.input(2 + 2 * count + i), s.mul(s.gradient, s.gradient));
    const Ref root = s.add(call.make("Sqrt", {squares}), s.number(epsilon));
    call.give(i, "Sub", {s.x, s.div(s.mul(rate, s.gradient), root)});
    call.give(count + i, "Identity", {squares});
  });
}

void adam(FunctionCall& call) {
  const double alpha = call.real("alpha", 0.9), beta = call.real("beta", 0.999), epsilon = call.real("epsilon", 1e-6);
  const double after = call.real("norm_coefficient_post", 0);
  const size_t count = tensors_in(call, 4);
  for_each_tensor(call, count, call.real("norm_coefficient", 0), [&](const Step& s, size_t i) {
    const Ref mean = s.mix(alpha, call.input(2 + 2 * count + i), 1 - alpha, s.gradient);
    const Ref squares = s.mix(beta, call.input(2 + 3 * count + i), 1 - beta, s.mul(s.gradient, s.gradient));
    const auto rest = [&](double base) { return s.sub(s.number(1), call.make("Pow", {s.number(base), s.count()})); };
    const Ref corrected = s.div(s.mul(s.rate(), call.make("Sqrt", {rest(beta)})), rest(alpha));
    const Ref rate = s.after_first(corrected, s.rate());
    const Ref root = s.add(call.make("Sqrt", {squares}), s.number(epsilon));
    const Ref moved = s.sub(s.x, s.div(s.mul(rate, mean), root));
    call.give(i, "Mul", {moved, s.number(1 - after)});
    call.give(count + i, "Identity", {mean});
    call.give(2 * count + i, "Identity", {squares});
  });
}

void momentum(FunctionCall& call) {
  const double alpha = call.real("alpha", 0), beta = call.real("beta", 0);
  const std::string mode = call.text("mode", "");
  if (mode != "standard" && mode != "nesterov")
    throw ModelError("Malformed", concat("attribute 'mode' expects standard or nesterov, got '", mode, "'"));
  const size_t count = tensors_in(call, 3);
  for_each_tensor(call, count, call.real("norm_coefficient", 0), [&](const Step& s, size_t i) {
    const Ref part = s.after_first(s.number(beta), s.number(1));
    const Ref speed = s.add(s.mul(s.number(alpha), call.input(2 + 2 * count + i)), s.mul(part, s.gradient));
    const Ref ahead = mode == "standard" ? speed : s.add(s.gradient, s.mul(s.number(alpha), speed));
    call.give(i, "Sub", {s.x, s.mul(s.rate(), ahead)});
    call.give(count + i, "Identity", {speed});
  });
}

constexpr Function kFunctions[] = {{"Adagrad", 5, kAnyNumber, kAnyNumber, adagrad},
                                   {"Adam", 6, kAnyNumber, kAnyNumber, adam},
                                   {"Momentum", 5, kAnyNumber, kAnyNumber, momentum}};

}  // namespace

std::span<const Function> training_functions() { return kFunctions; }

}  // namespace onemodel
