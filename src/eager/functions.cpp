#include "eager/functions.h"

#include "eager/apply.h"
#include "eager/check_floating.h"
#include "eager/scalar.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/clip.h"
#include "ops/conditions.h"
#include "ops/gemm.h"
#include "ops/matmul.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "ops/transpose.h"
#include "ops/unary.h"

namespace onemodel {
namespace {

template <class Op>
Tensor reduce(const Tensor& x, const Dims& axes, bool keepdims) {
  return apply(Op{.keepdims = keepdims}, {x, axes.empty() ? Tensor() : Tensor::from_ints(axes.vector())});
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) { return apply(Add{}, {a, b}); }
Tensor sub(const Tensor& a, const Tensor& b) { return apply(Sub{}, {a, b}); }
Tensor mul(const Tensor& a, const Tensor& b) { return apply(Mul{}, {a, b}); }
Tensor div(const Tensor& a, const Tensor& b) { return apply(Div{}, {a, b}); }
Tensor pow(const Tensor& base, const Tensor& exponent) { return apply(Pow{}, {base, exponent}); }
Tensor pow(const Tensor& base, double exponent) { return pow(base, scalar_of(exponent, base.dtype(), "pow")); }
Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
Tensor operator+(const Tensor& a, double b) { return add(a, scalar_of(b, a.dtype(), "add")); }
Tensor operator-(const Tensor& a, double b) { return sub(a, scalar_of(b, a.dtype(), "sub")); }
Tensor operator*(const Tensor& a, double b) { return mul(a, scalar_of(b, a.dtype(), "mul")); }
Tensor operator/(const Tensor& a, double b) { return div(a, scalar_of(b, a.dtype(), "div")); }
Tensor operator-(const Tensor& a) { return neg(a); }

Tensor neg(const Tensor& x) { return apply(Neg{}, {x}); }
Tensor abs(const Tensor& x) { return apply(Abs{}, {x}); }
Tensor exp(const Tensor& x) { return apply(Exp{}, {x}); }
Tensor log(const Tensor& x) { return apply(Log{}, {x}); }
Tensor sqrt(const Tensor& x) { return apply(Sqrt{}, {x}); }
Tensor erf(const Tensor& x) { return apply(Erf{}, {x}); }
Tensor relu(const Tensor& x) { return apply(Relu{}, {x}); }
Tensor leaky_relu(const Tensor& x, float negative_slope) { return apply(LeakyRelu{.alpha = negative_slope}, {x}); }
Tensor sigmoid(const Tensor& x) { return apply(Sigmoid{}, {x}); }
Tensor tanh(const Tensor& x) { return apply(Tanh{}, {x}); }
Tensor gelu(const Tensor& x, std::string_view approximate) {
  return apply(Gelu{.approximate = std::string(approximate)}, {x});
}
Tensor hard_sigmoid(const Tensor& x, float alpha, float beta) {
  return apply(HardSigmoid{.alpha = alpha, .beta = beta}, {x});
}
Tensor hard_swish(const Tensor& x) { return apply(HardSwish{}, {x}); }
Tensor clip(const Tensor& x, std::optional<double> min, std::optional<double> max) {
  // As in PyTorch infinities stay where there is no bound; in ONNX an absent one is finite.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto bound = [&](std::optional<double> given, double absent) {
    return given || is_floating(x.dtype()) ? scalar_of(given.value_or(absent), x.dtype(), "clip") : Tensor();
  };
  return apply(Clip{}, {x, bound(min, -infinity), bound(max, infinity)});
}
Tensor cast(const Tensor& x, DType dtype) { return apply(Cast{.to = dtype}, {x}); }

Tensor equal(const Tensor& a, const Tensor& b) { return apply(Equal{}, {a, b}); }
Tensor less(const Tensor& a, const Tensor& b) { return apply(Less{}, {a, b}); }
Tensor greater(const Tensor& a, const Tensor& b) { return apply(Greater{}, {a, b}); }
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) { return apply(Where{}, {condition, a, b}); }

Tensor sum(const Tensor& x, const Dims& axes, bool keepdims) { return reduce<ReduceSum>(x, axes, keepdims); }
void check_floating(std::string_view who, const Tensor& x) {
  check<DTypeError>(is_floating(x.dtype()), who, ": expected a floating-point tensor, got ", x, ", whose ", who,
                    " need not be an integer; cast it first");
}

Tensor mean(const Tensor& x, const Dims& axes, bool keepdims) {
  check_floating("mean", x);
  return reduce<ReduceMean>(x, axes, keepdims);
}
Tensor max(const Tensor& x, const Dims& axes, bool keepdims) { return reduce<ReduceMax>(x, axes, keepdims); }
Tensor min(const Tensor& x, const Dims& axes, bool keepdims) { return reduce<ReduceMin>(x, axes, keepdims); }
Tensor softmax(const Tensor& x, int64_t axis) { return apply(Softmax{.axis = axis}, {x}); }
Tensor log_softmax(const Tensor& x, int64_t axis) { return apply(LogSoftmax{.axis = axis}, {x}); }

Tensor matmul(const Tensor& a, const Tensor& b) { return apply(MatMul{}, {a, b}); }
Tensor gemm(const Tensor& a, const Tensor& b, const Tensor& c, float alpha, float beta, bool transpose_a,
            bool transpose_b) {
  return apply(Gemm{.alpha = alpha, .beta = beta, .transA = transpose_a, .transB = transpose_b}, {a, b, c});
}
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensor product = matmul(x, apply(Transpose{.perm = {1, 0}}, {weight}));
  return bias.defined() ? product + bias : product;
}

}  // namespace onemodel
