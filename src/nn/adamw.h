#pragma once
// AdamW: Adam with weight decay apart from the gradient.

#include "nn/optimizer_of.h"

namespace onemodel::nn {

struct AdamWOptions {
  double lr = 1e-3;
  std::vector<double> betas = {0.9, 0.999};
  double eps = 1e-8, weight_decay = 1e-2;
  bool amsgrad = false;
  static constexpr auto fields() {
    using O = AdamWOptions;
    return std::tuple{field("lr", &O::lr, "learning rate"),
                      field("betas", &O::betas, "shares of the two running moments that are kept"),
                      field("eps", &O::eps, "added to the denominator"),
                      field("weight_decay", &O::weight_decay, "share of the parameter, times lr, that each step drops"),
                      field("amsgrad", &O::amsgrad, "whether the largest second moment so far takes its place")};
  }
};

/// PyTorch's torch.optim.AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019):
/// p *= 1 - lr weight_decay, then a step of Adam without decay. Throws ArgumentError for options out of range.
class AdamW final : public OptimizerOf<AdamW, AdamWOptions> {
 public:
  static constexpr std::string_view kName = "AdamW";
  static constexpr std::string_view kDoc = "Adam with weight decay apart from the gradient";
  static constexpr std::string_view kSlots[] = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
  using OptimizerOf::OptimizerOf;
  static void check_options(const AdamWOptions& options);
  static Slots slots_for(const AdamWOptions& options);
  static void advance(const AdamWOptions& options, const Update& update);
};

}  // namespace onemodel::nn
