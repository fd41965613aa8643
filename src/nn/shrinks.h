#pragma once
// Activations with a threshold, and Softmin.

#include "nn/activations.h"

namespace onemodel::nn {

struct ThresholdOptions {
  double threshold = 0, value = 0;
  static constexpr auto fields() {
    using O = ThresholdOptions;
    return std::tuple{required_field("threshold", &O::threshold, "above it elements stay"),
                      required_field("value", &O::value, "what the others become")};
  }
};

/// x above `threshold`, else `value`.
class Threshold final : public Layer<Threshold, ThresholdOptions> {
 public:
  static constexpr std::string_view kName = "Threshold";
  static constexpr std::string_view kDoc = "x above threshold, else value";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct ShrinkOptions {
  double lambd = 0.5;
  static constexpr auto fields() {
    return std::tuple{field("lambd", &ShrinkOptions::lambd, "elements up to it in magnitude become 0")};
  }
};

/// x above lambd and below -lambd, 0 between.
class Hardshrink final : public Layer<Hardshrink, ShrinkOptions> {
 public:
  static constexpr std::string_view kName = "Hardshrink";
  static constexpr std::string_view kDoc = "x above lambd and below -lambd, 0 between";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

/// x - lambd above lambd, x + lambd below -lambd, 0 between. Throws ArgumentError for a negative lambd.
class Softshrink final : public Layer<Softshrink, ShrinkOptions> {
 public:
  static constexpr std::string_view kName = "Softshrink";
  static constexpr std::string_view kDoc = "x - lambd above lambd, x + lambd below -lambd, 0 between";
  explicit Softshrink(const ShrinkOptions& options = {});
  Tensor run(const Tensor& x);
};

/// The softmax of -x.
class Softmin final : public Layer<Softmin, SoftmaxOptions> {
 public:
  static constexpr std::string_view kName = "Softmin";
  static constexpr std::string_view kDoc = "the softmax of -x";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn
