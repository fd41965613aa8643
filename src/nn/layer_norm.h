#pragma once
// Normalisation by the statistics of each example: LayerNorm, RMSNorm, GroupNorm.

#include "nn/layer.h"

namespace onemodel::nn {

struct LayerNormOptions {
  Sizes normalized_shape;
  double eps = 1e-5;
  bool elementwise_affine = true, bias = true;
  static constexpr auto fields() {
    using O = LayerNormOptions;
    return std::tuple{required_field("normalized_shape", &O::normalized_shape, "extents of the last axes"),
                      field("eps", &O::eps, "added to the variance"),
                      field("elementwise_affine", &O::elementwise_affine, "whether there is a weight"),
                      field("bias", &O::bias, "whether there is a bias beside the weight")};
  }
};

/// layer_norm of eager/functions_norm.h; parameters weight and bias of `normalized_shape`, at first 1 and 0.
class LayerNorm final : public Layer<LayerNorm, LayerNormOptions> {
 public:
  static constexpr std::string_view kName = "LayerNorm";
  static constexpr std::string_view kDoc = "normalises over the last axes";
  explicit LayerNorm(const LayerNormOptions& options);
  Tensor run(const Tensor& x);

 private:
  Dims shape_;
  Tensor weight_, bias_;
};

struct RMSNormOptions {
  Sizes normalized_shape;
  std::optional<double> eps = {};
  bool elementwise_affine = true;
  static constexpr auto fields() {
    using O = RMSNormOptions;
    return std::tuple{required_field("normalized_shape", &O::normalized_shape, "extents of the last axes"),
                      field("eps", &O::eps, "added to the mean square; the dtype's machine epsilon when left out"),
                      field("elementwise_affine", &O::elementwise_affine, "whether there is a weight")};
  }
};

/// rms_norm of eager/functions_norm.h; parameter weight of `normalized_shape`, at first 1.
class RMSNorm final : public Layer<RMSNorm, RMSNormOptions> {
 public:
  static constexpr std::string_view kName = "RMSNorm";
  static constexpr std::string_view kDoc = "divides by the root mean square over the last axes";
  explicit RMSNorm(const RMSNormOptions& options);
  Tensor run(const Tensor& x);

 private:
  Dims shape_;
  Tensor weight_;
};

struct GroupNormOptions {
  int64_t num_groups = 0, num_channels = 0;
  double eps = 1e-5;
  bool affine = true;
  static constexpr auto fields() {
    using O = GroupNormOptions;
    return std::tuple{required_field("num_groups", &O::num_groups, "groups, which divide the channels"),
                      required_field("num_channels", &O::num_channels, "channels of the input"),
                      field("eps", &O::eps, "added to the variance"),
                      field("affine", &O::affine, "whether there are a weight and a bias")};
  }
};

/// group_norm of eager/functions_norm.h; parameters weight and bias [num_channels], at first 1 and 0.
class GroupNorm final : public Layer<GroupNorm, GroupNormOptions> {
 public:
  static constexpr std::string_view kName = "GroupNorm";
  static constexpr std::string_view kDoc = "normalises over groups of channels";
  explicit GroupNorm(const GroupNormOptions& options);
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

}  // namespace onemodel::nn
