#include "nn/adamw.h"

#include "nn/adam_step.h"

namespace onemodel::nn {

void AdamW::check_options(const AdamWOptions& options) {
  check_rate(kName, options.lr);
  check_adam(kName, adam_numbers(options));
}

Optimizer::Slots AdamW::slots_for(const AdamWOptions& options) { return Slots(kSlots).first(options.amsgrad ? 3 : 2); }

void AdamW::advance(const AdamWOptions& options, const Update& update) {
  advance_adam(adam_numbers(options), true, update.step, update.parameter, update.gradient, update.slots);
}

}  // namespace onemodel::nn
