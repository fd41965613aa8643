#pragma once
// Activation functions as modules; formulas are those of eager/functions.h.

#include "nn/layer.h"

namespace onemodel::nn {

/// max(x, 0).
class ReLU final : public Layer<ReLU, NoOptions> {
 public:
  static constexpr std::string_view kName = "ReLU";
  static constexpr std::string_view kDoc = "max(x, 0)";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct LeakyReLUOptions {
  double negative_slope = 0.01;
  static constexpr auto fields() {
    return std::tuple{field("negative_slope", &LeakyReLUOptions::negative_slope, "slope below zero")};
  }
};

/// x for x >= 0, negative_slope * x below.
class LeakyReLU final : public Layer<LeakyReLU, LeakyReLUOptions> {
 public:
  static constexpr std::string_view kName = "LeakyReLU";
  static constexpr std::string_view kDoc = "x for x >= 0, negative_slope * x below";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

/// 1 / (1 + e^-x).
class Sigmoid final : public Layer<Sigmoid, NoOptions> {
 public:
  static constexpr std::string_view kName = "Sigmoid";
  static constexpr std::string_view kDoc = "1 / (1 + e^-x)";
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

struct GELUOptions {
  std::string approximate = "none";
  static constexpr auto fields() {
    return std::tuple{field("approximate", &GELUOptions::approximate, "none or tanh; none is exact, by erf")};
  }
};

/// x times the normal distribution's cumulative function at x.
class GELU final : public Layer<GELU, GELUOptions> {
 public:
  static constexpr std::string_view kName = "GELU";
  static constexpr std::string_view kDoc = "x times the normal distribution's cumulative function at x";
  explicit GELU(const GELUOptions& options = {});
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

/// x clip(x / 6 + 1 / 2, 0, 1).
class Hardswish final : public Layer<Hardswish, NoOptions> {
 public:
  static constexpr std::string_view kName = "Hardswish";
  static constexpr std::string_view kDoc = "x clip(x / 6 + 1 / 2, 0, 1)";
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

}  // namespace onemodel::nn
