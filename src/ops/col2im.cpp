#include "ops/col2im.h"

#include <algorithm>

#include "kernels/portable/col2im.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"
#include "ops/gather.h"
#include "ops/shape_data.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

constexpr int64_t kMost = int64_t{1} << 31;

void check_numbers(const InferContext& context, std::string_view name, const ShapeData& numbers) {
  for (const Extent& number : numbers)
    context.check<ArgumentError>(!number.is_number() || (number.number() >= 1 && number.number() < kMost), name,
                                 " expects numbers from 1 up, got ", number);
}

// How many blocks fit along each axis.
Extents block_counts(const InferContext& context, const WindowAttributes& window, const ShapeData& image,
                     const ShapeData& block) {
  Extents out;
  for (size_t i = 0; i < image.size(); ++i) {
    const Extent span = (block[i] - 1) * window.dilation(i) + 1;
    const Extent padded = image[i] + (window.pad_begin(i) + window.pad_end(i));
    const Extent count = floor_div(padded - span, window.stride(i)) + 1;
    context.check(!count.is_number() || count.number() >= 1, "a block that spans ", span, " does not fit ", padded,
                  " elements of axis ", i);
    out.push_back(count);
  }
  return out;
}

Extent product(const Extents& extents) { return Shape(extents).numel(); }

std::vector<int64_t> places_of(const WindowAttributes& window, const Tensor& image_shape, const Tensor& block_shape) {
  const Dims image = read_ints(image_shape), block = read_ints(block_shape);
  const kernels::Window shape = concrete_window(window, image, block);
  Dims blocks;
  for (size_t i = 0; i < image.size(); ++i) {
    const int64_t span = (block[i] - 1) * shape.dilations[i] + 1;
    blocks.push_back((image[i] + shape.pads_begin[i] + shape.pads_end[i] - span) / shape.strides[i] + 1);
  }
  return kernels::block_places(image, blocks, shape);
}

}  // namespace

void Col2Im::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  const Shape& x = context.shape(0);
  context.check(x.rank() == 3, "'input' expects [batch, channels * block elements, blocks], got shape ", x);
  check_ints(context, 1);
  check_ints(context, 2);
  const size_t rank = count_ints(context, 1);
  context.check(rank >= 1 && rank + 2 <= kMaxRank, "'image_shape' expects 1 to 6 numbers, got ", rank);
  check_equal(context, context.shape(2)[0], static_cast<int64_t>(rank), "'block_shape' expects ", rank,
              " numbers, got ", context.shape(2)[0]);
  check_window(context, window(), rank);
  const auto image = context.shape_data(1), block = context.shape_data(2);
  if (image) check_numbers(context, "image_shape", *image);
  if (block) check_numbers(context, "block_shape", *block);
  Shape out = unknown_shape(context, rank + 2);
  out[0] = x[0];
  if (block) {
    const Extent elements = product(*block);
    const auto channels = exact_div(x[1], elements);
    const bool numbers = x[1].is_number() && elements.is_number();
    context.check(channels || !numbers, "'input' of shape ", x, " has no channels of ", elements, " block elements");
    if (channels) out[1] = *channels;
  }
  if (image && block) {
    const Extent count = product(block_counts(context, window(), *image, *block));
    check_equal(context, x[2], count, "'input' of shape ", x, " has ", x[2], " blocks, expected ", count);
  }
  for (size_t i = 0; image && i < rank; ++i) out[i + 2] = (*image)[i];
  context.output(context.dtype(0), std::move(out));
}

void Col2Im::evaluate(EvalContext& context) const {
  const auto places = places_of(window(), context.input(1), context.input(2));
  in_float64(context, [&](EvalContext& c) {
    const Dims& dims = c.output().dims();
    const int64_t planes = dims[0] * dims[1];
    if (planes == 0) return;
    kernels::col2im(planes, c.output().numel() / planes, places, c.input(0).raw_as<double>(),
                    c.output().mutable_raw_as<double>());
  });
}

// Each element of a block gets the gradient of its place in the image.
Gradients Col2Im::vjp(GradContext& context) const {
  auto places = places_of(window(), context.input(1).tensor().contiguous(), context.input(2).tensor().contiguous());
  std::vector<float> inside;
  for (int64_t& place : places) {
    inside.push_back(place < 0 ? 0.0f : 1.0f);
    place = std::max<int64_t>(place, 0);
  }
  const Var g = context.grad();
  const Dims &dims = g.dims(), &from = context.input(0).dims();
  const Var images = reshape(g, Dims{dims[0], dims[1], numel(spatial_dims(dims))});
  const Tensor mask = Tensor::from(std::span<const float>(inside), {static_cast<int64_t>(inside.size())});
  const Var taken = apply(Gather{.axis = 2}, {images, ints_beside(g, places)});
  return {reshape(taken * context.constant(mask.cast(g.dtype())), from)};
}

std::vector<Sample> Col2Im::samples() {
  const Tensor x = sample_values({2, 12, 6}), image = sample_ints({3, 4}), block = sample_ints({2, 2});
  return {{Col2Im{}, {x, image, block}},
          {Col2Im{.pads = {1, 0, 1, 2}, .strides = {2, 2}}, {sample_values({1, 4, 6}), image, block}},
          {Col2Im{.dilations = {2}}, {sample_values({1, 3, 4}), sample_ints({8}), sample_ints({3})}},
          {Col2Im{}, {sample_values({1, 4, 12}), sample_ints({2, 3, 5}), sample_ints({1, 1, 4})}},
          {Col2Im{}, {sample_values({2, 11, 6}), image, block}, "has no channels of 4 block elements"},
          {Col2Im{}, {sample_values({2, 12, 5}), image, block}, "has 5 blocks, expected 6"},
          {Col2Im{}, {x, image, sample_ints({2})}, "'block_shape' expects 2 numbers, got 1"},
          {Col2Im{}, {x, image, sample_ints({4, 1})}, "a block that spans 4 does not fit 3 elements of axis 0"},
          {Col2Im{.strides = {0, 1}}, {x, image, block}, "strides expects numbers of at least 1, got 0"},
          {Col2Im{}, {sample_values({12, 6}), image, block}, "expects [batch, channels * block elements, blocks]"}};
}

ONEMODEL_OPERATOR(Col2Im)

}  // namespace onemodel
