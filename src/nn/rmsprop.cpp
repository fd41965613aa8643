#include "nn/rmsprop.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
namespace {

constexpr std::string_view kCentered[] = {"square_avg", "grad_avg"};

}  // namespace

void RMSprop::check_options(const RMSpropOptions& options) {
  check_rate(kName, options.lr);
  check(options.alpha >= 0, "RMSprop: alpha must not be negative, got ", options.alpha);
  check(options.eps >= 0, "RMSprop: eps must not be negative, got ", options.eps);
  check(options.weight_decay >= 0, "RMSprop: weight_decay must not be negative, got ", options.weight_decay);
  check(options.momentum >= 0, "RMSprop: momentum must not be negative, got ", options.momentum);
}

Optimizer::Slots RMSprop::slots_for(const RMSpropOptions& options) {
  if (options.centered && options.momentum == 0) return kCentered;
  return Slots(kSlots).first(options.centered ? 3 : options.momentum > 0 ? 2 : 1);
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
