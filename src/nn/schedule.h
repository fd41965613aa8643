#pragma once
// Learning rates that change from step to step, by PyTorch's formulas and names.

#include <map>
#include <string>

#include "nn/optimizer.h"
#include "nn/options.h"

namespace onemodel::nn {

/// The base of all schedules. A group's rate is a function of the number of steps and of the rate that the group had
/// when the schedule was made, so that a resumed run goes on exactly. The optimizer outlives the schedule.
class Schedule {
 public:
  virtual ~Schedule() = default;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  /// Counts a step and sets the learning rates; to be called after the optimizer's own step. Throws
  /// TraceError(UnsupportedOperation) while tracing, as all that sets rates.
  void step();
  int64_t last_epoch() const { return steps_; }
  /// The learning rate of a group after `steps` steps.
  virtual double rate(int64_t steps, size_t group = 0) const = 0;
  /// The rates of all groups now.
  std::vector<double> last_rates() const;
  virtual std::string describe() const = 0;
  /// "last_epoch" (int64 scalar) and "base_lrs" (float64, one for each group).
  std::map<std::string, Tensor> state_dict() const;
  /// Throws ModelError naming what is missing, unexpected or of another shape, a number of steps that is none or beyond
  /// the schedule and rates that the optimizer does not take, before anything is changed.
  void load_state_dict(const std::map<std::string, Tensor>& state);
  /// What `load_state_dict` would complain of; empty when nothing.
  std::string state_problems(const std::map<std::string, Tensor>& state) const;

 protected:
  explicit Schedule(Optimizer& optimizer);
  double base(size_t group) const { return bases_.at(group); }
  Optimizer& optimizer() const { return optimizer_; }
  using OptionValues = std::vector<std::optional<AttributeValue>>;
  /// Sets what belongs to the present step; for constructors.
  void apply() { set(steps_); }
  /// The options of a group after `steps` steps, of which the rate is the first.
  virtual OptionValues values(int64_t steps, size_t group) const { return {rate(steps, group)}; }

 private:
  /// Those of all groups; throws ArgumentError when the optimizer does not take them.
  std::vector<OptionValues> all_values(int64_t steps) const;
  void set(int64_t steps);
  std::string value_problems(const std::map<std::string, Tensor>& state) const;
  Optimizer& optimizer_;
  mutable std::vector<double> bases_;  // others while those of a state are looked at
  int64_t steps_ = 0;
};

struct StepLROptions {
  int64_t step_size = 1;
  double gamma = 0.1;
  static constexpr auto fields() {
    using O = StepLROptions;
    return std::tuple{required_field("step_size", &O::step_size, "steps with one rate"),
                      field("gamma", &O::gamma, "factor of the rate after them")};
  }
};

/// base gamma^floor(steps / step_size).
class StepLR final : public Schedule {
 public:
  static constexpr std::string_view kName = "StepLR";
  static constexpr std::string_view kDoc = "the rate times gamma after every step_size steps";
  using Options = StepLROptions;
  StepLR(Optimizer& optimizer, const Options& options);
  double rate(int64_t steps, size_t group = 0) const override;
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  Options options_;
};

struct MultiStepLROptions {
  std::vector<int64_t> milestones;
  double gamma = 0.1;
  static constexpr auto fields() {
    using O = MultiStepLROptions;
    return std::tuple{required_field("milestones", &O::milestones, "steps at which the rate changes, ascending"),
                      field("gamma", &O::gamma, "factor of the rate at each")};
  }
};

/// base gamma^(milestones passed).
class MultiStepLR final : public Schedule {
 public:
  static constexpr std::string_view kName = "MultiStepLR";
  static constexpr std::string_view kDoc = "the rate times gamma at each milestone";
  using Options = MultiStepLROptions;
  MultiStepLR(Optimizer& optimizer, const Options& options);
  double rate(int64_t steps, size_t group = 0) const override;
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  Options options_;
};

struct CosineAnnealingLROptions {
  int64_t T_max = 1;
  double eta_min = 0;
  static constexpr auto fields() {
    using O = CosineAnnealingLROptions;
    return std::tuple{required_field("T_max", &O::T_max, "steps from the highest rate to the lowest"),
                      field("eta_min", &O::eta_min, "the lowest rate")};
  }
};

/// eta_min + (base - eta_min) (1 + cos(pi steps / T_max)) / 2; Loshchilov and Hutter, "SGDR" (2017).
class CosineAnnealingLR final : public Schedule {
 public:
  static constexpr std::string_view kName = "CosineAnnealingLR";
  static constexpr std::string_view kDoc = "the rate down to eta_min along half a cosine";
  using Options = CosineAnnealingLROptions;
  CosineAnnealingLR(Optimizer& optimizer, const Options& options);
  double rate(int64_t steps, size_t group = 0) const override;
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  Options options_;
};

struct LinearLROptions {
  double start_factor = 1.0 / 3, end_factor = 1;
  int64_t total_iters = 5;
  static constexpr auto fields() {
    using O = LinearLROptions;
    return std::tuple{field("start_factor", &O::start_factor, "factor of the rate at first, in (0, 1]"),
                      field("end_factor", &O::end_factor, "factor at last, in [0, 1]"),
                      field("total_iters", &O::total_iters, "steps from the one to the other")};
  }
};

/// Warm-up: base times a factor that goes from start_factor to end_factor in total_iters steps, then stays.
class LinearLR final : public Schedule {
 public:
  static constexpr std::string_view kName = "LinearLR";
  static constexpr std::string_view kDoc = "warm-up: the rate times a factor that changes evenly";
  using Options = LinearLROptions;
  explicit LinearLR(Optimizer& optimizer, const Options& options = {});
  double rate(int64_t steps, size_t group = 0) const override;
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  Options options_;
};

}  // namespace onemodel::nn
