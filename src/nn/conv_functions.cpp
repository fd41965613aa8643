// Convolutions as functions, for any number of axes.

#include "nn/conv_functions.h"

namespace onemodel::nn {
namespace {

using List = std::vector<int64_t>;

// One number for each of `axes`.
List spread(std::string_view who, std::string_view argument, const Sizes& sizes, size_t axes) {
  List out = sizes.values;
  if (out.size() == 1) out.resize(axes, out.front());
  check(out.size() == axes, who, ": ", argument, " must be one number or ", axes, ", got ", out.size());
  return out;
}

// "conv2d" works on two axes.
size_t axes_of(std::string_view who) { return static_cast<size_t>(who[who.size() - 2] - '0'); }

template <class O>
Convolution with_sizes(std::string_view who, const O& o, const Tensor& weight) {
  const size_t axes = axes_of(who);
  check<ShapeError>(weight.rank() == axes + 2, who, ": weight must have ", axes + 2, " axes, got ", weight.dims());
  check_at_least(1, who, "groups", o.groups);
  Convolution out;
  out.groups = o.groups;
  out.kernel_size = List(weight.dims().begin() + 2, weight.dims().end());
  out.stride = spread(who, "stride", o.stride, axes);
  out.dilation = spread(who, "dilation", o.dilation, axes);
  return out;
}

List twice(List list) {
  const List again = list;
  list.insert(list.end(), again.begin(), again.end());
  return list;
}

}  // namespace

Tensor conv_function(std::string_view who, const Tensor& x, const Tensor& weight, const Tensor& bias,
                     const ConvFunctionOptions& o) {
  Convolution c = with_sizes(who, o, weight);
  c.in_channels = weight.dims()[1] * o.groups;
  c.out_channels = weight.dims()[0];
  c.pads = o.padding.word.empty() ? twice(spread(who, "padding", o.padding.size, axes_of(who)))
                                  : pads_for(who, o.padding.word, c);
  check_convolution(who, c);
  return convolve(who, c, x, weight, bias);
}

Tensor conv_transpose_function(std::string_view who, const Tensor& x, const Tensor& weight, const Tensor& bias,
                               const ConvTransposeFunctionOptions& o) {
  Convolution c = with_sizes(who, o, weight);
  c.is_transposed = true;
  c.in_channels = weight.dims()[0];
  c.out_channels = weight.dims()[1] * o.groups;
  c.pads = twice(spread(who, "padding", o.padding, axes_of(who)));
  c.output_padding = spread(who, "output_padding", o.output_padding, axes_of(who));
  check_convolution(who, c);
  return convolve(who, c, x, weight, bias);
}

}  // namespace onemodel::nn
