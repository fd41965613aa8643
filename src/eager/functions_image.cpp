#include "eager/functions_image.h"

#include <cmath>

#include "eager/apply.h"
#include "eager/unbatched.h"
#include "ops/conv.h"
#include "ops/conv_transpose.h"
#include "ops/pool.h"
#include "ops/resize.h"

namespace onemodel {
namespace {

using List = std::vector<int64_t>;

List list(int64_t one) { return {one}; }
List list(Pair pair) { return {pair.height, pair.width}; }
List list(Triple triple) { return {triple.depth, triple.height, triple.width}; }

template <class Size>
List both_sides(Size padding) {
  List out = list(padding);
  const List again = out;
  out.insert(out.end(), again.begin(), again.end());
  return out;
}

// `run` of a batch of inputs with `spatial` axes.
Tensor of_batch(std::string_view who, size_t spatial, const Tensor& x,
                const std::function<Tensor(const Tensor&)>& run) {
  return with_batch(x, spatial + 2, [&](const Tensor& batch) {
    check<ShapeError>(batch.rank() == spatial + 2, who, ": the input must be [batch, channels, ", spatial,
                      " spatial axes] or without the batch, got ", batch.dims());
    return run(batch);
  });
}

template <class Size>
Tensor convolve(std::string_view who, const Tensor& x, const Tensor& weight, const Tensor& bias, Size stride,
                Size padding, Size dilation, int64_t groups) {
  const Conv op = {.dilations = list(dilation), .group = groups, .pads = both_sides(padding), .strides = list(stride)};
  return of_batch(who, list(stride).size(), x, [&](const Tensor& batch) { return apply(op, {batch, weight, bias}); });
}

template <class Size>
Tensor convolve_transposed(std::string_view who, const Tensor& x, const Tensor& weight, const Tensor& bias, Size stride,
                           Size padding, Size output_padding, int64_t groups, Size dilation) {
  const ConvTranspose op = {.dilations = list(dilation),
                            .group = groups,
                            .output_padding = list(output_padding),
                            .pads = both_sides(padding),
                            .strides = list(stride)};
  return of_batch(who, list(stride).size(), x, [&](const Tensor& batch) { return apply(op, {batch, weight, bias}); });
}

// What is put around the input must not fill a window.
void check_padding(std::string_view who, const List& padding, const List& kernel, const List& dilation) {
  for (size_t i = 0; i < kernel.size(); ++i) {
    const int64_t window = dilation[i] * (kernel[i] - 1) + 1;
    check(padding[i] >= 0 && 2 * padding[i] <= window, who, ": padding must be at most half of the window, ", window,
          ", got ", padding[i]);
  }
}

template <class Size>
Tensor pool_maximum(std::string_view who, const Tensor& x, Size kernel, std::optional<Size> stride, Size padding,
                    Size dilation, bool ceil_mode) {
  check_padding(who, list(padding), list(kernel), list(dilation));
  const MaxPool op = {.ceil_mode = ceil_mode,
                      .dilations = list(dilation),
                      .kernel_shape = list(kernel),
                      .pads = both_sides(padding),
                      .strides = list(stride.value_or(kernel))};
  return of_batch(who, list(kernel).size(), x, [&](const Tensor& batch) { return apply(op, {batch}); });
}

template <class Size>
Tensor pool_average(std::string_view who, const Tensor& x, Size kernel, std::optional<Size> stride, Size padding,
                    bool ceil_mode, bool count_include_pad) {
  check_padding(who, list(padding), list(kernel), list(Size(1)));
  const AveragePool op = {.ceil_mode = ceil_mode,
                          .count_include_pad = count_include_pad,
                          .kernel_shape = list(kernel),
                          .pads = both_sides(padding),
                          .strides = list(stride.value_or(kernel))};
  return of_batch(who, list(kernel).size(), x, [&](const Tensor& batch) { return apply(op, {batch}); });
}

Resize resize_for(std::string_view mode, bool align_corners) {
  Resize op;
  if (mode == "nearest") {
    op.coordinate_transformation_mode = "asymmetric";
    op.nearest_mode = "floor";
  } else if (mode == "nearest-exact") {
    op.nearest_mode = "round_prefer_ceil";
  } else {
    op.mode = mode == "bicubic" ? "cubic" : "linear";
    if (align_corners) op.coordinate_transformation_mode = "align_corners";
  }
  return op;
}

void check_mode_rank(std::string_view mode, const Tensor& x) {
  const size_t wanted = mode == "linear" ? 3 : mode == "trilinear" ? 5 : mode.starts_with("bi") ? 4 : x.rank();
  check<ShapeError>(x.rank() >= 3 && x.rank() == wanted, "interpolate: mode '", mode, "' does not take an input of ",
                    x.dims());
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, int64_t stride, int64_t padding,
              int64_t dilation, int64_t groups) {
  return convolve("conv1d", x, weight, bias, stride, padding, dilation, groups);
}

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, Pair stride, Pair padding, Pair dilation,
              int64_t groups) {
  return convolve("conv2d", x, weight, bias, stride, padding, dilation, groups);
}

Tensor conv3d(const Tensor& x, const Tensor& weight, const Tensor& bias, Triple stride, Triple padding, Triple dilation,
              int64_t groups) {
  return convolve("conv3d", x, weight, bias, stride, padding, dilation, groups);
}

Tensor conv_transpose1d(const Tensor& x, const Tensor& weight, const Tensor& bias, int64_t stride, int64_t padding,
                        int64_t output_padding, int64_t groups, int64_t dilation) {
  return convolve_transposed("conv_transpose1d", x, weight, bias, stride, padding, output_padding, groups, dilation);
}

Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias, Pair stride, Pair padding,
                        Pair output_padding, int64_t groups, Pair dilation) {
  return convolve_transposed("conv_transpose2d", x, weight, bias, stride, padding, output_padding, groups, dilation);
}

Tensor conv_transpose3d(const Tensor& x, const Tensor& weight, const Tensor& bias, Triple stride, Triple padding,
                        Triple output_padding, int64_t groups, Triple dilation) {
  return convolve_transposed("conv_transpose3d", x, weight, bias, stride, padding, output_padding, groups, dilation);
}

Tensor max_pool1d(const Tensor& x, int64_t kernel, std::optional<int64_t> stride, int64_t padding, int64_t dilation,
                  bool ceil_mode) {
  return pool_maximum("max_pool1d", x, kernel, stride, padding, dilation, ceil_mode);
}

Tensor max_pool2d(const Tensor& x, Pair kernel, std::optional<Pair> stride, Pair padding, Pair dilation,
                  bool ceil_mode) {
  return pool_maximum("max_pool2d", x, kernel, stride, padding, dilation, ceil_mode);
}

Tensor max_pool3d(const Tensor& x, Triple kernel, std::optional<Triple> stride, Triple padding, Triple dilation,
                  bool ceil_mode) {
  return pool_maximum("max_pool3d", x, kernel, stride, padding, dilation, ceil_mode);
}

Tensor avg_pool1d(const Tensor& x, int64_t kernel, std::optional<int64_t> stride, int64_t padding, bool ceil_mode,
                  bool count_include_pad) {
  return pool_average("avg_pool1d", x, kernel, stride, padding, ceil_mode, count_include_pad);
}

Tensor avg_pool2d(const Tensor& x, Pair kernel, std::optional<Pair> stride, Pair padding, bool ceil_mode,
                  bool count_include_pad) {
  return pool_average("avg_pool2d", x, kernel, stride, padding, ceil_mode, count_include_pad);
}

Tensor avg_pool3d(const Tensor& x, Triple kernel, std::optional<Triple> stride, Triple padding, bool ceil_mode,
                  bool count_include_pad) {
  return pool_average("avg_pool3d", x, kernel, stride, padding, ceil_mode, count_include_pad);
}

void check_interpolate(std::string_view who, const std::optional<List>& size,
                       const std::optional<std::vector<double>>& scale_factor, std::string_view mode,
                       std::optional<bool> align_corners) {
  check(size.has_value() != scale_factor.has_value(), who, ": either size or scale_factor must be given, got ",
        size ? "both" : "neither");
  const bool is_nearest = mode == "nearest" || mode == "nearest-exact";
  check(is_nearest || mode == "linear" || mode == "bilinear" || mode == "trilinear" || mode == "bicubic", who,
        ": mode must be nearest, nearest-exact, linear, bilinear, trilinear or bicubic, got '", mode, "'");
  check(!is_nearest || !align_corners.value_or(false), who, ": align_corners is not for mode '", mode, "'");
  for (const int64_t extent : size.value_or(List{})) check(extent >= 1, who, ": size must be 1 or more, got ", extent);
  for (const double factor : scale_factor.value_or(std::vector<double>{}))
    check(factor > 0 && std::isfinite(factor), who, ": scale_factor must be positive, got ", factor);
}

Tensor interpolate(const Tensor& x, const std::optional<List>& size,
                   const std::optional<std::vector<double>>& scale_factor, std::string_view mode,
                   std::optional<bool> align_corners) {
  check_interpolate("interpolate", size, scale_factor, mode, align_corners);
  Resize op = resize_for(mode, align_corners.value_or(false));
  check_mode_rank(mode, x);
  const size_t spatial = x.rank() - 2;
  for (size_t i = 0; i < spatial; ++i) op.axes.push_back(static_cast<int64_t>(i) + 2);
  const auto each = [&](auto values) {
    check(values.size() == 1 || values.size() == spatial, "interpolate: ", spatial,
          " numbers or one were expected, got ", values.size());
    values.resize(spatial, values.front());
    return values;
  };
  if (size) return apply(op, {x, Tensor(), Tensor(), Tensor::from_ints(each(*size))});
  const std::vector<double> scales = each(*scale_factor);
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t extent = x.dims()[i + 2];
    check(extent == 0 || static_cast<double>(extent) * scales[i] >= 1, "interpolate: scale_factor ", scales[i],
          " leaves nothing of axis ", i + 2, " of ", x.dims());
  }
  const Tensor factors = Tensor::from(std::span<const double>(scales), {static_cast<int64_t>(spatial)});
  return apply(op, {x, Tensor(), factors.cast(DType::f32)});
}

}  // namespace onemodel
