#pragma once
// Convolutions, pools and resampling over one to three spatial axes, under PyTorch's names and argument order (see
// functions.h). x is [batch, channels, spatial...] or without the batch, padding the same on both sides.

#include <optional>
#include <string_view>
#include <vector>

#include "eager/functions.h"

namespace onemodel {

/// Depth, height and width; one number stands for all.
struct Triple {
  int64_t depth = 1, height = 1, width = 1;
  Triple() = default;
  Triple(int64_t all) : depth(all), height(all), width(all) {}
  Triple(int64_t d, int64_t h, int64_t w) : depth(d), height(h), width(w) {}
  friend bool operator==(const Triple&, const Triple&) = default;
};

/// weight [out, in / groups, kernel...], bias [out] or undefined.
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, int64_t stride = 1, int64_t padding = 0,
              int64_t dilation = 1, int64_t groups = 1);
Tensor conv3d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, Triple stride = 1, Triple padding = 0,
              Triple dilation = 1, int64_t groups = 1);
/// weight [in, out / groups, kernel...], bias [out] or undefined; `output_padding` adds rows at the end.
Tensor conv_transpose1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, int64_t stride = 1,
                        int64_t padding = 0, int64_t output_padding = 0, int64_t groups = 1, int64_t dilation = 1);
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, Pair stride = 1,
                        Pair padding = 0, Pair output_padding = 0, int64_t groups = 1, Pair dilation = 1);
Tensor conv_transpose3d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, Triple stride = 1,
                        Triple padding = 0, Triple output_padding = 0, int64_t groups = 1, Triple dilation = 1);

/// Without `stride` it is the kernel's size.
Tensor max_pool1d(const Tensor& x, int64_t kernel, std::optional<int64_t> stride = {}, int64_t padding = 0,
                  int64_t dilation = 1, bool ceil_mode = false);
Tensor max_pool3d(const Tensor& x, Triple kernel, std::optional<Triple> stride = {}, Triple padding = 0,
                  Triple dilation = 1, bool ceil_mode = false);
Tensor avg_pool1d(const Tensor& x, int64_t kernel, std::optional<int64_t> stride = {}, int64_t padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true);
Tensor avg_pool3d(const Tensor& x, Triple kernel, std::optional<Triple> stride = {}, Triple padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true);

/// The spatial axes resampled to `size`, or by `scale_factor` (one number for all, or one each); exactly one of the two
/// is given. `mode` is nearest, nearest-exact, linear, bilinear, trilinear or bicubic; `align_corners` is for the last
/// four. Becomes one Resize: nearest is asymmetric and rounds down, the others are half_pixel or align_corners; a
/// symbolic axis stays symbolic by scale only. Errors: ArgumentError for other modes, sizes below 1, factors that are not
/// positive, and lists of other lengths.
Tensor interpolate(const Tensor& x, const std::optional<std::vector<int64_t>>& size,
                   const std::optional<std::vector<double>>& scale_factor = {}, std::string_view mode = "nearest",
                   std::optional<bool> align_corners = {});
/// Throws ArgumentError naming `who` where `interpolate` would, whatever the input.
void check_interpolate(std::string_view who, const std::optional<std::vector<int64_t>>& size,
                       const std::optional<std::vector<double>>& scale_factor, std::string_view mode,
                       std::optional<bool> align_corners);

}  // namespace onemodel
