#include "nn/conv_layers.h"

#include "eager/apply.h"
#include "eager/functions_joining.h"
#include "eager/unbatched.h"
#include "nn/random.h"
#include "ops/conv.h"
#include "ops/conv_transpose.h"

namespace onemodel::nn {
namespace {

using List = std::vector<int64_t>;

List extents(int64_t size) { return {size}; }
List extents(Pair size) { return {size.height, size.width}; }
List extents(Triple size) { return {size.depth, size.height, size.width}; }

void check_all(int64_t least, std::string_view who, std::string_view argument, const List& values) {
  for (const int64_t value : values) check_at_least(least, who, argument, value);
}

template <class O>
Convolution with_channels(const O& o) {
  Convolution out;
  out.in_channels = o.in_channels;
  out.out_channels = o.out_channels;
  out.groups = o.groups;
  out.kernel_size = extents(o.kernel_size);
  out.stride = extents(o.stride);
  out.dilation = extents(o.dilation);
  return out;
}

List twice(const List& list) {
  List out = list;
  out.insert(out.end(), list.begin(), list.end());
  return out;
}

// PyTorch's bound: a fan-in of the weight's rows.
int64_t fan_in(const Convolution& c) {
  int64_t out = (c.is_transposed ? c.out_channels : c.in_channels) / c.groups;
  for (const int64_t extent : c.kernel_size) out *= extent;
  return out;
}

// x with the elements around it that Conv itself cannot make.
Tensor padded(const Convolution& c, const Tensor& x) {
  const size_t axes = c.kernel_size.size();
  List pads;  // from the last axis to the first
  for (size_t i = axes; i-- > 0;) {
    pads.push_back(c.pads[i]);
    pads.push_back(c.pads[axes + i]);
  }
  return pad(x, pads, c.padding_mode);
}

Tensor convolve_batch(std::string_view who, const Convolution& c, const Tensor& x, const Tensor& weight,
                      const Tensor& bias) {
  const size_t axes = c.kernel_size.size();
  check<ShapeError>(x.rank() == axes + 2, who, ": the input must be [batch, channels, ",
                    axes == 1   ? "length"
                    : axes == 2 ? "height, width"
                                : "depth, height, width",
                    "] or without the batch, got ", x.dims());
  if (c.is_transposed)
    return apply(ConvTranspose{.dilations = c.dilation,
                               .group = c.groups,
                               .output_padding = c.output_padding,
                               .pads = c.pads,
                               .strides = c.stride},
                 {x, weight, bias});
  const bool zeros = c.padding_mode == "zeros";
  const Conv op = {
      .dilations = c.dilation, .group = c.groups, .pads = zeros ? c.pads : List(2 * axes, 0), .strides = c.stride};
  return apply(op, {zeros ? x : padded(c, x), weight, bias});
}

}  // namespace

void check_convolution(std::string_view who, const Convolution& c) {
  check_at_least(1, who, "in_channels", c.in_channels);
  check_at_least(1, who, "out_channels", c.out_channels);
  check_all(1, who, "kernel_size", c.kernel_size);
  check_all(1, who, "stride", c.stride);
  check_all(0, who, "padding", c.pads);
  check_all(1, who, "dilation", c.dilation);
  check_all(0, who, "output_padding", c.output_padding);
  check_at_least(1, who, "groups", c.groups);
  check(c.in_channels % c.groups == 0 && c.out_channels % c.groups == 0, who, ": in_channels ", c.in_channels,
        " and out_channels ", c.out_channels, " must be multiples of groups ", c.groups);
  const std::string& mode = c.padding_mode;
  check(mode == "zeros" || mode == "reflect" || mode == "replicate" || mode == "circular", who,
        ": padding_mode must be zeros, reflect, replicate or circular, got '", mode, "'");
}

// Of an odd number of elements, the one more comes after.
std::vector<int64_t> pads_for(std::string_view who, const std::string& word, const Convolution& c) {
  check(word == "same" || word == "valid", who, ": padding must be numbers, same or valid, got '", word, "'");
  List before(c.kernel_size.size(), 0), after = before;
  for (size_t i = 0; word == "same" && i < before.size(); ++i) {
    check(c.stride[i] == 1, who, ": padding 'same' needs a stride of 1, got ", c.stride[i]);
    const int64_t all = c.dilation[i] * (c.kernel_size[i] - 1);
    before[i] = all / 2;
    after[i] = all - all / 2;
  }
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

template <class Size>
Convolution convolution_of(std::string_view who, const ConvOptions<Size>& o) {
  Convolution out = with_channels(o);
  out.padding_mode = o.padding_mode;
  out.pads = o.padding.word.empty() ? twice(extents(o.padding.size)) : pads_for(who, o.padding.word, out);
  check_convolution(who, out);
  return out;
}

template <class Size>
Convolution convolution_of(std::string_view who, const ConvTransposeOptions<Size>& o) {
  Convolution out = with_channels(o);
  out.is_transposed = true;
  out.pads = twice(extents(o.padding));
  out.output_padding = extents(o.output_padding);
  check_convolution(who, out);
  return out;
}

template Convolution convolution_of(std::string_view, const ConvOptions<int64_t>&);
template Convolution convolution_of(std::string_view, const ConvOptions<Pair>&);
template Convolution convolution_of(std::string_view, const ConvOptions<Triple>&);
template Convolution convolution_of(std::string_view, const ConvTransposeOptions<int64_t>&);
template Convolution convolution_of(std::string_view, const ConvTransposeOptions<Pair>&);
template Convolution convolution_of(std::string_view, const ConvTransposeOptions<Triple>&);

Tensor first_weight(const Convolution& c) {
  const int64_t first = c.is_transposed ? c.in_channels : c.out_channels;
  Dims dims = {first, (c.is_transposed ? c.out_channels : c.in_channels) / c.groups};
  for (const int64_t extent : c.kernel_size) dims.push_back(extent);
  return fan_in_uniform(dims, fan_in(c));
}

Tensor first_bias(const Convolution& c) { return fan_in_uniform({c.out_channels}, fan_in(c)); }

Tensor convolve(std::string_view who, const Convolution& c, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return with_batch(x, c.kernel_size.size() + 2,
                    [&](const Tensor& batch) { return convolve_batch(who, c, batch, weight, bias); });
}

}  // namespace onemodel::nn
