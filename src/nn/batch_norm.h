#pragma once
// BatchNorm1d and BatchNorm3d, InstanceNorm1d to 3d. BatchNorm2d is declared in nn/norm.h.

#include "nn/norm.h"

namespace onemodel::nn {

/// Each channel of [batch, num_features] or [batch, num_features, length] normalised, as BatchNorm2d.
class BatchNorm1d final : public Layer<BatchNorm1d, BatchNorm2dOptions> {
 public:
  static constexpr std::string_view kName = "BatchNorm1d";
  static constexpr std::string_view kDoc = "normalises each channel by its mean and variance";
  explicit BatchNorm1d(const BatchNorm2dOptions& options);
  Tensor run(const Tensor& x);

 private:
  ChannelNormState state_;
};

/// Each channel of [batch, num_features, depth, height, width] normalised, as BatchNorm2d.
class BatchNorm3d final : public Layer<BatchNorm3d, BatchNorm2dOptions> {
 public:
  static constexpr std::string_view kName = "BatchNorm3d";
  static constexpr std::string_view kDoc = "normalises each channel by its mean and variance";
  explicit BatchNorm3d(const BatchNorm2dOptions& options);
  Tensor run(const Tensor& x);

 private:
  ChannelNormState state_;
};

struct InstanceNormOptions {
  int64_t num_features = 0;
  double eps = 1e-5, momentum = 0.1;
  bool affine = false, track_running_stats = false;
  static constexpr auto fields() {
    using O = InstanceNormOptions;
    return std::tuple{required_field("num_features", &O::num_features, "channels of the input"),
                      field("eps", &O::eps, "added to the variance"),
                      field("momentum", &O::momentum, "weight of a batch in the running statistics"),
                      field("affine", &O::affine, "whether there are a weight and a bias"),
                      field("track_running_stats", &O::track_running_stats,
                            "whether running statistics are kept and used in evaluation mode")};
  }
};

/// instance_norm of eager/functions_norm.h over [batch, num_features, length].
class InstanceNorm1d final : public Layer<InstanceNorm1d, InstanceNormOptions> {
 public:
  static constexpr std::string_view kName = "InstanceNorm1d";
  static constexpr std::string_view kDoc = "normalises each channel of each example";
  explicit InstanceNorm1d(const InstanceNormOptions& options);
  Tensor run(const Tensor& x);

 private:
  ChannelNormState state_;
};

/// instance_norm of eager/functions_norm.h over [batch, num_features, height, width].
class InstanceNorm2d final : public Layer<InstanceNorm2d, InstanceNormOptions> {
 public:
  static constexpr std::string_view kName = "InstanceNorm2d";
  static constexpr std::string_view kDoc = "normalises each channel of each image";
  explicit InstanceNorm2d(const InstanceNormOptions& options);
  Tensor run(const Tensor& x);

 private:
  ChannelNormState state_;
};

/// instance_norm of eager/functions_norm.h over [batch, num_features, depth, height, width].
class InstanceNorm3d final : public Layer<InstanceNorm3d, InstanceNormOptions> {
 public:
  static constexpr std::string_view kName = "InstanceNorm3d";
  static constexpr std::string_view kDoc = "normalises each channel of each volume";
  explicit InstanceNorm3d(const InstanceNormOptions& options);
  Tensor run(const Tensor& x);

 private:
  ChannelNormState state_;
};

}  // namespace onemodel::nn
