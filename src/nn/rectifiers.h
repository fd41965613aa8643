#pragma once
// Rectifiers and what resembles them; formulas are those of eager/functions.h and functions_activation.h.

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

/// min(max(x, 0), 6).
class ReLU6 final : public Layer<ReLU6, NoOptions> {
 public:
  static constexpr std::string_view kName = "ReLU6";
  static constexpr std::string_view kDoc = "min(max(x, 0), 6)";
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

struct PReLUOptions {
  int64_t num_parameters = 1;
  double init = 0.25;
  static constexpr auto fields() {
    return std::tuple{field("num_parameters", &PReLUOptions::num_parameters, "1, or the channels of the input"),
                      field("init", &PReLUOptions::init, "the weight at first")};
  }
};

/// x for x >= 0, weight x below; parameter weight [num_parameters].
class PReLU final : public Layer<PReLU, PReLUOptions> {
 public:
  static constexpr std::string_view kName = "PReLU";
  static constexpr std::string_view kDoc = "x above zero, a learned multiple of it below";
  explicit PReLU(const PReLUOptions& options = {});
  Tensor run(const Tensor& x);

 private:
  Tensor weight_;
};

struct ELUOptions {
  double alpha = 1;
  static constexpr auto fields() { return std::tuple{field("alpha", &ELUOptions::alpha, "factor below zero")}; }
};

/// x above zero, alpha (e^x - 1) below.
class ELU final : public Layer<ELU, ELUOptions> {
 public:
  static constexpr std::string_view kName = "ELU";
  static constexpr std::string_view kDoc = "x above zero, alpha (e^x - 1) below";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct CELUOptions {
  double alpha = 1;
  static constexpr auto fields() { return std::tuple{field("alpha", &CELUOptions::alpha, "factor below zero")}; }
};

/// x above zero, alpha (e^(x / alpha) - 1) below. Throws ArgumentError for alpha 0.
class CELU final : public Layer<CELU, CELUOptions> {
 public:
  static constexpr std::string_view kName = "CELU";
  static constexpr std::string_view kDoc = "x above zero, alpha (e^(x / alpha) - 1) below";
  explicit CELU(const CELUOptions& options = {});
  Tensor run(const Tensor& x);
};

/// Scaled exponential linear unit.
class SELU final : public Layer<SELU, NoOptions> {
 public:
  static constexpr std::string_view kName = "SELU";
  static constexpr std::string_view kDoc = "scaled exponential linear unit";
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

/// x sigmoid(x).
class SiLU final : public Layer<SiLU, NoOptions> {
 public:
  static constexpr std::string_view kName = "SiLU";
  static constexpr std::string_view kDoc = "x sigmoid(x)";
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

/// x tanh(softplus(x)).
class Mish final : public Layer<Mish, NoOptions> {
 public:
  static constexpr std::string_view kName = "Mish";
  static constexpr std::string_view kDoc = "x tanh(softplus(x))";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct SoftplusOptions {
  double beta = 1;
  double threshold = 20;
  static constexpr auto fields() {
    return std::tuple{
        field("beta", &SoftplusOptions::beta, "steepness"),
        field("threshold", &SoftplusOptions::threshold, "beta x beyond which PyTorch returns x; without effect here")};
  }
};

/// log(1 + e^(beta x)) / beta.
class Softplus final : public Layer<Softplus, SoftplusOptions> {
 public:
  static constexpr std::string_view kName = "Softplus";
  static constexpr std::string_view kDoc = "log(1 + e^(beta x)) / beta";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn
