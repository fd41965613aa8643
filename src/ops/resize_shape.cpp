#include <algorithm>
#include <cmath>

#include "ops/resize_plan.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;

using resize::is_tf_crop;

template <size_t N>
void check_word(const InferContext& context, std::string_view name, std::string_view value,
                const std::string_view (&words)[N]) {
  if (std::ranges::find(words, value) != std::end(words)) return;
  std::string list;
  for (size_t i = 0; i < N; ++i) list += concat(i == 0 ? "" : i + 1 == N ? " or " : ", ", words[i]);
  context.check<ArgumentError>(false, name, " expects ", list, ", got \"", value, '"');
}

void check_attributes(const InferContext& context, const ResizeAttributes& a) {
  static constexpr std::string_view coordinates[] = {
      "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
      "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"};
  static constexpr std::string_view policies[] = {"stretch", "not_larger", "not_smaller"};
  static constexpr std::string_view modes[] = {"nearest", "linear", "cubic"};
  static constexpr std::string_view roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  check_word(context, "coordinate_transformation_mode", a.coordinate_transformation_mode, coordinates);
  check_word(context, "keep_aspect_ratio_policy", a.keep_aspect_ratio_policy, policies);
  check_word(context, "mode", a.mode, modes);
  check_word(context, "nearest_mode", a.nearest_mode, roundings);
}

// An operand that is absent or, as older files write it, has no elements.
bool given(const InferContext& context, size_t i) {
  if (!context.has(i)) return false;
  context.check(context.rank(i) == 1, "operand ", i, " expects one axis, got shape ", context.shape(i));
  return context.shape(i)[0] != Extent(0);
}

void check_length(const InferContext& context, size_t i, std::string_view name, size_t expected) {
  const Extent& length = context.shape(i)[0];
  context.check(!length.is_number() || length.number() == static_cast<int64_t>(expected), name, " expects ", expected,
                " numbers, got ", length);
}

Extent scaled(const InferContext& context, const Extent& extent, float scale) {
  context.check<ArgumentError>(scale > 0 && std::isfinite(scale), "scales expects positive numbers, got ", scale);
  const auto known = extent.example();
  context.check(!known || static_cast<float>(*known) * scale < static_cast<float>(kLargest), "an extent of ", extent,
                " cannot be scaled by ", scale);
  if (extent.is_number()) return resize::scaled_extent(extent.number(), scale);
  if (scale >= 1 && scale == std::floor(scale)) return extent * static_cast<int64_t>(scale);
  for (int64_t divisor = 2; divisor <= 64; divisor *= 2)
    if (scale * static_cast<float>(divisor) == 1) return floor_div(extent, divisor);
  return Extent::symbol(concat("floor(", scale, " * ", extent, ")"),
                        known ? std::optional(resize::scaled_extent(*known, scale)) : std::nullopt);
}

// tf_crop_and_resize scales the part of the axis that roi names.
Extent cropped(InferContext& context, const Extent& extent, float scale, float start, float end, size_t axis) {
  if (!extent.is_number()) {
    if (context.tracing()) context.symbolic_error(concat("crops axis ", axis, ", which is symbolic"));
    return context.unknown(concat("axis", axis));
  }
  const auto part = static_cast<float>(extent.number()) * (end - start) * scale;
  context.check<ArgumentError>(part >= 0 && part < static_cast<float>(kLargest), "roi from ", start, " to ", end,
                               " and scale ", scale, " give no extent for axis ", axis);
  return static_cast<int64_t>(std::floor(part));
}

void resize_to(InferContext& context, const ResizeAttributes& a, const std::vector<size_t>& axes, Shape& out) {
  const auto sizes = context.shape_data(3);
  bool known = sizes.has_value();
  std::vector<int64_t> from, to;
  for (size_t i = 0; i < axes.size() && sizes; ++i) {
    const Extent &extent = out[axes[i]], &size = (*sizes)[i];
    context.check<ArgumentError>(!size.is_number() || (size.number() >= 1 && size.number() < kLargest),
                                 "sizes expects numbers from 1 up, got ", size);
    if (context.tracing() && size.is_number() && !extent.is_number())
      context.symbolic_error(concat("makes axis ", axes[i], " of shape ", out, " the fixed size ", size,
                                    "; resize by a scale to keep it symbolic"));
    known &= extent.is_number() && size.is_number();
    if (known) {
      from.push_back(extent.number());
      to.push_back(size.number());
    }
  }
  const bool stretch = a.keep_aspect_ratio_policy == "stretch";
  const float scale = known && !stretch ? resize::common_scale(a, from, to) : 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    Extent& extent = out[axes[i]];
    if (sizes && stretch)
      extent = (*sizes)[i];
    else
      extent = known ? Extent(resize::rounded(extent.number(), scale)) : context.unknown(concat("axis", axes[i]));
  }
}

void resize_by(InferContext& context, const ResizeAttributes& a, const std::vector<size_t>& axes, Shape& out) {
  const Tensor scales = context.value(2), roi = context.value(1);
  const bool known = scales.defined() && (!is_tf_crop(a) || roi.defined());
  const std::vector<float> factors = scales.defined() ? scales.to_vector<float>() : std::vector<float>();
  const std::vector<float> parts = is_tf_crop(a) && roi.defined() ? roi.to_vector<float>() : std::vector<float>();
  for (size_t i = 0; i < axes.size(); ++i) {
    Extent& extent = out[axes[i]];
    if (!known)
      extent = context.unknown(concat("axis", axes[i]));
    else if (is_tf_crop(a))
      extent = cropped(context, extent, factors[i], parts[i], parts[axes.size() + i], axes[i]);
    else
      extent = scaled(context, extent, factors[i]);
  }
}

}  // namespace

Shape resized_shape(InferContext& context, const ResizeAttributes& a, const Shape& x) {
  check_attributes(context, a);
  axis_set(context, a.axes, x.rank());
  const std::vector<size_t> axes = resize::axes_of(context.op_name(), a.axes, x.rank());
  const bool by_scales = given(context, 2), by_sizes = given(context, 3);
  context.check<ArgumentError>(by_scales != by_sizes, "expects either scales or sizes, got ",
                               by_scales ? "both" : "neither");
  if (is_tf_crop(a)) {
    context.check<ArgumentError>(given(context, 1), "tf_crop_and_resize expects roi");
    context.check_dtype(is_floating(context.dtype(1)), 1, "a floating-point type");
    check_length(context, 1, "roi", 2 * axes.size());
  }
  Shape out = x;
  if (by_scales) {
    context.check_dtype(context.dtype(2) == DType::f32, 2, "float32");
    check_length(context, 2, "scales", axes.size());
    resize_by(context, a, axes, out);
  } else {
    check_ints(context, 3);
    check_length(context, 3, "sizes", axes.size());
    resize_to(context, a, axes, out);
  }
  for (const size_t axis : axes)
    context.check(x[axis] != Extent(0) || !out[axis].is_number() || out[axis].number() == 0, "axis ", axis,
                  " has no elements to sample, and would get extent ", out[axis]);
  return out;
}

}  // namespace onemodel
