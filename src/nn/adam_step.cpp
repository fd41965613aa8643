#include "nn/adam_step.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {

void check_adam(std::string_view owner, const AdamNumbers& numbers) {
  check(numbers.betas.size() == 2, owner, ": betas must be two numbers, got ", numbers.betas.size());
  for (const double beta : numbers.betas) check(beta >= 0 && beta < 1, owner, ": betas must be in [0, 1), got ", beta);
  check(numbers.eps >= 0, owner, ": eps must not be negative, got ", numbers.eps);
  check(numbers.weight_decay >= 0, owner, ": weight_decay must not be negative, got ", numbers.weight_decay);
}

void advance_adam(const AdamNumbers& numbers, bool decoupled, int64_t number, const Tensor& parameter,
                  const Tensor& gradient, std::span<const Tensor> moments) {
  const kernels::AdamStep step = {.rate = numbers.lr,
                                  .beta1 = numbers.betas[0],
                                  .beta2 = numbers.betas[1],
                                  .epsilon = numbers.eps,
                                  .weight_decay = numbers.weight_decay,
                                  .number = number,
                                  .decoupled = decoupled};
  const auto run = [&]<class T>(TypeTag<T>) {
    kernels::adam<T>(parameter.numel(), step, gradient.raw_as<T>(), moments[0].mutable_raw_as<T>(),
                     moments[1].mutable_raw_as<T>(), moments.size() > 2 ? moments[2].mutable_raw_as<T>() : nullptr,
                     parameter.mutable_raw_as<T>());
  };
  parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
