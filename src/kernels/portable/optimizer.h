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
  bool decoupled = false;  // AdamW: p is first multiplied by 1 - rate weight_decay, and g is the gradient alone
};
/// g = gradient + weight_decay p; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g²;
/// p -= rate / (1 - beta1^number) m / (sqrt(v) / sqrt(1 - beta2^number) + epsilon). With `largest` (not null), which keeps
/// the largest v of all steps, that takes v's place.
template <class T>
void adam(int64_t count, const AdamStep& step, const T* gradient, T* mean, T* square, T* largest, T* parameter);

/// One step of RMSprop.
struct RmspropStep {
  double rate, alpha, epsilon, weight_decay, momentum;
};
/// g = gradient + weight_decay p; s = alpha s + (1 - alpha) g²; with `mean` (not null) m = alpha m + (1 - alpha) g and
/// d = sqrt(s - m²) + epsilon, else d = sqrt(s) + epsilon; p -= rate g / d or, with `velocity`, v = momentum v + g / d
/// and p -= rate v.
template <class T>
void rmsprop(int64_t count, const RmspropStep& step, const T* gradient, T* square, T* mean, T* velocity, T* parameter);

/// One step of Adagrad; `rate` has its decay in it.
struct AdagradStep {
  double rate, epsilon, weight_decay;
};
/// g = gradient + weight_decay p; s += g²; p -= rate g / (sqrt(s) + epsilon).
template <class T>
void adagrad(int64_t count, const AdagradStep& step, const T* gradient, T* square, T* parameter);

}  // namespace onemodel::kernels
