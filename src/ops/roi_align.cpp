#include "ops/roi_align.h"

#include "kernels/portable/roi_align.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

constexpr int64_t kMostBins = int64_t{1} << 24;

Tensor checked_images(const Tensor& images, int64_t batch) {
  Tensor out = images.dtype() == DType::i64 ? images : images.cast(DType::i64);
  for (int64_t i = 0; i < out.numel(); ++i) {
    const int64_t image = out.raw_as<int64_t>()[i];
    check<ShapeError>(image >= 0 && image < batch, RoiAlign::info.name, ": batch_indices[", i, "] is ", image,
                      ", out of range for ", batch, " images");
  }
  return out;
}

void check_attributes(const InferContext& context, const RoiAlign& op) {
  const std::string& places = op.coordinate_transformation_mode;
  context.check<ArgumentError>(places == "half_pixel" || places == "output_half_pixel",
                               "coordinate_transformation_mode expects half_pixel or output_half_pixel, got \"", places,
                               '"');
  context.check<ArgumentError>(op.mode == "avg" || op.mode == "max", "mode expects avg or max, got \"", op.mode, '"');
  for (const int64_t extent : {op.output_height, op.output_width})
    context.check<ArgumentError>(extent >= 1 && extent <= kMostBins,
                                 "output_height and output_width expect numbers from 1 up, got ", extent);
  context.check<ArgumentError>(op.sampling_ratio >= 0 && op.sampling_ratio <= 4096,
                               "sampling_ratio expects a number from 0 to 4096, got ", op.sampling_ratio);
}

}  // namespace

void RoiAlign::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  check_in(context, 1, kFloating);
  context.check_dtype(context.dtype(2) == DType::i64 || context.dtype(2) == DType::i32, 2, "int64 or int32");
  check_attributes(context, *this);
  const Shape &x = context.shape(0), &rois = context.shape(1), &images = context.shape(2);
  context.check(x.rank() == 4, "'X' expects [batch, channels, height, width], got shape ", x);
  context.check(rois.rank() == 2, "'rois' expects [regions, 4], got shape ", rois);
  check_equal(context, rois[1], 4, "'rois' expects [regions, 4], got shape ", rois);
  context.check(images.rank() == 1, "'batch_indices' expects one axis, got shape ", images);
  check_equal(context, images[0], rois[0], "'batch_indices' expects one number for each of ", rois[0], " regions, got ",
              images[0]);
  for (size_t i : {2, 3})
    context.check(x[i] != Extent(0), "'X' of shape ", x, " has no elements to sample along axis ", i);
  context.output(context.dtype(0), {rois[0], x[1], output_height, output_width});
}

void RoiAlign::evaluate(EvalContext& context) const {
  const Dims& dims = context.input(0).dims();
  const Tensor images = checked_images(context.input(2), dims[0]);
  const kernels::RoiAlignShape shape{.channels = dims[1],
                                     .height = dims[2],
                                     .width = dims[3],
                                     .count = images.numel(),
                                     .out_height = output_height,
                                     .out_width = output_width,
                                     .samples = sampling_ratio,
                                     .scale = static_cast<double>(spatial_scale),
                                     .maximum = mode == "max",
                                     .half_pixel = coordinate_transformation_mode == "half_pixel",
                                     .single = context.input(1).dtype() == DType::f32};
  in_float64(context, [&](EvalContext& c) {
    kernels::roi_align(shape, c.input(0).raw_as<double>(), c.input(1).raw_as<double>(), images.raw_as<int64_t>(),
                       c.output().mutable_raw_as<double>());
  });
}

std::vector<Sample> RoiAlign::samples() {
  const Tensor x = sample_values({2, 3, 6, 7});
  const Tensor rois = Tensor::from<float>({0, 0.5f, 4.2f, 5, -3, 1, 9, 8.5f, 2, 2, 2, 2.5f}, {3, 4});
  const Tensor images = Tensor::from<int64_t>({0, 1, 1}, {3});
  std::vector<Sample> out;
  for (const char* mode : {"avg", "max"})
    for (const char* places : {"half_pixel", "output_half_pixel"})
      for (const int64_t ratio : {0, 2})
        out.push_back({RoiAlign{.coordinate_transformation_mode = places,
                                .mode = mode,
                                .output_height = 2,
                                .output_width = 3,
                                .sampling_ratio = ratio,
                                .spatial_scale = 0.75f},
                       {x, rois, images},
                       {},
                       1,
                       1e-5});
  const auto fails = [&](RoiAlign op, const Tensor& from, const Tensor& regions, const Tensor& which,
                         std::string error) {
    out.push_back({std::move(op), {from, regions, which}, std::move(error)});
  };
  out.push_back({RoiAlign{}, {x, rois, images.cast(DType::i32)}, {}, 1, 1e-5});
  fails({.mode = "sum"}, x, rois, images, "mode expects avg or max, got \"sum\"");
  fails({.coordinate_transformation_mode = "corner"}, x, rois, images, "expects half_pixel or output_half_pixel");
  fails({.output_height = 0}, x, rois, images, "expect numbers from 1 up, got 0");
  fails({.sampling_ratio = -1}, x, rois, images, "sampling_ratio expects a number from 0 to 4096, got -1");
  fails({}, x, sample_values({3, 5}), images, "'rois' expects [regions, 4], got shape [3, 5]");
  fails({}, x, rois, sample_ints({0}), "'batch_indices' expects one number for each of 3 regions, got 1");
  fails({}, sample_values({2, 3, 4}), rois, images,
        "'X' expects [batch, channels, height, width], got shape [2, 3, 4]");
  return out;
}

ONEMODEL_OPERATOR(RoiAlign)

}  // namespace onemodel
