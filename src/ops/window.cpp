#include "ops/window.h"

#include <algorithm>
#include <limits>

namespace onemodel {
namespace {

// What to add to the input's extent before dividing by the stride.
Extent window_offset(const WindowAttributes& a, size_t i, const Extent& span) {
  if (a.is_same()) return -1;
  const Extent plain = Extent(a.pad_begin(i) + a.pad_end(i)) - span;
  if (!a.ceil_mode || a.auto_pad == "VALID") return plain;
  // The last window must start before the padding at the end, so the smaller of two counts holds;
  // which one that is does not depend on the input.
  return a.pad_begin(i) + std::min<int64_t>(a.pad_end(i) - span.number() + a.stride(i) - 1, -1);
}

}  // namespace

Extents spatial_extents(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

Dims spatial_dims(const Dims& dims) { return Dims(std::span(dims.begin() + 2, dims.end())); }

void check_list(const InferContext& context, std::string_view name, std::span<const int64_t> values, size_t length,
                int64_t least) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();  // so that no sum or product overflows
  if (values.empty()) return;
  context.check<ArgumentError>(values.size() == length, name, " expects ", length, " numbers, got ", values.size());
  for (int64_t value : values) {
    context.check<ArgumentError>(value >= least, name, " expects numbers of at least ", least, ", got ", value);
    context.check<ArgumentError>(value <= kMost, name, " expects numbers of at most ", kMost, ", got ", value);
  }
}

size_t check_spatial_rank(const InferContext& context) {
  context.check(context.rank(0) >= 3 && context.rank(0) <= 5,
                "'X' expects [batch, channels, 1 to 3 spatial axes], got shape ", context.shape(0));
  return context.rank(0) - 2;
}

void check_window(const InferContext& context, const WindowAttributes& a, size_t spatial) {
  constexpr std::string_view kPadModes[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  context.check<ArgumentError>(std::ranges::find(kPadModes, a.auto_pad) != std::end(kPadModes),
                               "auto_pad expects NOTSET, SAME_UPPER, SAME_LOWER or VALID, got \"", a.auto_pad, '"');
  check_list(context, "kernel_shape", a.kernel_shape, spatial, 1);
  check_list(context, "strides", a.strides, spatial, 1);
  check_list(context, "dilations", a.dilations, spatial, 1);
  check_list(context, "pads", a.pads, 2 * spatial, 0);
  const bool padded = std::ranges::any_of(a.pads, [](int64_t pad) { return pad != 0; });
  context.check<ArgumentError>(a.auto_pad == "NOTSET" || !padded, "pads and auto_pad=", a.auto_pad,
                               " exclude each other");
}

Extents window_outputs(const InferContext& context, const WindowAttributes& a, const Extents& input,
                       const Extents& kernel) {
  Extents out;
  for (size_t i = 0; i < input.size(); ++i) {
    const Extent span = kernel[i] * a.dilation(i) + Extent(1 - a.dilation(i));
    // Numbers are added up first: a size that they leave as it is keeps its factors.
    const Extent offset = window_offset(a, i, span);
    const Extent count = a.stride(i) == 1 ? input[i] + (offset + 1) : floor_div(input[i] + offset, a.stride(i)) + 1;
    context.check(!count.is_number() || count.number() >= 1, "a window that spans ", span, " does not fit axis ", i + 2,
                  " of size ", input[i], ", padded by ", a.pad_begin(i), " and ", a.pad_end(i));
    out.push_back(count);
  }
  return out;
}

kernels::Window concrete_window(const WindowAttributes& a, const Dims& input, const Dims& kernel) {
  kernels::Window window{.kernel = kernel};
  for (size_t i = 0; i < input.size(); ++i) {
    const int64_t stride = a.stride(i), dilation = a.dilation(i);
    window.strides.push_back(stride);
    window.dilations.push_back(dilation);
    int64_t begin = a.pad_begin(i), end = a.pad_end(i);
    if (a.is_same()) {
      const int64_t count = (input[i] + stride - 1) / stride;
      const int64_t total = std::max<int64_t>((count - 1) * stride + dilation * (kernel[i] - 1) + 1 - input[i], 0);
      begin = a.auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
      end = total - begin;
    }
    window.pads_begin.push_back(begin);
    window.pads_end.push_back(end);
  }
  return window;
}

std::vector<int64_t> onnx_pads(const kernels::Window& window) {
  std::vector<int64_t> pads = window.pads_begin.vector();
  pads.insert(pads.end(), window.pads_end.begin(), window.pads_end.end());
  return pads;
}

}  // namespace onemodel
