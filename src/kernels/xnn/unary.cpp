#include "core/math.h"
#include "kernels/xnn/elementwise.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

OM_SIMD_BEGIN

constexpr float kSqrtHalf = 0.70710678118654752f;
constexpr float kSqrtTwoOverPi = 0.79788456080286536f;

OM_INLINE float between(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/// e^x - 1 for x <= 0.
OM_INLINE float exp_minus_one(float x) {
  const auto [m, n] = math::detail::exp_parts(x < -30.0f ? -30.0f : x);
  const float scale = math::detail::two_to(n);
  return m * scale + (scale - 1.0f);
}

/// log(1 + e^x); the quotient gives back what rounding takes from 1 + e.
OM_INLINE float softplus(float x) {
  const float e = math::exp(-math::detail::absolute(x));
  const float u = 1.0f + e;
  return (x < 0.0f ? 0.0f : x) + (math::log(u) - ((u - 1.0f) - e) / u);
}

template <Unary kFunction>
OM_INLINE float evaluate(float x, float a, float b) {
  switch (kFunction) {
    case Unary::neg: return -x;
    case Unary::abs: return math::detail::absolute(x);
    case Unary::exp: return math::exp(x);
    case Unary::log: return math::log(x);
    case Unary::sqrt: return __builtin_sqrtf(x);
    case Unary::reciprocal: return 1.0f / x;
    case Unary::square: return x * x;
    case Unary::floor: return __builtin_floorf(x);
    case Unary::ceil: return __builtin_ceilf(x);
    case Unary::round: return __builtin_rintf(x);
    case Unary::relu: return x < 0.0f ? 0.0f : x;
    case Unary::leaky_relu: return x < 0.0f ? a * x : x;
    case Unary::elu: return x < 0.0f ? a * exp_minus_one(x) : x;
    case Unary::sigmoid: return math::sigmoid(x);
    case Unary::tanh: return math::tanh(x);
    case Unary::erf: return math::erf(x);
    case Unary::softplus: return softplus(x);
    case Unary::silu: return x * math::sigmoid(x);
    case Unary::gelu: return 0.5f * x * (1.0f + math::erf(x * kSqrtHalf));
    case Unary::gelu_tanh: return 0.5f * x * (1.0f + math::tanh(kSqrtTwoOverPi * (x + 0.044715f * x * x * x)));
    case Unary::hardsigmoid: return between(a * x + b, 0.0f, 1.0f);
    case Unary::hardswish: return x * between(x * (1.0f / 6.0f) + 0.5f, 0.0f, 1.0f);
    case Unary::clamp: return between(x, a, b);
  }
  return x;
}

using Loop = void (*)(const float* x, float* y, size_t count, float a, float b);

template <Unary kFunction>
void loop(const float* x, float* y, size_t count, float a, float b) {
  OM_INDEPENDENT
  for (size_t i = 0; i < count; ++i) y[i] = evaluate<kFunction>(x[i], a, b);
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
    parallel(count_, 1 << 14, body);
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
