#include "nn/schedule.h"

#include <algorithm>
#include <numbers>

#include "core/math.h"
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

// From `start` to `end` along half a cosine; `part` in [0, 1].
double half_cosine(double start, double end, double part) {
  return end + (start - end) / 2 * (1 + math::cos(std::numbers::pi * part));
}

}  // namespace

Schedule::Schedule(Optimizer& optimizer) : optimizer_(optimizer), base_(optimizer.learning_rate()) {}

void Schedule::apply() { optimizer_.set_learning_rate(rate(steps_)); }

void Schedule::step() {
  const double next = rate(steps_ + 1);
  ++steps_;
  optimizer_.set_learning_rate(next);
}

std::map<std::string, Tensor> Schedule::state_dict() const {
  return {{"last_epoch", Tensor::scalar(steps_)}, {"base_lr", Tensor::scalar(base_)}};
}

void Schedule::load_state_dict(const std::map<std::string, Tensor>& state) {
  for (const char* name : {"last_epoch", "base_lr"})
    check_state("load_state_dict", "the schedule", state.contains(name) ? "" : concat("\n  missing: ", name));
  steps_ = state.at("last_epoch").item<int64_t>();
  base_ = state.at("base_lr").item<double>();
  apply();
}

StepLR::StepLR(Optimizer& optimizer, int64_t step_size, double gamma)
    : Schedule(optimizer), step_size_(step_size), gamma_(gamma) {
  check(step_size >= 1, "StepLR: step_size must be at least 1, got ", step_size);
  apply();
}

double StepLR::rate(int64_t steps) const { return base() * power(gamma_, steps / step_size_); }

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, int64_t T_max, double eta_min)
    : Schedule(optimizer), t_max_(T_max), eta_min_(eta_min) {
  check(T_max >= 1, "CosineAnnealingLR: T_max must be at least 1, got ", T_max);
  apply();
}

double CosineAnnealingLR::rate(int64_t steps) const {
  return half_cosine(base(), eta_min_, static_cast<double>(steps) / static_cast<double>(t_max_));
}

LinearLR::LinearLR(Optimizer& optimizer, double start_factor, double end_factor, int64_t total_iters)
    : Schedule(optimizer), start_(start_factor), end_(end_factor), total_(total_iters) {
  check(start_factor > 0 && start_factor <= 1, "LinearLR: start_factor must be in (0, 1], got ", start_factor);
  check(end_factor >= 0 && end_factor <= 1, "LinearLR: end_factor must be in [0, 1], got ", end_factor);
  check(total_iters >= 1, "LinearLR: total_iters must be at least 1, got ", total_iters);
  apply();
}

double LinearLR::rate(int64_t steps) const {
  const double part = static_cast<double>(std::min(steps, total_)) / static_cast<double>(total_);
  return base() * (start_ + (end_ - start_) * part);
}

OneCycleLR::OneCycleLR(Optimizer& optimizer, double max_lr, int64_t total_steps, double pct_start, double div_factor,
                       double final_div_factor)
    : Schedule(optimizer),
      max_(max_lr),
      initial_(max_lr / div_factor),
      lowest_(initial_ / final_div_factor),
      pct_start_(pct_start),
      total_(total_steps) {
  check(max_lr >= 0, "OneCycleLR: max_lr must not be negative, got ", max_lr);
  check(total_steps >= 1, "OneCycleLR: total_steps must be at least 1, got ", total_steps);
  check(pct_start >= 0 && pct_start <= 1, "OneCycleLR: pct_start must be in [0, 1], got ", pct_start);
  check(div_factor > 0 && final_div_factor > 0, "OneCycleLR: div_factor and final_div_factor must be positive");
  apply();
}

double OneCycleLR::rate(int64_t steps) const {
  check(steps >= 0 && steps <= total_, "OneCycleLR: step ", steps, " is beyond total_steps ", total_);
  const auto at = static_cast<double>(steps);
  const double top = pct_start_ * static_cast<double>(total_) - 1, last = static_cast<double>(total_) - 1;
  if (at <= top) return half_cosine(initial_, max_, top > 0 ? at / top : 1);
  return half_cosine(max_, lowest_, last > top ? (at - top) / (last - top) : 1);
}

}  // namespace onemodel::nn
