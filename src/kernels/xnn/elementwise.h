#pragma once
// Functions of one element, and of two with broadcasting.

#include <cstdint>

#include "core/dims.h"
#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

enum class Unary {
  neg,
  abs,
  exp,
  log,
  sqrt,
  reciprocal,
  square,
  floor,
  ceil,
  round,  // round: half to even
  relu,
  leaky_relu,  // x < 0 ? a * x : x
  elu,         // x < 0 ? a * (exp(x) - 1) : x
  sigmoid,
  tanh,
  erf,
  softplus,
  silu,         // x * sigmoid(x)
  gelu,         // with erf
  gelu_tanh,    // ONNX approximate="tanh"
  hardsigmoid,  // clamp(a * x + b, 0, 1)
  hardswish,    // x * clamp(x / 6 + 0.5, 0, 1)
  clamp,        // to [a, b]
};

/// y[i] = f(x[i]) for `count` floats. Inputs {x}, outputs {y}; y may be x. NaN gives NaN; infinities give what the
/// formula above gives. Within 1e-6 of the larger of 1 and the exact value's magnitude.
PreparedPtr unary(Unary function, int64_t count, float a, float b, std::string& refusal);

enum class Binary { add, sub, mul, div, min, max, squared_difference };

/// y = clamp(f(a, b), low, high), both inputs broadcast as in Numpy. Inputs {a, b}, outputs {y}; y may be an input of
/// y's shape. NaN in either gives NaN. Refuses shapes that do not fit.
PreparedPtr binary(Binary function, const Dims& a, const Dims& b, float low, float high, std::string& refusal);
PreparedPtr binary(Binary function, const Dims& a, const Dims& b, std::string& refusal);

}  // namespace onemodel::kernels::xnn
