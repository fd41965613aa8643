#pragma once
// The sliding-window attributes that convolutions and pools share: checks, output extents, padding.

#include <span>
#include <string_view>
#include <vector>

#include "core/extent.h"
#include "kernels/portable/window.h"
#include "ops/infer.h"

namespace onemodel {

/// The attributes of one operator as it was given them; an empty list means its default (ones, no
/// padding).
struct WindowAttributes {
  std::string_view auto_pad = "NOTSET";
  std::span<const int64_t> dilations, kernel_shape, pads, strides;
  bool ceil_mode = false;

  /// SAME_UPPER or SAME_LOWER: the padding follows from the input's size.
  bool is_same() const { return auto_pad.starts_with("SAME"); }
  int64_t stride(size_t i) const { return strides.empty() ? 1 : strides[i]; }
  int64_t dilation(size_t i) const { return dilations.empty() ? 1 : dilations[i]; }
  int64_t pad_begin(size_t i) const { return pads.empty() ? 0 : pads[i]; }
  int64_t pad_end(size_t i) const { return pads.empty() ? 0 : pads[pads.size() / 2 + i]; }
};

using Extents = std::vector<Extent>;

/// The axes after the first two.
Extents spatial_extents(const Shape& shape);
Dims spatial_dims(const Dims& dims);

/// Checks that input 0, called X, is [batch, channels, 1 to 3 spatial axes] and returns the number
/// of spatial axes.
size_t check_spatial_rank(const InferContext& context);
/// Checks that a list attribute is empty or has `length` numbers from `least` up that fit 32 bits.
void check_list(const InferContext& context, std::string_view name, std::span<const int64_t> values, size_t length,
                int64_t least);
/// Checks names, lengths and ranges of all attributes for `spatial` axes.
void check_window(const InferContext& context, const WindowAttributes& attributes, size_t spatial);

/// Output extents of a window of extents `kernel` over `input`: floor((input + pads - span) /
/// stride) + 1 with span = dilation * (kernel - 1) + 1; rounded up with ceil_mode, though no window
/// starts in the padding at the end; ceil(input / stride) for SAME. Throws ShapeError when a window
/// does not fit.
Extents window_outputs(const InferContext& context, const WindowAttributes& attributes, const Extents& input,
                       const Extents& kernel);

/// The attributes with defaults filled and SAME padding resolved for an input of extents `input`.
kernels::Window concrete_window(const WindowAttributes& attributes, const Dims& input, const Dims& kernel);

/// `pads` as ONNX writes them: all begins, then all ends.
std::vector<int64_t> onnx_pads(const kernels::Window& window);

}  // namespace onemodel
