#pragma once
// RMSprop: steps divided by a running root mean square of the gradient.

#include "nn/optimizer_of.h"

namespace onemodel::nn {

struct RMSpropOptions {
  double lr = 1e-2, alpha = 0.99, eps = 1e-8, weight_decay = 0, momentum = 0;
  bool centered = false;
  static constexpr auto fields() {
    using O = RMSpropOptions;
    return std::tuple{field("lr", &O::lr, "learning rate"),
                      field("alpha", &O::alpha, "share of the running mean square that is kept"),
                      field("eps", &O::eps, "added to the denominator"),
                      field("weight_decay", &O::weight_decay, "factor of the parameter added to its gradient"),
                      field("momentum", &O::momentum, "share of the last step that is kept"),
                      field("centered", &O::centered, "whether the running mean is taken off the mean square")};
  }
};

/// PyTorch's torch.optim.RMSprop (Tieleman and Hinton, Lecture 6.5, 2012; centred: Graves, "Generating sequences with
/// recurrent neural networks", 2013); formulas in kernels/portable/optimizer.h. Throws ArgumentError for options out of
/// range.
class RMSprop final : public OptimizerOf<RMSprop, RMSpropOptions> {
 public:
  static constexpr std::string_view kName = "RMSprop";
  static constexpr std::string_view kDoc = "steps divided by a running root mean square of the gradient";
  static constexpr std::string_view kSlots[] = {"square_avg", "momentum_buffer", "grad_avg"};
  using OptimizerOf::OptimizerOf;
  static void check_options(const RMSpropOptions& options);
  static Slots slots_for(const RMSpropOptions& options);
  static void advance(const RMSpropOptions& options, const Update& update);
};

}  // namespace onemodel::nn
