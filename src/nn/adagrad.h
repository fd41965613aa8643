#pragma once
// Adagrad: steps divided by the root of all squared gradients so far.

#include "nn/optimizer_of.h"

namespace onemodel::nn {

struct AdagradOptions {
  double lr = 1e-2, lr_decay = 0, weight_decay = 0, initial_accumulator_value = 0, eps = 1e-10;
  static constexpr auto fields() {
    using O = AdagradOptions;
    return std::tuple{field("lr", &O::lr, "learning rate"),
                      field("lr_decay", &O::lr_decay, "the rate of step n is lr / (1 + (n - 1) lr_decay)"),
                      field("weight_decay", &O::weight_decay, "factor of the parameter added to its gradient"),
                      field("initial_accumulator_value", &O::initial_accumulator_value, "the sum of squares at first"),
                      field("eps", &O::eps, "added to the denominator")};
  }
};

/// PyTorch's torch.optim.Adagrad (Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011); formulas in
/// kernels/portable/optimizer.h. Throws ArgumentError for options out of range.
class Adagrad final : public OptimizerOf<Adagrad, AdagradOptions> {
 public:
  static constexpr std::string_view kName = "Adagrad";
  static constexpr std::string_view kDoc = "steps divided by the root of all squared gradients so far";
  static constexpr std::string_view kSlots[] = {"sum"};
  using OptimizerOf::OptimizerOf;
  static void check_options(const AdagradOptions& options);
  static Slots slots_for(const AdagradOptions& options);
  static void advance(const AdagradOptions& options, const Update& update);
};

}  // namespace onemodel::nn
