#include "nn/adam.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
void Adam::check_options(const AdamOptions& options) {
  check_rate(kName, options.lr);
  check(options.betas.size() == 2, "Adam: betas must be two numbers, got ", options.betas.size());
  for (const double beta : options.betas) check(beta >= 0 && beta < 1, "Adam: betas must be in [0, 1), got ", beta);
  check(options.eps >= 0, "Adam: eps must not be negative, got ", options.eps);
  check(options.weight_decay >= 0, "Adam: weight_decay must not be negative, got ", options.weight_decay);
}

Optimizer::Slots Adam::slots_for(const AdamOptions& options) { return Slots(kSlots).first(options.amsgrad ? 3 : 2); }

void Adam::advance(const AdamOptions& options, const Update& update) {
  const kernels::AdamStep step = {.rate = options.lr,
                                  .beta1 = options.betas[0],
                                  .beta2 = options.betas[1],
                                  .epsilon = options.eps,
                                  .weight_decay = options.weight_decay,
                                  .number = update.step};
  const auto run = [&]<class T>(TypeTag<T>) {
    kernels::adam<T>(update.parameter.numel(), step, update.gradient.raw_as<T>(), update.slots[0].mutable_raw_as<T>(),
                     update.slots[1].mutable_raw_as<T>(),
                     options.amsgrad ? update.slots[2].mutable_raw_as<T>() : nullptr,
                     update.parameter.mutable_raw_as<T>());
  };
  update.parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
