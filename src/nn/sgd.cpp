#include "nn/sgd.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
void SGD::check_options(const SGDOptions& options) {
  check_rate(kName, options.lr);
  check(options.momentum >= 0, "SGD: momentum must not be negative, got ", options.momentum);
  check(options.weight_decay >= 0, "SGD: weight_decay must not be negative, got ", options.weight_decay);
  check(!options.nesterov || (options.momentum > 0 && options.dampening == 0),
        "SGD: nesterov needs momentum and no dampening, got momentum ", options.momentum, " and dampening ",
        options.dampening);
}

Optimizer::Slots SGD::slots_for(const SGDOptions& options) {
  if (options.momentum == 0) return {};
  return kSlots;
}

void SGD::advance(const SGDOptions& options, const Update& update) {
  const kernels::SgdStep step = {.rate = options.lr,
                                 .momentum = options.momentum,
                                 .dampening = update.is_first ? 0 : options.dampening,
                                 .weight_decay = options.weight_decay,
                                 .nesterov = options.nesterov};
  const auto run = [&]<class T>(TypeTag<T>) {
    kernels::sgd<T>(update.parameter.numel(), step, update.gradient.raw_as<T>(),
                    update.slots.empty() ? nullptr : update.slots[0].mutable_raw_as<T>(),
                    update.parameter.mutable_raw_as<T>());
  };
  update.parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
