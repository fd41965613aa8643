#include "ops/integer.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/evaluate_binary.h"

namespace onemodel {
namespace {

void infer_pair(InferContext& context, const DTypeSet& types) {
  check_in(context, 0, types);
  context.check_same_dtype(0, 1);
  context.output(context.dtype(0), context.broadcast(context.shape(0), context.shape(1)));
}

void evaluate_pair(kernels::Binary function, EvalContext& context) {
  evaluate_binary(function, context.input(0), context.input(1), context.output());
}

}  // namespace

void Mod::infer(InferContext& context) const {
  infer_pair(context, kNumeric);
  context.check<DTypeError>(fmod || !is_floating(context.dtype(0)), "input 'A' is ", context.dtype(0),
                            ", which takes fmod=1");
}

void Mod::evaluate(EvalContext& context) const {
  evaluate_pair(fmod ? kernels::Binary::fmod : kernels::Binary::mod, context);
}

// A - trunc(A / B) B, where the quotient is constant between jumps.
Gradients Mod::vjp(GradContext& context) const {
  const Var a = context.input(0), b = context.input(1), g = context.grad();
  const Var quotient = (a - context.output()) / b;
  return {context.needs(0) ? reduce_to(g, a.dims()) : Var(),
          context.needs(1) ? reduce_to(-(g * quotient), b.dims()) : Var()};
}

std::vector<Sample> Mod::samples() {
  const Tensor a = sample_values({2, 3}, -20, 20, DType::i32), b = sample_values({3}, -5, 5, DType::i32, 2);
  return {{Mod{}, {a, b}},
          {Mod{.fmod = true}, {a, b}},
          {Mod{.fmod = true}, {sample_values({2, 3}, 1, 9), sample_values({2, 1}, 2, 3, DType::f32, 2)}},
          {Mod{}, {sample_values({4}, 0, 200, DType::u8), sample_values({}, 3, 9, DType::u8)}},
          {Mod{}, {sample_values({2}), sample_values({2})}, "input 'A' is float32, which takes fmod=1"},
          {Mod{}, {a, sample_values({3}, 1, 9, DType::i64)}, "must have one dtype, got int32 and int64"},
          {Mod{}, {a, sample_values({2}, 1, 9, DType::i32)}, "do not broadcast"}};
}

template <class T>
void Bitwise<T>::infer(InferContext& context) const {
  infer_pair(context, kInteger);
}

template <class T>
void Bitwise<T>::evaluate(EvalContext& context) const {
  evaluate_pair(T::kPortable, context);
}

template <class T>
std::vector<Sample> Bitwise<T>::samples() {
  const Tensor a = sample_values({2, 3}, -99, 99, DType::i32);
  return {{T{}, {a, sample_values({3}, -99, 99, DType::i32, 2)}},
          {T{}, {sample_values({4, 1}, 0, 255, DType::u8), sample_values({}, 0, 255, DType::u8, 2)}},
          {T{}, {sample_values({2}), sample_values({2})}, "input 'A' expects an integer type, got float32"},
          {T{}, {a, sample_values({3}, 0, 9, DType::i64)}, "must have one dtype, got int32 and int64"}};
}

void BitwiseNot::infer(InferContext& context) const {
  check_in(context, 0, kInteger);
  context.output(context.dtype(0), context.shape(0));
}

void BitwiseNot::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  evaluate_binary(kernels::Binary::bit_xor, x, Tensor::full({}, -1, DType::i64).cast(x.dtype()), context.output());
}

std::vector<Sample> BitwiseNot::samples() {
  return {{BitwiseNot{}, {sample_values({2, 3}, -99, 99, DType::i32)}},
          {BitwiseNot{}, {sample_values({}, 0, 255, DType::u8)}},
          {BitwiseNot{}, {sample_values({2})}, "input 'X' expects an integer type, got float32"}};
}

void BitShift::infer(InferContext& context) const {
  context.check<ArgumentError>(direction == "LEFT" || direction == "RIGHT", "direction expects LEFT or RIGHT, got \"",
                               direction, '"');
  infer_pair(context, kUnsigned);
}

void BitShift::evaluate(EvalContext& context) const {
  evaluate_pair(direction == "LEFT" ? kernels::Binary::shift_left : kernels::Binary::shift_right, context);
}

std::vector<Sample> BitShift::samples() {
  const Tensor x = sample_values({2, 3}, 0, 255, DType::u8), y = sample_values({3}, 0, 9, DType::u8, 2);
  return {
      {BitShift{.direction = "LEFT"}, {x, y}},
      {BitShift{.direction = "RIGHT"}, {x, y}},
      {BitShift{.direction = "LEFT"}, {sample_values({4}, 0, 99, DType::u64), sample_values({}, 1, 80, DType::u64)}},
      {BitShift{.direction = "UP"}, {x, y}, "direction expects LEFT or RIGHT, got \"UP\""},
      {BitShift{.direction = "LEFT"},
       {sample_values({2}, 0, 9, DType::i32), sample_values({2}, 0, 9, DType::i32)},
       "input 'X' expects an unsigned integer type, got int32"}};
}

ONEMODEL_OPERATOR(Mod)
ONEMODEL_OPERATOR(BitwiseAnd)
ONEMODEL_OPERATOR(BitwiseOr)
ONEMODEL_OPERATOR(BitwiseXor)
ONEMODEL_OPERATOR(BitwiseNot)
ONEMODEL_OPERATOR(BitShift)

}  // namespace onemodel
