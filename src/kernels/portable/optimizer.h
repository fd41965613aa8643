#pragma once
// Parameter updates of optimizers, each in one pass over the data.
//
// Shapes: contiguous arrays of `count` elements. Dtypes: float and double. Options are rounded to T once.
// Aliasing: none.
// Threads: split over elements; the same bits for any number.

#include <cstdint>

namespace onemodel::kernels {

/// One step of stochastic gradient descent.
struct SgdStep {
  double rate, momentum, dampening, weight_decay;
  bool nesterov;
};
/// g = gradient + weight_decay p; without `velocity` (null) p -= rate g; else v = momentum v + (1 - dampening) g and
/// p -= rate v, or rate (g + momentum v) with nesterov.
template <class T>
void sgd(int64_t count, const SgdStep& step, const T* gradient, T* velocity, T* parameter);

/// One step of Adam; `number` counts from 1.
struct AdamStep {
  double rate, beta1, beta2, epsilon, weight_decay;
  int64_t number;
};
/// g = gradient + weight_decay p; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g²;
/// p -= rate / (1 - beta1^number) m / (sqrt(v) / sqrt(1 - beta2^number) + epsilon).
template <class T>
void adam(int64_t count, const AdamStep& step, const T* gradient, T* mean, T* square, T* parameter);

}  // namespace onemodel::kernels
