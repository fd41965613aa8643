#pragma once
// More activation functions as modules; formulas are those of eager/functions_activation.h.

#include "nn/layer.h"

namespace onemodel::nn {

/// x sigmoid(x).
class SiLU final : public Layer<SiLU, NoOptions> {
 public:
  static constexpr std::string_view kName = "SiLU";
  static constexpr std::string_view kDoc = "x sigmoid(x)";
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

/// Scaled exponential linear unit.
class SELU final : public Layer<SELU, NoOptions> {
 public:
  static constexpr std::string_view kName = "SELU";
  static constexpr std::string_view kDoc = "scaled exponential linear unit";
  using Layer::Layer;
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

/// The logarithm of the sigmoid.
class LogSigmoid final : public Layer<LogSigmoid, NoOptions> {
 public:
  static constexpr std::string_view kName = "LogSigmoid";
  static constexpr std::string_view kDoc = "the logarithm of the sigmoid";
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

}  // namespace onemodel::nn
