#include "kernels/portable/optimizer.h"

#include <algorithm>
#include <cmath>

#include "kernels/thread_pool.h"

namespace onemodel::kernels {
namespace {

constexpr size_t kGrain = 16384;

// By squaring: the library's pow may differ between machines.
double power(double base, int64_t exponent) {
  double out = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1) out *= base;
  return out;
}

template <class T>
T decayed(T gradient, T decay, T parameter) {
  return decay == 0 ? gradient : gradient + decay * parameter;
}

template <class F>
void for_range(int64_t count, F body) {
  thread_pool().parallel_for(static_cast<size_t>(count), kGrain, body);
}

}  // namespace

template <class T>
void sgd(int64_t count, const SgdStep& step, const T* gradient, T* velocity, T* parameter) {
  const T rate = static_cast<T>(step.rate), decay = static_cast<T>(step.weight_decay);
  const T momentum = static_cast<T>(step.momentum), fresh = static_cast<T>(1 - step.dampening);
  for_range(count, [=, nesterov = step.nesterov](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      T change = decayed(gradient[i], decay, parameter[i]);
      if (velocity) {
        const T v = momentum * velocity[i] + fresh * change;
        velocity[i] = v;
        change = nesterov ? change + momentum * v : v;
      }
      parameter[i] -= rate * change;
    }
  });
}

template <class T>
void adam(int64_t count, const AdamStep& step, const T* gradient, T* mean, T* square, T* largest, T* parameter) {
  const T beta1 = static_cast<T>(step.beta1), fresh1 = static_cast<T>(1 - step.beta1);
  const T beta2 = static_cast<T>(step.beta2), fresh2 = static_cast<T>(1 - step.beta2);
  const T decay = static_cast<T>(step.decoupled ? 0 : step.weight_decay), epsilon = static_cast<T>(step.epsilon);
  const T kept = static_cast<T>(step.decoupled ? 1 - step.rate * step.weight_decay : 1);
  const T rate = static_cast<T>(step.rate / (1 - power(step.beta1, step.number)));
  const T correction = static_cast<T>(std::sqrt(1 - power(step.beta2, step.number)));
  for_range(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      parameter[i] *= kept;
      const T g = decayed(gradient[i], decay, parameter[i]);
      mean[i] = beta1 * mean[i] + fresh1 * g;
      square[i] = beta2 * square[i] + fresh2 * (g * g);
      T spread = square[i];
      if (largest) spread = largest[i] = std::max(largest[i], spread);
      parameter[i] -= rate * mean[i] / (std::sqrt(spread) / correction + epsilon);
    }
  });
}

template <class T>
void rmsprop(int64_t count, const RmspropStep& step, const T* gradient, T* square, T* mean, T* velocity, T* parameter) {
  const T rate = static_cast<T>(step.rate), decay = static_cast<T>(step.weight_decay);
  const T alpha = static_cast<T>(step.alpha), fresh = static_cast<T>(1 - step.alpha);
  const T momentum = static_cast<T>(step.momentum), epsilon = static_cast<T>(step.epsilon);
  for_range(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const T g = decayed(gradient[i], decay, parameter[i]);
      square[i] = alpha * square[i] + fresh * (g * g);
      T spread = square[i];
      if (mean) {
        mean[i] = alpha * mean[i] + fresh * g;
        spread -= mean[i] * mean[i];
      }
      T change = g / (std::sqrt(spread) + epsilon);
      if (velocity) change = velocity[i] = momentum * velocity[i] + change;
      parameter[i] -= rate * change;
    }
  });
}

template <class T>
void adagrad(int64_t count, const AdagradStep& step, const T* gradient, T* square, T* parameter) {
  const T rate = static_cast<T>(step.rate), decay = static_cast<T>(step.weight_decay);
  const T epsilon = static_cast<T>(step.epsilon);
  for_range(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const T g = decayed(gradient[i], decay, parameter[i]);
      square[i] += g * g;
      parameter[i] -= rate * g / (std::sqrt(square[i]) + epsilon);
    }
  });
}

#define ONEMODEL_INSTANTIATE(T)                                                 \
  template void sgd(int64_t, const SgdStep&, const T*, T*, T*);                 \
  template void adam(int64_t, const AdamStep&, const T*, T*, T*, T*, T*);       \
  template void rmsprop(int64_t, const RmspropStep&, const T*, T*, T*, T*, T*); \
  template void adagrad(int64_t, const AdagradStep&, const T*, T*, T*);
ONEMODEL_INSTANTIATE(float)
ONEMODEL_INSTANTIATE(double)
#undef ONEMODEL_INSTANTIATE

}  // namespace onemodel::kernels
