#include "nn/schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "eager/recording.h"
#include "nn/cosine.h"
#include "nn/module.h"

namespace onemodel::nn {
namespace {

// By squaring, the same everywhere.
double power(double base, int64_t exponent) {
  double out = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1) out *= base;
  return out;
}

void refuse_traced_change() {
  check_untraced("a schedule", "the rates that it sets are no part of the graph; step it outside of the trace");
}

}  // namespace

Schedule::Schedule(Optimizer& optimizer) : optimizer_(optimizer) {
  for (size_t g = 0; g < optimizer.group_count(); ++g) bases_.push_back(optimizer.learning_rate(g));
}

void Schedule::set(int64_t steps) {
  refuse_traced_change();
  check(bases_.size() == optimizer_.group_count(), describe(), " was made for ", bases_.size(),
        " parameter groups, the optimizer has ", optimizer_.group_count());
  const std::vector<OptionValues> all = all_values(steps);
  for (size_t g = 0; g < all.size(); ++g) optimizer_.set_option_values(g, all[g]);
}

std::vector<Schedule::OptionValues> Schedule::all_values(int64_t steps) const {
  std::vector<OptionValues> out;
  for (size_t g = 0; g < bases_.size(); ++g) {
    out.push_back(values(steps, g));
    optimizer_.check_option_values(g, out.back());
  }
  return out;
}

void Schedule::step() {
  set(steps_ + 1);
  ++steps_;
}

std::vector<double> Schedule::last_rates() const {
  std::vector<double> out;
  for (size_t g = 0; g < optimizer_.group_count(); ++g) out.push_back(optimizer_.learning_rate(g));
  return out;
}

std::map<std::string, Tensor> Schedule::state_dict() const {
  return {{"last_epoch", Tensor::scalar(steps_)},
          {"base_lrs", Tensor::from(std::span<const double>(bases_), {static_cast<int64_t>(bases_.size())})}};
}

std::string Schedule::state_problems(const std::map<std::string, Tensor>& state) const {
  std::string out;
  const std::map<std::string, Tensor> own = state_dict();
  if (const size_t groups = optimizer_.group_count(); bases_.size() != groups)
    out += concat("\n  made for ", bases_.size(), " parameter groups, the optimizer has ", groups);
  for (const auto& [name, tensor] : own) {
    const auto found = state.find(name);
    if (found == state.end())
      out += concat("\n  missing: ", name);
    else if (found->second.dims() != tensor.dims())
      out += concat("\n  shape of ", name, ": expected ", tensor.dims(), ", got ", found->second.dims());
    else if (found->second.dtype() == DType::string)
      out += concat("\n  ", name, ": expected numbers, got ", found->second);
  }
  for (const auto& [name, tensor] : state)
    if (!own.contains(name)) out += concat("\n  unexpected: ", name);
  return out.empty() ? value_problems(state) : out;
}

// Of a state whose entries fit.
std::string Schedule::value_problems(const std::map<std::string, Tensor>& state) const {
  std::string out;
  std::vector<double> bases = state.at("base_lrs").cast(DType::f64).to_vector<double>();
  for (const double base : bases)
    if (!(base >= 0 && std::isfinite(base))) out += concat("\n  base_lrs: expected rates of 0 or more, got ", base);
  const auto steps = state.at("last_epoch").cast(DType::f64).item<double>();
  if (!(steps >= 0 && steps == std::trunc(steps) && steps <= 0x1p53))
    return out + concat("\n  last_epoch: expected a whole number of 0 or more, got ", steps);
  if (!out.empty()) return out;
  std::swap(bases_, bases);
  try {
    all_values(static_cast<int64_t>(steps));  // refuses a number that is beyond the schedule, too
  } catch (const ArgumentError& error) {
    out += concat("\n  last_epoch: ", error.what());
  }
  std::swap(bases_, bases);
  return out;
}

void Schedule::load_state_dict(const std::map<std::string, Tensor>& state) {
  check_state("load_state_dict", describe(), state_problems(state));
  refuse_traced_change();
  steps_ = state.at("last_epoch").cast(DType::i64).item<int64_t>();
  bases_ = state.at("base_lrs").cast(DType::f64).to_vector<double>();
  apply();
}

StepLR::StepLR(Optimizer& optimizer, const Options& options) : Schedule(optimizer), options_(options) {
  check(options.step_size >= 1, kName, ": step_size must be at least 1, got ", options.step_size);
  apply();
}

double StepLR::rate(int64_t steps, size_t group) const {
  return base(group) * power(options_.gamma, steps / options_.step_size);
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, const Options& options) : Schedule(optimizer), options_(options) {
  check(std::ranges::is_sorted(options.milestones), kName, ": milestones must ascend");
  apply();
}

double MultiStepLR::rate(int64_t steps, size_t group) const {
  const auto passed = std::ranges::upper_bound(options_.milestones, steps) - options_.milestones.begin();
  return base(group) * power(options_.gamma, passed);
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, const Options& options)
    : Schedule(optimizer), options_(options) {
  check(options.T_max >= 1, kName, ": T_max must be at least 1, got ", options.T_max);
  apply();
}

double CosineAnnealingLR::rate(int64_t steps, size_t group) const {
  return half_cosine(base(group), options_.eta_min, static_cast<double>(steps) / static_cast<double>(options_.T_max));
}

LinearLR::LinearLR(Optimizer& optimizer, const Options& options) : Schedule(optimizer), options_(options) {
  check(options.start_factor > 0 && options.start_factor <= 1, kName, ": start_factor must be in (0, 1], got ",
        options.start_factor);
  check(options.end_factor >= 0 && options.end_factor <= 1, kName, ": end_factor must be in [0, 1], got ",
        options.end_factor);
  check(options.total_iters >= 1, kName, ": total_iters must be at least 1, got ", options.total_iters);
  apply();
}

double LinearLR::rate(int64_t steps, size_t group) const {
  const double part =
      static_cast<double>(std::min(steps, options_.total_iters)) / static_cast<double>(options_.total_iters);
  return base(group) * (options_.start_factor + (options_.end_factor - options_.start_factor) * part);
}

}  // namespace onemodel::nn
