#pragma once
// Activations but for the rectifiers (nn/rectifiers.h); formulas are those of eager/functions.h and
// functions_activation.h.

#include "nn/layer.h"

namespace onemodel::nn {

/// 1 / (1 + e^-x).
class Sigmoid final : public Layer<Sigmoid, NoOptions> {
 public:
  static constexpr std::string_view kName = "Sigmoid";
  static constexpr std::string_view kDoc = "1 / (1 + e^-x)";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

/// The logarithm of the sigmoid.
class LogSigmoid final : public Layer<LogSigmoid, NoOptions> {
 public:
  static constexpr std::string_view kName = "LogSigmoid";
  static constexpr std::string_view kDoc = "the logarithm of the sigmoid";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

/// clip(x / 6 + 1 / 2, 0, 1).
class Hardsigmoid final : public Layer<Hardsigmoid, NoOptions> {
 public:
  static constexpr std::string_view kName = "Hardsigmoid";
  static constexpr std::string_view kDoc = "clip(x / 6 + 1 / 2, 0, 1)";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

/// Hyperbolic tangent.
class Tanh final : public Layer<Tanh, NoOptions> {
 public:
  static constexpr std::string_view kName = "Tanh";
  static constexpr std::string_view kDoc = "hyperbolic tangent";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct HardtanhOptions {
  double min_val = -1;
  double max_val = 1;
  static constexpr auto fields() {
    return std::tuple{field("min_val", &HardtanhOptions::min_val, "lower bound"),
                      field("max_val", &HardtanhOptions::max_val, "upper bound")};
  }
};

/// min(max(x, min_val), max_val). Throws ArgumentError unless min_val < max_val.
class Hardtanh final : public Layer<Hardtanh, HardtanhOptions> {
 public:
  static constexpr std::string_view kName = "Hardtanh";
  static constexpr std::string_view kDoc = "min(max(x, min_val), max_val)";
  explicit Hardtanh(const HardtanhOptions& options = {});
  Tensor run(const Tensor& x);
};

/// x / (1 + |x|).
class Softsign final : public Layer<Softsign, NoOptions> {
 public:
  static constexpr std::string_view kName = "Softsign";
  static constexpr std::string_view kDoc = "x / (1 + |x|)";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct SoftmaxOptions {
  int64_t dim = -1;
  static constexpr auto fields() {
    return std::tuple{required_field("dim", &SoftmaxOptions::dim, "axis that sums to one")};
  }
};

/// Exponentials that sum to one along `dim`.
class Softmax final : public Layer<Softmax, SoftmaxOptions> {
 public:
  static constexpr std::string_view kName = "Softmax";
  static constexpr std::string_view kDoc = "exponentials that sum to one along dim";
  using Layer::Layer;
  explicit Softmax(int64_t dim) : Layer(SoftmaxOptions{dim}) {}
  Tensor run(const Tensor& x);
};

/// The logarithm of Softmax.
class LogSoftmax final : public Layer<LogSoftmax, SoftmaxOptions> {
 public:
  static constexpr std::string_view kName = "LogSoftmax";
  static constexpr std::string_view kDoc = "the logarithm of Softmax";
  using Layer::Layer;
  explicit LogSoftmax(int64_t dim) : Layer(SoftmaxOptions{dim}) {}
  Tensor run(const Tensor& x);
};

struct GLUOptions {
  int64_t dim = -1;
  static constexpr auto fields() { return std::tuple{field("dim", &GLUOptions::dim, "axis that is halved")}; }
};

/// The first half along dim times the sigmoid of the second.
class GLU final : public Layer<GLU, GLUOptions> {
 public:
  static constexpr std::string_view kName = "GLU";
  static constexpr std::string_view kDoc = "the first half along dim times the sigmoid of the second";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn
