#include "nn/adagrad.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
void Adagrad::check_options(const AdagradOptions& options) {
  check_rate(kName, options.lr);
  check(options.lr_decay >= 0, "Adagrad: lr_decay must not be negative, got ", options.lr_decay);
  check(options.weight_decay >= 0, "Adagrad: weight_decay must not be negative, got ", options.weight_decay);
  check(options.initial_accumulator_value >= 0, "Adagrad: initial_accumulator_value must not be negative, got ",
        options.initial_accumulator_value);
  check(options.eps >= 0, "Adagrad: eps must not be negative, got ", options.eps);
}

Optimizer::Slots Adagrad::slots_for(const AdagradOptions&) { return kSlots; }

void Adagrad::advance(const AdagradOptions& options, const Update& update) {
  if (update.is_first) Tensor(update.slots[0]).fill(options.initial_accumulator_value);
  const double decay = 1 + static_cast<double>(update.step - 1) * options.lr_decay;
  const kernels::AdagradStep step = {
      .rate = options.lr / decay, .epsilon = options.eps, .weight_decay = options.weight_decay};
  const auto run = [&]<class T>(TypeTag<T>) {
    kernels::adagrad<T>(update.parameter.numel(), step, update.gradient.raw_as<T>(),
                        update.slots[0].mutable_raw_as<T>(), update.parameter.mutable_raw_as<T>());
  };
  update.parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
