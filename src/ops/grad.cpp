#include "ops/grad.h"

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/conditions.h"
#include "ops/expand.h"
#include "ops/matmul.h"
#include "ops/reduce.h"
#include "ops/reshape.h"
#include "ops/transpose.h"
#include "ops/unary.h"

namespace onemodel {
namespace {

Var ints(const Var& beside, std::span<const int64_t> values) { return {Tensor::from_ints(values), &beside.applier()}; }

template <class T>
Var map(const Var& a) {
  return a.defined() ? apply(T{}, {a}) : a;
}

}  // namespace

Var apply(const Op& op, std::initializer_list<Var> inputs) {
  Applier* applier = nullptr;
  std::vector<Tensor> tensors;
  for (const Var& input : inputs) {
    if (!applier && input.defined()) applier = &input.applier();
    tensors.push_back(input.tensor());
  }
  return {applier->apply(op, tensors, 1).front(), applier};
}

Var operator+(const Var& a, const Var& b) {
  if (!a.defined()) return b;
  return b.defined() ? apply(Add{}, {a, b}) : a;
}
Var operator-(const Var& a, const Var& b) {
  if (!a.defined()) return -b;
  return b.defined() ? apply(Sub{}, {a, b}) : a;
}
Var operator*(const Var& a, const Var& b) { return a.defined() && b.defined() ? apply(Mul{}, {a, b}) : Var(); }
Var operator/(const Var& a, const Var& b) { return a.defined() ? apply(Div{}, {a, b}) : a; }
Var operator-(const Var& a) { return map<Neg>(a); }
Var operator*(const Var& a, double b) { return a.defined() ? a * a.constant(b) : a; }
Var operator+(const Var& a, double b) { return a + a.constant(b); }
Var exp(const Var& a) { return map<Exp>(a); }
Var log(const Var& a) { return map<Log>(a); }
Var sqrt(const Var& a) { return map<Sqrt>(a); }
Var pow(const Var& a, double exponent) { return apply(Pow{}, {a, a.constant(exponent)}); }
Var matmul(const Var& a, const Var& b) { return a.defined() && b.defined() ? apply(MatMul{}, {a, b}) : Var(); }

Var transpose(const Var& a) {
  if (!a.defined()) return a;
  Dims axes;
  for (size_t i = 0; i < a.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  std::swap(axes[a.rank() - 1], axes[a.rank() - 2]);
  return permute(a, axes);
}

Var permute(const Var& a, std::span<const int64_t> axes) {
  return a.defined() ? apply(Transpose{.perm = {axes.begin(), axes.end()}}, {a}) : a;
}

Var reshape(const Var& a, const Dims& dims) {
  if (!a.defined() || a.dims() == dims) return a;
  return apply(Reshape{.allowzero = true}, {a, ints(a, dims)});
}

Var expand(const Var& a, const Dims& dims) {
  if (!a.defined() || a.dims() == dims) return a;
  return apply(Expand{}, {a, ints(a, dims)});
}

Var reduce_sum(const Var& a, std::span<const int64_t> axes, bool keepdims) {
  if (!a.defined()) return a;
  return apply(ReduceSum{.keepdims = keepdims, .noop_with_empty_axes = true}, {a, ints(a, axes)});
}

Var where(const Var& condition, const Var& a, const Var& b) {
  if (!a.defined() && !b.defined()) return {};
  return apply(Where{}, {condition, a.defined() ? a : b.constant(0), b.defined() ? b : a.constant(0)});
}

Var less(const Var& a, const Var& b) { return apply(Less{}, {a, b}); }
Var equal(const Var& a, const Var& b) { return apply(Equal{}, {a, b}); }
Var cast(const Var& a, DType dtype) { return a.defined() && a.dtype() != dtype ? apply(Cast{.to = dtype}, {a}) : a; }

Var reduce_to(const Var& grad, const Dims& dims) {
  if (!grad.defined() || grad.dims() == dims) return grad;
  const Dims& from = grad.dims();
  const size_t lead = from.size() - dims.size();
  Dims axes;
  for (size_t i = 0; i < from.size(); ++i)
    if (i < lead || (dims[i - lead] == 1 && from[i] != 1)) axes.push_back(static_cast<int64_t>(i));
  return reshape(axes.empty() ? grad : reduce_sum(grad, axes, true), dims);
}

}  // namespace onemodel
