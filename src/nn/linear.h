#pragma once
// Fully connected layer.

#include "nn/layer.h"

namespace onemodel::nn {

struct LinearOptions {
  int64_t in_features = 0, out_features = 0;
  bool bias = true;
  static constexpr auto fields() {
    return std::tuple{required_field("in_features", &LinearOptions::in_features, "extent of the input's last axis"),
                      required_field("out_features", &LinearOptions::out_features, "extent of the output's last axis"),
                      field("bias", &LinearOptions::bias, "whether a bias is added")};
  }
};

/// x weightᵀ + bias: [..., in_features] -> [..., out_features]; weight [out_features, in_features], bias
/// [out_features].
class Linear final : public Layer<Linear, LinearOptions> {
 public:
  static constexpr std::string_view kName = "Linear";
  static constexpr std::string_view kDoc = "x times the transposed weight, plus bias";
  explicit Linear(const LinearOptions& options);
  Linear(int64_t in_features, int64_t out_features, bool bias = true)
      : Linear(LinearOptions{in_features, out_features, bias}) {}
  Tensor run(const Tensor& x);

 private:
  Tensor weight_, bias_;
};

}  // namespace onemodel::nn
