#pragma once
// Stochastic gradient descent.

#include "nn/optimizer.h"
#include "nn/options.h"

namespace onemodel::nn {

struct SGDOptions {
  double lr = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
  static constexpr auto fields() {
    using O = SGDOptions;
    return std::tuple{field("lr", &O::lr, "learning rate"),
                      field("momentum", &O::momentum, "share of the last step that is kept"),
                      field("dampening", &O::dampening, "share of the gradient that momentum leaves out"),
                      field("weight_decay", &O::weight_decay, "factor of the parameter added to its gradient"),
                      field("nesterov", &O::nesterov, "whether to look ahead along the momentum")};
  }
};

/// PyTorch's torch.optim.SGD. With g = gradient + weight_decay p: v = momentum v + (1 - dampening) g (v = g at the
/// first step), p -= lr v, or lr (g + momentum v) with nesterov. Throws ArgumentError for negative options and for
/// nesterov without momentum or with dampening.
class SGD final : public Optimizer {
 public:
  static constexpr std::string_view kName = "SGD";
  static constexpr std::string_view kDoc = "stochastic gradient descent with momentum";
  using Options = SGDOptions;
  explicit SGD(std::vector<Tensor> parameters, const SGDOptions& options = {});
  double learning_rate() const override { return options_.lr; }
  void set_learning_rate(double rate) override;
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  void update(const Update& update) override;
  SGDOptions options_;
};

}  // namespace onemodel::nn
