#pragma once
// One cycle of the learning rate: up, then down to almost nothing.

#include "nn/schedule.h"

namespace onemodel::nn {

struct OneCycleLROptions {
  Factors max_lr;
  int64_t total_steps = 1;
  double pct_start = 0.3;
  std::string anneal_strategy = "cos";
  bool cycle_momentum = true;
  Factors base_momentum = 0.85, max_momentum = 0.95;
  double div_factor = 25, final_div_factor = 1e4;
  bool three_phase = false;
  static constexpr auto fields() {
    using O = OneCycleLROptions;
    return std::tuple{
        required_field("max_lr", &O::max_lr, "the highest rate, for all groups or for each"),
        required_field("total_steps", &O::total_steps, "steps of the cycle"),
        field("pct_start", &O::pct_start, "share of the steps in which the rate rises"),
        field("anneal_strategy", &O::anneal_strategy, "cos or linear"),
        field("cycle_momentum", &O::cycle_momentum, "whether momentum, or the first of betas, falls as the rate rises"),
        field("base_momentum", &O::base_momentum, "the lowest momentum, for all groups or for each"),
        field("max_momentum", &O::max_momentum, "the highest momentum, for all groups or for each"),
        field("div_factor", &O::div_factor, "max_lr over the first rate"),
        field("final_div_factor", &O::final_div_factor, "the first rate over the last"),
        field("three_phase", &O::three_phase, "whether the rate falls as slowly as it rose before the last phase")};
  }
};

/// From max_lr / div_factor up to max_lr in the first pct_start of total_steps, then down to max_lr / (div_factor
/// final_div_factor), along half cosines or lines; momentum the other way. Smith and Topin, "Super-convergence" (2018).
/// Errors: ArgumentError for options out of range and for cycle_momentum with an optimizer that has none, and from
/// `rate` beyond total_steps.
class OneCycleLR final : public Schedule {
 public:
  static constexpr std::string_view kName = "OneCycleLR";
  static constexpr std::string_view kDoc = "the rate up to max_lr, then down to almost nothing; momentum the other way";
  using Options = OneCycleLROptions;
  OneCycleLR(Optimizer& optimizer, const Options& options);
  double rate(int64_t steps, size_t group = 0) const override;
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  OptionValues values(int64_t steps, size_t group) const override;
  void put_momentum(OptionValues& values, size_t group, double momentum) const;
  double momentum(int64_t steps, size_t group) const;
  Options options_;
};

}  // namespace onemodel::nn
