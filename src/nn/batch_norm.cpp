#include "nn/batch_norm.h"

#include <cmath>
#include <utility>

#include "eager/functions_norm.h"
#include "eager/in_place.h"
#include "eager/unbatched.h"

namespace onemodel::nn {
namespace {

using Register = std::function<Tensor(const char* name, Tensor tensor)>;

template <class O>
ChannelNormState make_state(std::string_view who, const O& options, const Register& parameter, const Register& buffer) {
  check_at_least(1, who, "num_features", options.num_features);
  check_not_negative(who, "eps", options.eps);
  const double momentum = Momentum(options.momentum).value.value_or(0);
  check(std::isfinite(momentum), who, ": momentum must be finite, got ", momentum);
  const Dims channels = {options.num_features};
  ChannelNormState state;
  if (options.affine) {
    state.values.weight = parameter("weight", Tensor::full(channels, 1));
    state.values.bias = parameter("bias", Tensor::zeros(channels));
  }
  if (options.track_running_stats) {
    state.values.running_mean = buffer("running_mean", Tensor::zeros(channels));
    state.values.running_var = buffer("running_var", Tensor::full(channels, 1));
    state.num_batches_tracked = buffer("num_batches_tracked", Tensor::zeros({}, DType::i64));
  }
  return state;
}

void check_channels(std::string_view who, const Tensor& x, bool rank_fits, int64_t channels, std::string_view rest) {
  check<ShapeError>(rank_fits && x.dims()[1] == channels, who, ": the input must be [batch, ", channels, rest, ", got ",
                    x.dims());
}

void count_batch(bool training, const ChannelNormState& state) {
  if (training && state.num_batches_tracked.defined()) add_(state.num_batches_tracked, 1);
}

// The weight of the next batch by which all have the same.
Tensor even_weight(const Tensor& batches) { return Tensor::scalar(1.0) / (cast(batches, DType::f64) + 1); }

Tensor run_batch_norm(const Tensor& x, const ChannelNormState& state, bool training,
                      const BatchNorm2dOptions& options) {
  const bool batch_statistics = training || !options.track_running_stats, fixed = options.momentum.value.has_value();
  Tensor y = training && !fixed && state.num_batches_tracked.defined()
                 ? train_batch_norm(x, state.values, even_weight(state.num_batches_tracked), options.eps)
                 : batch_norm(x, state.values, batch_statistics, options.momentum.value.value_or(0), options.eps);
  count_batch(training, state);
  return y;
}

template <class O>
Tensor run_instance_norm(std::string_view who, size_t rank, std::string_view rest, const Tensor& x,
                         const ChannelNormState& state, bool training, const O& options) {
  const BatchNormState& s = state.values;
  const bool own = training || !options.track_running_stats;
  return with_batch(x, rank, [&](const Tensor& batch) {
    check_channels(who, batch, batch.rank() == rank, options.num_features, rest);
    return instance_norm(batch, s.running_mean, s.running_var, s.weight, s.bias, own, options.momentum, options.eps);
  });
}

}  // namespace

#define OM_STATE(kName)                                                                                      \
  make_state(                                                                                                \
      kName, options, [this](const char* name, Tensor t) { return register_parameter(name, std::move(t)); }, \
      [this](const char* name, Tensor t) { return register_buffer(name, std::move(t)); })

BatchNorm1d::BatchNorm1d(const BatchNorm2dOptions& options) : Layer(options) { state_ = OM_STATE(kName); }

Tensor BatchNorm1d::run(const Tensor& x) {
  check_channels(kName, x, x.rank() == 2 || x.rank() == 3, options().num_features, "] or with a length");
  return run_batch_norm(x, state_, training(), options());
}

BatchNorm2d::BatchNorm2d(const BatchNorm2dOptions& options) : Layer(options) { state_ = OM_STATE(kName); }

Tensor BatchNorm2d::run(const Tensor& x) {
  check_channels(kName, x, x.rank() == 4, options().num_features, ", height, width]");
  return run_batch_norm(x, state_, training(), options());
}

BatchNorm3d::BatchNorm3d(const BatchNorm2dOptions& options) : Layer(options) { state_ = OM_STATE(kName); }

Tensor BatchNorm3d::run(const Tensor& x) {
  check_channels(kName, x, x.rank() == 5, options().num_features, ", depth, height, width]");
  return run_batch_norm(x, state_, training(), options());
}

InstanceNorm1d::InstanceNorm1d(const InstanceNormOptions& options) : Layer(options) { state_ = OM_STATE(kName); }

Tensor InstanceNorm1d::run(const Tensor& x) {
  return run_instance_norm(kName, 3, ", length] or without the batch", x, state_, training(), options());
}

InstanceNorm2d::InstanceNorm2d(const InstanceNormOptions& options) : Layer(options) { state_ = OM_STATE(kName); }

Tensor InstanceNorm2d::run(const Tensor& x) {
  return run_instance_norm(kName, 4, ", height, width] or without the batch", x, state_, training(), options());
}

InstanceNorm3d::InstanceNorm3d(const InstanceNormOptions& options) : Layer(options) { state_ = OM_STATE(kName); }

Tensor InstanceNorm3d::run(const Tensor& x) {
  return run_instance_norm(kName, 5, ", depth, height, width] or without the batch", x, state_, training(), options());
}

#undef OM_STATE

}  // namespace onemodel::nn

namespace onemodel::detail {

std::optional<AttributeValue> FieldCodec<nn::Momentum>::encode(const nn::Momentum& momentum) {
  return momentum.value ? AttributeValue(*momentum.value) : AttributeValue(Tensor());
}

bool FieldCodec<nn::Momentum>::decode(const AttributeValue& value, nn::Momentum& out) {
  const Tensor* nothing = std::get_if<Tensor>(&value);
  if (nothing) out = std::nullopt;
  return nothing ? !nothing->defined() : FieldCodec<double>::decode(value, out.value.emplace());
}

}  // namespace onemodel::detail
