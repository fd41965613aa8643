#include "nn/adam.h"

#include "nn/adam_step.h"

namespace onemodel::nn {

void Adam::check_options(const AdamOptions& options) {
  check_rate(kName, options.lr);
  check_adam(kName, adam_numbers(options));
}

Optimizer::Slots Adam::slots_for(const AdamOptions& options) { return Slots(kSlots).first(options.amsgrad ? 3 : 2); }

void Adam::advance(const AdamOptions& options, const Update& update) {
  advance_adam(adam_numbers(options), false, update.step, update.parameter, update.gradient, update.slots);
}

}  // namespace onemodel::nn
