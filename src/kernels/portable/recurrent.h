#pragma once
// One direction of a recurrent layer, RNN, GRU or LSTM, as ONNX defines them, and its gradient.
//
// Shapes: contiguous x [steps, batch, inputs], w [gates * hidden, inputs], r [gates * hidden, hidden],
//   b [2 * gates * hidden] (of w, then of r), states [batch, hidden], peepholes p [3 * hidden] (i, o, f).
//   y has rows [batch, hidden], `y_step` elements from one step to the next. Empty extents are fine.
//   Gates are in ONNX's order: LSTM i o f c, GRU z r h.
// Dtypes: f32 and f64.
// Order: products as in matmul.h; sums over steps and batch in that order.
// Aliasing: outputs overlap no input.
// Threads: those of the products, and rows of the batch; the same bits for any number.

#include <cstdint>
#include <limits>

namespace onemodel::kernels {

enum class Activation : uint8_t {
  sigmoid,
  tanh,
  relu,
  affine,            // alpha x + beta
  leaky_relu,        // x >= 0 ? x : alpha x
  thresholded_relu,  // x >= alpha ? x : 0
  scaled_tanh,       // alpha tanh(beta x)
  hard_sigmoid,      // alpha x + beta within [0, 1]
  elu,               // x >= 0 ? x : alpha (e^x - 1)
  softsign,          // x / (1 + |x|)
  softplus,          // log(1 + e^x)
};

/// An activation with its numbers, as far as it has any.
struct CellFunction {
  Activation activation;
  double alpha = 0, beta = 0;
};

struct RecurrentShape {
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0;
  int64_t y_step = 0;
  bool reverse = false;              // from the last step to the first
  const int32_t* lengths = nullptr;  // [batch]; steps from a row's length on are not run, and 0 in y
  double clip = std::numeric_limits<double>::infinity();  // bound of what goes into the gates' activations

  /// Whether row `b` of the batch runs in step `t`.
  bool runs(int64_t t, int64_t b) const { return !lengths || t < lengths[b]; }
};

/// Null: b and the states are zeros, and there are no peepholes.
template <class T>
struct RecurrentInputs {
  const T *x, *w, *r, *b = nullptr, *h = nullptr, *c = nullptr, *p = nullptr;
};

/// Each may be null: not wanted. `h` and `c` are the states after the last step of each row.
template <class T>
struct RecurrentOutputs {
  T *y = nullptr, *h = nullptr, *c = nullptr;
};

/// Gradients by the outputs (null: zeros) and, to be written, by the inputs (null: not wanted). `x` is added to.
template <class T>
struct RecurrentGradients {
  const T *y_by = nullptr, *h_by = nullptr, *c_by = nullptr;
  T *x = nullptr, *w = nullptr, *r = nullptr, *b = nullptr, *h = nullptr, *c = nullptr, *p = nullptr;
};

/// h' = f(x Wᵀ + h Rᵀ + b).
struct RnnCell {
  CellFunction f{Activation::tanh};
};

/// z = f(x, h), r = f(x, h); n = g(x Wᵀ + (r h) Rᵀ + b) or, with linear_before_reset, g(x Wᵀ + b + r (h Rᵀ + b));
/// h' = (1 - z) n + z h. Cho et al., "Learning phrase representations using RNN encoder-decoder" (2014).
struct GruCell {
  CellFunction f{Activation::sigmoid}, g{Activation::tanh};
  bool linear_before_reset = false;
};

/// i = f(x, h, p c), o = f(x, h, p c'), forget = f(x, h, p c) or, coupled, 1 - i; c' = forget c + i g(x, h);
/// h' = o h(c'). Hochreiter and Schmidhuber, "Long short-term memory" (1997), with peepholes.
struct LstmCell {
  CellFunction f{Activation::sigmoid}, g{Activation::tanh}, h{Activation::tanh};
  bool coupled = false;
};

/// Cell is one of the three above.
template <class T, class Cell>
void recurrent(const RecurrentShape& shape, const Cell& cell, const RecurrentInputs<T>& in,
               const RecurrentOutputs<T>& out);

/// Backpropagation through time; runs the steps forward anew.
template <class T, class Cell>
void recurrent_gradient(const RecurrentShape& shape, const Cell& cell, const RecurrentInputs<T>& in,
                        const RecurrentGradients<T>& gradients);

}  // namespace onemodel::kernels
