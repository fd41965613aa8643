#include <cmath>

#include "core/math.h"
#include "kernels/portable/recurrent_math.h"

namespace onemodel::kernels {
namespace {

// Calls f(value, slope), which changes both, for each element.
template <class T, class F>
void each(int64_t count, T* __restrict values, T* __restrict slopes, const F& f) {
  for (int64_t i = 0; i < count; ++i) f(values[i], slopes[i]);
}

template <class T>
void clip_values(T clip, int64_t count, T* __restrict values, T* __restrict slopes) {
  each(count, values, slopes, [clip](T& v, T& slope) {
    slope = v > clip || v < -clip ? T(0) : T(1);
    v = v > clip ? clip : v < -clip ? -clip : v;
  });
}

}  // namespace

template <class T>
void activate(const CellFunction& function, T clip, int64_t count, T* __restrict values, T* __restrict slopes) {
  const T alpha = static_cast<T>(function.alpha), beta = static_cast<T>(function.beta);
  clip_values(clip, count, values, slopes);
  const auto apply = [&](const auto& f) { each(count, values, slopes, f); };
  switch (function.activation) {
    case Activation::sigmoid:
      for (int64_t i = 0; i < count; ++i) values[i] = math::sigmoid(values[i]);
      return apply([](T& v, T& slope) { slope *= v * (1 - v); });
    case Activation::tanh:
      for (int64_t i = 0; i < count; ++i) values[i] = math::tanh(values[i]);
      return apply([](T& v, T& slope) { slope *= 1 - v * v; });
    case Activation::relu:
      return apply([](T& v, T& slope) {
        slope *= v > 0 ? T(1) : T(0);
        v = v < 0 ? T(0) : v;
      });
    case Activation::affine:
      return apply([=](T& v, T& slope) {
        slope *= alpha;
        v = alpha * v + beta;
      });
    case Activation::leaky_relu:
      return apply([=](T& v, T& slope) {
        slope *= v < 0 ? alpha : T(1);
        v = v < 0 ? alpha * v : v;
      });
    case Activation::thresholded_relu:
      return apply([=](T& v, T& slope) {
        slope *= v >= alpha ? T(1) : T(0);
        v = v >= alpha ? v : T(0);
      });
    case Activation::scaled_tanh:
      return apply([=](T& v, T& slope) {
        const T t = math::tanh(beta * v);
        slope *= alpha * beta * (1 - t * t);
        v = alpha * t;
      });
    case Activation::hard_sigmoid:
      return apply([=](T& v, T& slope) {
        v = alpha * v + beta;
        slope *= v > 0 && v < 1 ? alpha : T(0);
        v = v < 0 ? T(0) : v > 1 ? T(1) : v;
      });
    case Activation::elu:
      return apply([=](T& v, T& slope) {
        const T below = static_cast<T>(math::expm1(static_cast<double>(v)));
        slope *= v < 0 ? alpha * (below + 1) : T(1);
        v = v < 0 ? alpha * below : v;
      });
    case Activation::softsign:
      return apply([](T& v, T& slope) {
        const T scale = 1 / (1 + std::fabs(v));
        slope *= scale * scale;
        v *= scale;
      });
    case Activation::softplus:
      return apply([](T& v, T& slope) {
        const auto x = static_cast<double>(v);
        slope *= math::sigmoid(v);
        v = static_cast<T>((x > 0 ? x : 0) + math::log1p(math::exp(-std::fabs(x))));
      });
  }
}

template void activate(const CellFunction&, float, int64_t, float*, float*);
template void activate(const CellFunction&, double, int64_t, double*, double*);

}  // namespace onemodel::kernels
