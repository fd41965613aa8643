#include "nn/conv_layers.h"

#include <algorithm>

#include "nn/random.h"

namespace onemodel::nn {
namespace {

Dims extents(int64_t size) { return {size}; }
Dims extents(Pair size) { return {size.height, size.width}; }
Dims extents(Triple size) { return {size.depth, size.height, size.width}; }

template <class Size>
void check_sizes(int64_t least, std::string_view who, std::string_view argument, Size size) {
  for (const int64_t extent : extents(size)) check_at_least(least, who, argument, extent);
}

template <class O>
void check_options(std::string_view who, const O& o) {
  check_at_least(1, who, "in_channels", o.in_channels);
  check_at_least(1, who, "out_channels", o.out_channels);
  check_sizes(1, who, "kernel_size", o.kernel_size);
  check_sizes(1, who, "stride", o.stride);
  check_sizes(0, who, "padding", o.padding);
  check_sizes(1, who, "dilation", o.dilation);
  check_at_least(1, who, "groups", o.groups);
  check(o.in_channels % o.groups == 0 && o.out_channels % o.groups == 0, who, ": in_channels ", o.in_channels,
        " and out_channels ", o.out_channels, " must be multiples of groups ", o.groups);
}

struct Weights {
  Tensor weight, bias;
};

// [first, second / groups, kernel...] and [out], with PyTorch's bounds: a fan-in of second / groups * kernel.
template <class O>
Weights initial_weights(const O& o, int64_t first, int64_t second) {
  Dims dims = {first, second / o.groups};
  for (const int64_t extent : extents(o.kernel_size)) dims.push_back(extent);
  const int64_t fan_in = numel(dims) / first;
  return {fan_in_uniform(dims, fan_in), o.bias ? fan_in_uniform({o.out_channels}, fan_in) : Tensor()};
}

}  // namespace

Conv1d::Conv1d(const Options& o) : Layer(o) {
  check_options(kName, o);
  const Weights w = initial_weights(o, o.out_channels, o.in_channels);
  weight_ = register_parameter("weight", w.weight);
  if (o.bias) bias_ = register_parameter("bias", w.bias);
}

Tensor Conv1d::run(const Tensor& x) {
  const Options& o = options();
  return conv1d(x, weight_, bias_, o.stride, o.padding, o.dilation, o.groups);
}

Conv3d::Conv3d(const Options& o) : Layer(o) {
  check_options(kName, o);
  const Weights w = initial_weights(o, o.out_channels, o.in_channels);
  weight_ = register_parameter("weight", w.weight);
  if (o.bias) bias_ = register_parameter("bias", w.bias);
}

Tensor Conv3d::run(const Tensor& x) {
  const Options& o = options();
  return conv3d(x, weight_, bias_, o.stride, o.padding, o.dilation, o.groups);
}

ConvTranspose1d::ConvTranspose1d(const Options& o) : Layer(o) {
  check_options(kName, o);
  check_sizes(0, kName, "output_padding", o.output_padding);
  const Weights w = initial_weights(o, o.in_channels, o.out_channels);
  weight_ = register_parameter("weight", w.weight);
  if (o.bias) bias_ = register_parameter("bias", w.bias);
}

Tensor ConvTranspose1d::run(const Tensor& x) {
  const Options& o = options();
  return conv_transpose1d(x, weight_, bias_, o.stride, o.padding, o.output_padding, o.groups, o.dilation);
}

ConvTranspose2d::ConvTranspose2d(const Options& o) : Layer(o) {
  check_options(kName, o);
  check_sizes(0, kName, "output_padding", o.output_padding);
  const Weights w = initial_weights(o, o.in_channels, o.out_channels);
  weight_ = register_parameter("weight", w.weight);
  if (o.bias) bias_ = register_parameter("bias", w.bias);
}

Tensor ConvTranspose2d::run(const Tensor& x) {
  const Options& o = options();
  return conv_transpose2d(x, weight_, bias_, o.stride, o.padding, o.output_padding, o.groups, o.dilation);
}

}  // namespace onemodel::nn
