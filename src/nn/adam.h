#pragma once
// Adam: steps scaled by running moments of the gradient.

#include "nn/optimizer_of.h"

namespace onemodel::nn {

struct AdamOptions {
  double lr = 1e-3;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 0;
  bool amsgrad = false;
  static constexpr auto fields() {
    using O = AdamOptions;
    return std::tuple{field("lr", &O::lr, "learning rate"),
                      field("betas", &O::betas, "shares of the two running moments that are kept"),
                      field("eps", &O::eps, "added to the denominator"),
                      field("weight_decay", &O::weight_decay, "factor of the parameter added to its gradient"),
                      field("amsgrad", &O::amsgrad, "whether the largest second moment so far takes its place")};
  }
};

/// PyTorch's torch.optim.Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015). With
/// g = gradient + weight_decay p: m = β₁ m + (1 - β₁) g, v = β₂ v + (1 - β₂) g²,
/// p -= lr / (1 - β₁ᵗ) m / (sqrt(v) / sqrt(1 - β₂ᵗ) + eps); with amsgrad (Reddi et al., "On the convergence of Adam and
/// beyond", 2018) the largest v so far takes the place of v. Throws ArgumentError for options out of range.
class Adam final : public OptimizerOf<Adam, AdamOptions> {
 public:
  static constexpr std::string_view kName = "Adam";
  static constexpr std::string_view kDoc = "steps scaled by running moments of the gradient";
  static constexpr std::string_view kSlots[] = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
  using OptimizerOf::OptimizerOf;
  static void check_options(const AdamOptions& options);
  static Slots slots_for(const AdamOptions& options);
  static void advance(const AdamOptions& options, const Update& update);
};

}  // namespace onemodel::nn
