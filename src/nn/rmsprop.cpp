#include "nn/rmsprop.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
namespace {

constexpr std::string_view kPlain[] = {"square_avg"};
constexpr std::string_view kMomentum[] = {"square_avg", "momentum_buffer"};
constexpr std::string_view kCentered[] = {"square_avg", "grad_avg"};
constexpr std::string_view kBoth[] = {"square_avg", "momentum_buffer", "grad_avg"};

}  // namespace

void RMSprop::check_options(const RMSpropOptions& options) {
  check(options.lr >= 0, "RMSprop: lr must not be negative, got ", options.lr);
  check(options.alpha >= 0, "RMSprop: alpha must not be negative, got ", options.alpha);
  check(options.eps >= 0, "RMSprop: eps must not be negative, got ", options.eps);
  check(options.weight_decay >= 0, "RMSprop: weight_decay must not be negative, got ", options.weight_decay);
  check(options.momentum >= 0, "RMSprop: momentum must not be negative, got ", options.momentum);
}

Optimizer::Slots RMSprop::slots_for(const RMSpropOptions& options) {
  if (options.momentum > 0) return options.centered ? Slots(kBoth) : kMomentum;
  return options.centered ? Slots(kCentered) : kPlain;
}

void RMSprop::advance(const RMSpropOptions& options, const Update& update) {
  const kernels::RmspropStep step = {.rate = options.lr,
                                     .alpha = options.alpha,
                                     .epsilon = options.eps,
                                     .weight_decay = options.weight_decay,
                                     .momentum = options.momentum};
  const auto run = [&]<class T>(TypeTag<T>) {
    T* velocity = options.momentum > 0 ? update.slots[1].mutable_raw_as<T>() : nullptr;
    T* mean = options.centered ? update.slots.back().mutable_raw_as<T>() : nullptr;
    kernels::rmsprop<T>(update.parameter.numel(), step, update.gradient.raw_as<T>(),
                        update.slots[0].mutable_raw_as<T>(), mean, velocity, update.parameter.mutable_raw_as<T>());
  };
  update.parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
