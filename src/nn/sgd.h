#pragma once
// Stochastic gradient descent.

#include "nn/optimizer_of.h"

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
class SGD final : public OptimizerOf<SGD, SGDOptions> {
 public:
  static constexpr std::string_view kName = "SGD";
  static constexpr std::string_view kDoc = "stochastic gradient descent with momentum";
  static constexpr std::string_view kSlots[] = {"momentum_buffer"};
  using OptimizerOf::OptimizerOf;
  static void check_options(const SGDOptions& options);
  static Slots slots_for(const SGDOptions& options);
  static void advance(const SGDOptions& options, const Update& update);
};

}  // namespace onemodel::nn
