#include <vector>

#include "eager/apply.h"
#include "eager/functional_trace.h"
#include "eager/functions.h"
#include "eager/functions_norm.h"
#include "eager/in_place.h"
#include "eager/record.h"
#include "eager/recording.h"
#include "ops/batch_normalization.h"

namespace onemodel {
namespace {

void check_image(std::string_view who, const Tensor& x) {
  check<ShapeError>(x.rank() == 4, who, ": the input must be [batch, channels, height, width], got ", x.dims());
}

constexpr std::string_view kBatchNorm = "batch_norm";

void check_channels(const Tensor& x) {
  check<ShapeError>(x.rank() >= 2, kBatchNorm, ": the input must be [batch, channels, ...], got ", x.dims());
}

// [channels] as it broadcasts to x [batch, channels, ...].
Tensor per_channel(const Tensor& vector, const Tensor& x) {
  Dims dims = Dims::filled(x.rank(), 1);
  dims[1] = -1;
  return reshape(vector, dims);
}

// new = (1 - momentum) old + momentum batch, outside of any record. The momentum is a float64 scalar.
void update_running(const Tensor& running, const Tensor& batch, const Tensor& momentum) {
  if (!running.defined()) return;
  const Tensor old = running.detach(), kept = cast(Tensor::scalar(1.0) - momentum, old.dtype());
  copy_(running, old * kept + reshape(batch.detach(), old.dims()) * cast(momentum, old.dtype()));
}

Tensor normalise_batch(std::string_view who, const Tensor& x, const BatchNormState& state, const Tensor& momentum,
                       double epsilon) {
  const int64_t channels = x.dims()[1];
  const int64_t count = channels == 0 ? 0 : x.numel() / channels;
  check<ShapeError>(count > 1, who, ": training needs more than one value per channel, got ", x.dims());
  Dims axes = {0};
  for (size_t i = 2; i < x.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  const Tensor average = mean(x, axes, true);
  const Tensor centred = x - average;
  const Tensor variance = mean(centred * centred, axes, true);
  update_running(state.running_mean, average, momentum);
  update_running(state.running_var, corrected_variance(variance.detach(), x, axes), momentum);
  return centred / sqrt(variance + epsilon);
}

Tensor train_channels(std::string_view who, const Tensor& x, const BatchNormState& state, const Tensor& momentum,
                      double epsilon) {
  if (active_trace() != 0 && !functional_trace() && state.running_mean.defined())
    refuse_trace(who, "in training mode its result depends on the batch's statistics; use evaluation mode", x);
  Tensor y = normalise_batch(who, x, state, momentum, epsilon);
  if (state.weight.defined()) y = y * per_channel(state.weight, x);
  return state.bias.defined() ? y + per_channel(state.bias, x) : y;
}

Tensor normalise_channels(std::string_view who, const Tensor& x, const BatchNormState& state, bool training,
                          double momentum, double epsilon) {
  if (training) return train_channels(who, x, state, Tensor::scalar(momentum), epsilon);
  check(state.running_mean.defined() && state.running_var.defined(), who, ": evaluation mode needs running statistics");
  const Tensor& mean = state.running_mean;
  const Tensor weight = state.weight.defined() ? state.weight : Tensor::full(mean.dims(), 1, mean.dtype());
  const Tensor bias = state.bias.defined() ? state.bias : Tensor::zeros(mean.dims(), mean.dtype());
  return apply(BatchNormalization{.epsilon = static_cast<float>(epsilon)}, {x, weight, bias, mean, state.running_var});
}

}  // namespace

Tensor global_avg_pool2d(const Tensor& x) {
  check_image("global_avg_pool2d", x);
  return mean(x, {2, 3}, true);
}

Tensor batch_norm2d(const Tensor& x, const BatchNormState& state, bool training, double momentum, double epsilon) {
  check_image("batch_norm2d", x);
  return normalise_channels("batch_norm2d", x, state, training, momentum, epsilon);
}

Tensor batch_norm(const Tensor& x, const BatchNormState& state, bool training, double momentum, double epsilon) {
  check_channels(x);
  return normalise_channels(kBatchNorm, x, state, training, momentum, epsilon);
}

Tensor train_batch_norm(const Tensor& x, const BatchNormState& state, const Tensor& momentum, double epsilon) {
  check_channels(x);
  return train_channels(kBatchNorm, x, state, momentum, epsilon);
}

Tensor dropout(const Tensor& x, double p, bool training, Generator& generator) {
  check(p >= 0 && p <= 1, "dropout: p must be in [0, 1], got ", p);
  if (!training || p == 0) return x;
  if (active_trace() != 0)
    refuse_trace("dropout", "in training mode its random mask would be frozen; use evaluation mode", x);
  const Tensor mask = Tensor::empty(x.dims());
  float* values = mask.mutable_raw_as<float>();
  const auto scale = static_cast<float>(p < 1 ? 1 / (1 - p) : 0);
  for (int64_t i = 0; i < mask.numel(); ++i) values[i] = generator.uniform() < p ? 0.0f : scale;
  return x * mask.cast(x.dtype());
}

}  // namespace onemodel
