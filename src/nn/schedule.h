#pragma once
// Learning rates that change from step to step, by PyTorch's formulas and names.

#include <map>
#include <string>

#include "nn/optimizer.h"

namespace onemodel::nn {

/// The base of all schedules. The rate is a function of the number of steps alone, so that a resumed run goes on
/// exactly. The optimizer outlives the schedule.
class Schedule {
 public:
  virtual ~Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  /// Counts a step and sets the optimizer's learning rate; to be called after the optimizer's own step.
  void step();
  int64_t last_epoch() const { return steps_; }
  /// The learning rate after `steps` steps.
  virtual double rate(int64_t steps) const = 0;
  /// "last_epoch" (int64 scalar) and "base_lr" (float64 scalar).
  std::map<std::string, Tensor> state_dict() const;
  /// Throws ModelError naming what is missing.
  void load_state_dict(const std::map<std::string, Tensor>& state);

 protected:
  explicit Schedule(Optimizer& optimizer);
  double base() const { return base_; }
  /// Sets the rate of the present step; for constructors.
  void apply();

 private:
  Optimizer& optimizer_;
  double base_;
  int64_t steps_ = 0;
};

/// base gamma^floor(steps / step_size).
class StepLR final : public Schedule {
 public:
  StepLR(Optimizer& optimizer, int64_t step_size, double gamma = 0.1);
  double rate(int64_t steps) const override;

 private:
  int64_t step_size_;
  double gamma_;
};

/// eta_min + (base - eta_min) (1 + cos(pi steps / T_max)) / 2; Loshchilov and Hutter, "SGDR" (2017).
class CosineAnnealingLR final : public Schedule {
 public:
  CosineAnnealingLR(Optimizer& optimizer, int64_t T_max, double eta_min = 0);
  double rate(int64_t steps) const override;

 private:
  int64_t t_max_;
  double eta_min_;
};

/// Warm-up: base times a factor that goes from start_factor to end_factor in total_iters steps, then stays.
class LinearLR final : public Schedule {
 public:
  LinearLR(Optimizer& optimizer, double start_factor = 1.0 / 3, double end_factor = 1, int64_t total_iters = 5);
  double rate(int64_t steps) const override;

 private:
  double start_, end_;
  int64_t total_;
};

/// By cosines from max_lr / div_factor up to max_lr in the first pct_start of total_steps, then down to
/// max_lr / (div_factor final_div_factor); momentum stays, as with PyTorch's cycle_momentum=False. Smith and Topin,
/// "Super-convergence" (2018). `rate` throws ArgumentError beyond total_steps.
class OneCycleLR final : public Schedule {
 public:
  OneCycleLR(Optimizer& optimizer, double max_lr, int64_t total_steps, double pct_start = 0.3, double div_factor = 25,
             double final_div_factor = 1e4);
  double rate(int64_t steps) const override;

 private:
  double max_, initial_, lowest_, pct_start_;
  int64_t total_;
};

}  // namespace onemodel::nn
