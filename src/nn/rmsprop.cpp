#include "nn/rmsprop.h"

#include "kernels/portable/optimizer.h"

namespace onemodel::nn {
namespace {

constexpr std::string_view kPlain[] = {"square_avg"};
constexpr std::string_view kMomentum[] = {"square_avg", "momentum_buffer"};
constexpr std::string_view kCentered[] = {"square_avg", "grad_avg"};
constexpr std::string_view kBoth[] = {"square_avg", "momentum_buffer", "grad_avg"};

std::span<const std::string_view> slots(const RMSpropOptions& o) {
  if (o.momentum > 0) return o.centered ? std::span<const std::string_view>(kBoth) : kMomentum;
  return o.centered ? std::span<const std::string_view>(kCentered) : kPlain;
}

void check_rate(double lr) { check(lr >= 0, "RMSprop: lr must not be negative, got ", lr); }

}  // namespace

RMSprop::RMSprop(std::vector<Tensor> parameters, const RMSpropOptions& options)
    : Optimizer(std::move(parameters), slots(options)), options_(options) {
  check_rate(options.lr);
  check(options.alpha >= 0, "RMSprop: alpha must not be negative, got ", options.alpha);
  check(options.eps >= 0, "RMSprop: eps must not be negative, got ", options.eps);
  check(options.weight_decay >= 0, "RMSprop: weight_decay must not be negative, got ", options.weight_decay);
  check(options.momentum >= 0, "RMSprop: momentum must not be negative, got ", options.momentum);
}

void RMSprop::set_learning_rate(double rate) {
  check_rate(rate);
  options_.lr = rate;
}

void RMSprop::update(const Update& update) {
  const kernels::RmspropStep step = {.rate = options_.lr,
                                     .alpha = options_.alpha,
                                     .epsilon = options_.eps,
                                     .weight_decay = options_.weight_decay,
                                     .momentum = options_.momentum};
  const auto run = [&]<class T>(TypeTag<T>) {
    T* velocity = options_.momentum > 0 ? update.slots[1].mutable_raw_as<T>() : nullptr;
    T* mean = options_.centered ? update.slots.back().mutable_raw_as<T>() : nullptr;
    kernels::rmsprop<T>(update.parameter.numel(), step, update.gradient.raw_as<T>(),
                        update.slots[0].mutable_raw_as<T>(), mean, velocity, update.parameter.mutable_raw_as<T>());
  };
  update.parameter.dtype() == DType::f32 ? run(TypeTag<float>{}) : run(TypeTag<double>{});
}

}  // namespace onemodel::nn
