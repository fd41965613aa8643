#pragma once
// Normalisation and dropout: the layers whose result depends on the mode.

#include "nn/layer.h"

namespace onemodel::nn {

/// The weight of a batch in running statistics: a number, or nothing, with which they are the means of all batches since
/// num_batches_tracked was 0 (PyTorch's None).
struct Momentum {
  std::optional<double> value;
  Momentum(double number) : value(number) {}
  Momentum(std::nullopt_t) {}
};

}  // namespace onemodel::nn

namespace onemodel::detail {

/// A number; an undefined tensor stands for nothing, which is not the default.
template <>
struct FieldCodec<nn::Momentum> {
  static constexpr AttributeKind kind = AttributeKind::real;
  static std::optional<AttributeValue> encode(const nn::Momentum& momentum);
  static bool decode(const AttributeValue& value, nn::Momentum& out);
};
template <>
inline constexpr bool is_optional<nn::Momentum> = true;

}  // namespace onemodel::detail

namespace onemodel::nn {

struct BatchNorm2dOptions {
  int64_t num_features = 0;
  double eps = 1e-5;
  Momentum momentum = 0.1;
  bool affine = true, track_running_stats = true;
  static constexpr auto fields() {
    using O = BatchNorm2dOptions;
    return std::tuple{required_field("num_features", &O::num_features, "channels of the input"),
                      field("eps", &O::eps, "added to the variance"),
                      field("momentum", &O::momentum,
                            "weight of a batch in the running statistics, or null (C++: std::nullopt) for the mean of "
                            "all batches"),
                      field("affine", &O::affine, "whether there are a weight and a bias"),
                      field("track_running_stats", &O::track_running_stats,
                            "whether running statistics are kept and used in evaluation mode")};
  }
};

/// What layers of channels hold: weight and bias, and running statistics with a count, as options say.
struct ChannelNormState {
  BatchNormState values;
  Tensor num_batches_tracked;
};

/// Each channel of [batch, num_features, height, width] normalised, as batch_norm of eager/functions.h. Parameters
/// weight and bias, buffers running_mean and running_var, all [num_features], and num_batches_tracked (int64 scalar).
class BatchNorm2d final : public Layer<BatchNorm2d, BatchNorm2dOptions> {
 public:
  static constexpr std::string_view kName = "BatchNorm2d";
  static constexpr std::string_view kDoc = "normalises each channel by its mean and variance";
  explicit BatchNorm2d(const BatchNorm2dOptions& options);
  explicit BatchNorm2d(int64_t num_features) : BatchNorm2d(BatchNorm2dOptions{.num_features = num_features}) {}
  Tensor run(const Tensor& x);

 private:
  ChannelNormState state_;
};

struct DropoutOptions {
  double p = 0.5;
  static constexpr auto fields() {
    return std::tuple{field("p", &DropoutOptions::p, "probability of an element to become 0")};
  }
};

/// In training mode sets elements to 0 with probability p and divides the others by 1 - p, with a mask from the default
/// generator; in evaluation mode returns its input.
class Dropout final : public Layer<Dropout, DropoutOptions> {
 public:
  static constexpr std::string_view kName = "Dropout";
  static constexpr std::string_view kDoc = "sets random elements to 0 while training";
  explicit Dropout(const DropoutOptions& options = {});
  explicit Dropout(double p) : Dropout(DropoutOptions{p}) {}
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn
