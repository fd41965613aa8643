#include "nn/channel_dropout.h"

#include "nn/random.h"

namespace onemodel::nn {
namespace {

const DropoutOptions& checked(std::string_view who, const DropoutOptions& options) {
  check(options.p >= 0 && options.p <= 1, who, ": p must be in [0, 1], got ", options.p);
  return options;
}

// `axes` after batch and channels; one axis less is an input without a batch, but of images one of lines.
Tensor drop_channels(std::string_view who, size_t axes, const Tensor& x, double p, bool training) {
  const bool fits = x.rank() == axes + 2 || x.rank() == axes + 1;
  check<ShapeError>(fits, who, ": the input must have ", axes + 1, " or ", axes + 2, " axes, got ", x.dims());
  if (!training || p == 0) return x;
  Dims channels = Dims::filled(x.rank(), 1);
  for (size_t i = 0; i < (x.rank() == axes + 2 || axes == 2 ? 2 : 1); ++i) channels[i] = x.dims()[i];
  return x * dropout(Tensor::full(channels, 1, x.dtype()), p, training, default_generator());
}

}  // namespace

Dropout1d::Dropout1d(const DropoutOptions& options) : Layer(checked(kName, options)) {}
Dropout2d::Dropout2d(const DropoutOptions& options) : Layer(checked(kName, options)) {}
Dropout3d::Dropout3d(const DropoutOptions& options) : Layer(checked(kName, options)) {}

Tensor Dropout1d::run(const Tensor& x) { return drop_channels(kName, 1, x, options().p, training()); }
Tensor Dropout2d::run(const Tensor& x) { return drop_channels(kName, 2, x, options().p, training()); }
Tensor Dropout3d::run(const Tensor& x) { return drop_channels(kName, 3, x, options().p, training()); }

}  // namespace onemodel::nn
