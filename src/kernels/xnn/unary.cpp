#include "kernels/xnn/elementwise.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/vector_math.h"

namespace onemodel::kernels::xnn {
namespace {

OM_SIMD_BEGIN

constexpr float kSqrtHalf = 0.70710678118654752f;
constexpr float kSqrtTwoOverPi = 0.79788456080286536f;

/// log(1 + e^x); the quotient gives back what rounding takes from 1 + e.
OM_INLINE F8 softplus8(F8 x) {
  const F8 one = constant8(1.0f), e = exp_negative8(-absolute8(x)), u = one + e;
  return (x < F8{} ? F8{} : x) + (log8(u) - ((u - one) - e) / u);
}

OM_INLINE F8 gelu_tanh8(F8 x) {
  const F8 inner = constant8(kSqrtTwoOverPi) * x * multiply_add(constant8(0.044715f), x * x, constant8(1.0f));
  return constant8(0.5f) * x * (constant8(1.0f) + tanh8(inner));
}

template <Unary kFunction>
OM_INLINE F8 evaluate(F8 x, float a, float b) {
  switch (kFunction) {
    case Unary::neg: return -x;
    case Unary::abs: return absolute8(x);
    case Unary::exp: return exp8(x);
    case Unary::log: return log8(x);
    case Unary::reciprocal: return 1.0f / x;
    case Unary::square: return x * x;
    case Unary::relu: return x < 0.0f ? F8{} : x;
    case Unary::leaky_relu: return x < 0.0f ? a * x : x;
    case Unary::elu: return x < 0.0f ? a * exp_minus_one8(x) : x;
    case Unary::sigmoid: return sigmoid8(x);
    case Unary::tanh: return tanh8(x);
    case Unary::erf: return erf8(x);
    case Unary::softplus: return softplus8(x);
    case Unary::silu: return x * sigmoid8(x);
    case Unary::gelu: return constant8(0.5f) * x * (constant8(1.0f) + erf8(x * constant8(kSqrtHalf)));
    case Unary::gelu_tanh: return gelu_tanh8(x);
    case Unary::hardsigmoid: return clamp(multiply_add(splat8(a), x, splat8(b)), F8{}, splat8(1.0f));
    case Unary::hardswish: return x * clamp(multiply_add(x, splat8(1.0f / 6.0f), splat8(0.5f)), F8{}, splat8(1.0f));
    case Unary::clamp: return clamp(x, splat8(a), splat8(b));
    default: return x;
  }
}

using Loop = void (*)(const float* x, float* y, size_t count, float a, float b);

template <Unary kFunction>
void loop(const float* x, float* y, size_t count, float a, float b) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) store8(y + i, evaluate<kFunction>(load8(x + i), a, b));
  if (i < count) store_some(y + i, evaluate<kFunction>(load_some(x + i, count - i), a, b), count - i);
}

// Compilers know vector instructions for these, but have no common name for them.
template <float (*kFunction)(float)>
OM_INLINE void each(const float* x, float* y, size_t count) {
  OM_INDEPENDENT
  for (size_t i = 0; i < count; ++i) y[i] = kFunction(x[i]);
}
OM_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
OM_INLINE float floor(float x) { return __builtin_floorf(x); }
OM_INLINE float ceil(float x) { return __builtin_ceilf(x); }
OM_INLINE float round(float x) { return __builtin_rintf(x); }
template <>
void loop<Unary::sqrt>(const float* x, float* y, size_t count, float, float) {
  each<square_root>(x, y, count);
}
template <>
void loop<Unary::floor>(const float* x, float* y, size_t count, float, float) {
  each<floor>(x, y, count);
}
template <>
void loop<Unary::ceil>(const float* x, float* y, size_t count, float, float) {
  each<ceil>(x, y, count);
}
template <>
void loop<Unary::round>(const float* x, float* y, size_t count, float, float) {
  each<round>(x, y, count);
}

OM_SIMD_END

template <size_t... kIndices>
Loop loop_of(Unary function, std::index_sequence<kIndices...>) {
  static constexpr Loop loops[] = {loop<static_cast<Unary>(kIndices)>...};
  return loops[static_cast<size_t>(function)];
}

class UnaryKernel : public Prepared {
 public:
  UnaryKernel(Unary function, int64_t count, float a, float b)
      : loop_(loop_of(function, std::make_index_sequence<size_t{static_cast<size_t>(Unary::clamp)} + 1>())),
        count_(to_size(count)),
        a_(a),
        b_(b) {}
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    const auto body = [&](size_t begin, size_t end) { loop_(x + begin, y + begin, end - begin, a_, b_); };
    parallel(count_, 1 << 16, body);
  }

 private:
  Loop loop_;
  size_t count_;
  float a_, b_;
};

}  // namespace

PreparedPtr unary(Unary function, int64_t count, float a, float b, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  if (count <= 0) return refuse(refusal, "a size is zero");
  return std::make_unique<UnaryKernel>(function, count, a, b);
}

}  // namespace onemodel::kernels::xnn
