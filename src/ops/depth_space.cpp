#include "ops/depth_space.h"

#include "ops/declare.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

void check_blocks(const InferContext& context, int64_t blocksize) {
  context.check(context.rank(0) == 4, "'input' has shape ", context.shape(0), ", expected [N, C, H, W]");
  context.check<ArgumentError>(blocksize >= 1 && blocksize < (int64_t{1} << 31), "attribute 'blocksize' is ", blocksize,
                               ", expected 1 or more");
}

Extent divided(const InferContext& context, size_t axis, int64_t divisor) {
  const Extent& extent = context.shape(0)[axis];
  const bool whole = !extent.is_number() || extent.number() % divisor == 0;
  context.check(whole, "axis ", axis, " of shape ", context.shape(0), " has extent ", extent,
                ", expected a multiple of ", divisor);
  return floor_div(extent, divisor);
}

// [N, a, b, c, …] as the places of a split or joined tensor: the six axes of `from`, in the order `axes`.
Strided split_axes(const Tensor& x, const Dims& dims, const Dims& strides, std::initializer_list<size_t> axes) {
  Strided out;
  out.dims.push_back(x.dims()[0]);
  out.strides.push_back(x.strides()[0]);
  for (size_t axis : axes) {
    out.dims.push_back(dims[axis]);
    out.strides.push_back(strides[axis]);
  }
  return out;
}

// x[N, C, H, W] of blocks b, as [N, C', H, b, W, b].
Strided pixels_of(const Tensor& x, int64_t b, bool depth_first) {
  const Dims &d = x.dims(), &s = x.strides();
  const int64_t channels = d[1] / (b * b);
  if (depth_first)  // [b, b, C', H, W]
    return split_axes(x, {b, b, channels, d[2], d[3]}, {s[1] * b * channels, s[1] * channels, s[1], s[2], s[3]},
                      {2, 3, 0, 4, 1});
  return split_axes(x, {channels, b, b, d[2], d[3]}, {s[1] * b * b, s[1] * b, s[1], s[2], s[3]}, {0, 3, 1, 4, 2});
}

// x[N, C, H, W] as [N, b, b, C, H / b, W / b].
Strided channels_of(const Tensor& x, int64_t b) {
  const Dims &d = x.dims(), &s = x.strides();
  return split_axes(x, {d[1], d[2] / b, b, d[3] / b, b}, {s[1], s[2] * b, s[2], s[3] * b, s[3]}, {2, 4, 0, 1, 3});
}

}  // namespace

void DepthToSpace::infer(InferContext& context) const {
  check_blocks(context, blocksize);
  context.check<ArgumentError>(mode == "DCR" || mode == "CRD", "attribute 'mode' is '", mode, "', expected DCR or CRD");
  const Shape& from = context.shape(0);
  context.output(context.dtype(0), {from[0], divided(context, 1, blocksize * blocksize), from[2] * Extent(blocksize),
                                    from[3] * Extent(blocksize)});
}

void DepthToSpace::evaluate(EvalContext& context) const {
  copy_view(context.input(0), pixels_of(context.input(0), blocksize, mode == "DCR"), context.output());
}

Gradients DepthToSpace::vjp(GradContext& context) const {
  const Var channels = apply(SpaceToDepth{blocksize}, {context.grad()});
  if (mode == "DCR") return {channels};
  // [b, b, C'] to [C', b, b].
  const Dims& d = channels.dims();
  const Var blocks = reshape(channels, {d[0], blocksize, blocksize, d[1] / (blocksize * blocksize), d[2], d[3]});
  const int64_t order[] = {0, 3, 1, 2, 4, 5};
  return {reshape(permute(blocks, order), d)};
}

std::vector<Sample> DepthToSpace::samples() {
  const Tensor x = sample_values({2, 8, 2, 3});
  return {{DepthToSpace{2}, {x}},
          {DepthToSpace{2, "CRD"}, {x}},
          {DepthToSpace{1}, {x}},
          {DepthToSpace{3}, {sample_values({1, 9, 1, 2}, -9, 9, DType::i32)}},
          {DepthToSpace{3}, {x}, "axis 1 of shape [2, 8, 2, 3] has extent 8, expected a multiple of 9"},
          {DepthToSpace{0}, {x}, "attribute 'blocksize' is 0, expected 1 or more"},
          {DepthToSpace{2, "RCD"}, {x}, "attribute 'mode' is 'RCD', expected DCR or CRD"},
          {DepthToSpace{2}, {sample_values({4, 2, 2})}, "'input' has shape [4, 2, 2], expected [N, C, H, W]"}};
}

void SpaceToDepth::infer(InferContext& context) const {
  check_blocks(context, blocksize);
  const Shape& from = context.shape(0);
  context.output(context.dtype(0), {from[0], from[1] * Extent(blocksize * blocksize), divided(context, 2, blocksize),
                                    divided(context, 3, blocksize)});
}

void SpaceToDepth::evaluate(EvalContext& context) const {
  copy_view(context.input(0), channels_of(context.input(0), blocksize), context.output());
}

Gradients SpaceToDepth::vjp(GradContext& context) const {
  return {apply(DepthToSpace{blocksize, "DCR"}, {context.grad()})};
}

std::vector<Sample> SpaceToDepth::samples() {
  const Tensor x = sample_values({2, 3, 4, 6});
  return {{SpaceToDepth{2}, {x}},
          {SpaceToDepth{1}, {x}},
          {SpaceToDepth{3}, {sample_values({1, 1, 3, 6}, -9, 9, DType::i64)}},
          {SpaceToDepth{4}, {x}, "axis 3 of shape [2, 3, 4, 6] has extent 6, expected a multiple of 4"},
          {SpaceToDepth{-1}, {x}, "attribute 'blocksize' is -1, expected 1 or more"},
          {SpaceToDepth{2}, {sample_values({4, 2, 2})}, "'input' has shape [4, 2, 2], expected [N, C, H, W]"}};
}

ONEMODEL_OPERATOR(DepthToSpace)
ONEMODEL_OPERATOR(SpaceToDepth)

}  // namespace onemodel
