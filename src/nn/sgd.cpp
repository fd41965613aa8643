#include "nn/sgd.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
namespace {

constexpr std::string_view kMomentumSlots[] = {"momentum_buffer"};

std::span<const std::string_view> slots(const SGDOptions& options) {
  if (options.momentum == 0) return {};
  return kMomentumSlots;
}

void check_rate(double lr) { check(lr >= 0, "SGD: lr must not be negative, got ", lr); }

}  // namespace

SGD::SGD(std::vector<Tensor> parameters, const SGDOptions& options)
    : Optimizer(std::move(parameters), slots(options)), options_(options) {
  check_rate(options.lr);
  check(options.momentum >= 0, "SGD: momentum must not be negative, got ", options.momentum);
  check(options.weight_decay >= 0, "SGD: weight_decay must not be negative, got ", options.weight_decay);
  check(!options.nesterov || (options.momentum > 0 && options.dampening == 0),
        "SGD: nesterov needs momentum and no dampening, got momentum ", options.momentum, " and dampening ",
        options.dampening);
}

void SGD::set_learning_rate(double rate) {
  check_rate(rate);
  options_.lr = rate;
}

void SGD::update(const Update& update) {
  const kernels::SgdStep step = {.rate = options_.lr,
                                 .momentum = options_.momentum,
                                 .dampening = update.step == 1 ? 0 : options_.dampening,
                                 .weight_decay = options_.weight_decay,
                                 .nesterov = options_.nesterov};
  const auto run = [&]<class T>(TypeTag<T>) {
    kernels::sgd<T>(update.parameter.numel(), step, update.gradient.raw_as<T>(),
                    update.slots.empty() ? nullptr : update.slots[0].mutable_raw_as<T>(),
                    update.parameter.mutable_raw_as<T>());
  };
  update.parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
