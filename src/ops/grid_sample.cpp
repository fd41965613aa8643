#include "ops/grid_sample.h"

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

using kernels::Interpolation;
using kernels::Outside;

std::optional<Interpolation> interpolation(std::string_view mode) {
  if (mode == "linear" || mode == "bilinear") return Interpolation::linear;
  if (mode == "nearest") return Interpolation::nearest;
  if (mode == "cubic" || mode == "bicubic") return Interpolation::cubic;
  return {};
}

std::optional<Outside> outside(std::string_view mode) {
  if (mode == "zeros") return Outside::zeros;
  if (mode == "border") return Outside::border;
  if (mode == "reflection") return Outside::reflection;
  return {};
}

// Checks everything and gives the shape of Y.
Shape sampled_shape(const InferContext& context, const GridSampleAttributes& a) {
  check_in(context, 0, kFloating);
  check_in(context, 1, kFloating);
  context.check<ArgumentError>(interpolation(a.mode).has_value(), "mode expects linear, nearest or cubic, got \"",
                               a.mode, '"');
  context.check<ArgumentError>(outside(a.padding_mode).has_value(),
                               "padding_mode expects zeros, border or reflection, got \"", a.padding_mode, '"');
  const Shape &x = context.shape(0), &grid = context.shape(1);
  context.check(x.rank() >= 3 && x.rank() <= 7, "'X' expects [batch, channels, 1 to 5 spatial axes], got shape ", x);
  context.check(grid.rank() == x.rank(), "'grid' expects the rank of 'X', ", x.rank(), ", got shape ", grid);
  const auto spatial = static_cast<int64_t>(x.rank()) - 2;
  check_equal(context, grid[0], x[0], "'X' of shape ", x, " and 'grid' of shape ", grid, " differ in the batch");
  check_equal(context, grid[grid.rank() - 1], spatial, "'grid' expects ", spatial, " numbers a place, got shape ",
              grid);
  Shape out{x[0], x[1]};
  for (size_t i = 2; i < x.rank(); ++i) {
    context.check(x[i] != Extent(0), "'X' of shape ", x, " has no elements to sample along axis ", i);
    out.push_back(grid[i - 1]);
  }
  return out;
}

}  // namespace

kernels::GridSampleShape GridSampleAttributes::shape(const Dims& x, const Dims& grid, bool single) const {
  kernels::GridSampleShape out{.batch = x[0],
                               .channels = x[1],
                               .points = 1,
                               .input = Dims(std::span(x.begin() + 2, x.end())),
                               .mode = *interpolation(mode),
                               .outside = *outside(padding_mode),
                               .align_corners = align_corners,
                               .single = single};
  for (size_t i = 1; i + 1 < grid.size(); ++i) out.points *= grid[i];
  return out;
}

void GridSample::infer(InferContext& context) const { context.output(context.dtype(0), sampled_shape(context, *this)); }

void GridSample::evaluate(EvalContext& context) const {
  const bool single = context.input(1).dtype() == DType::f32;
  in_float64(context, [&](EvalContext& c) {
    const Tensor &x = c.input(0), &grid = c.input(1);
    kernels::grid_sample(shape(x.dims(), grid.dims(), single), x.raw_as<double>(), grid.raw_as<double>(),
                         c.output().mutable_raw_as<double>());
  });
}

Gradients GridSample::vjp(GradContext& context) const {
  const Var x = context.input(0);
  const Tensor inputs[] = {x.tensor(), context.input(1).tensor(), context.grad().tensor()};
  const auto found = x.applier().apply(GridSampleGradient{*this}, inputs, context.needs(1) ? 2 : 1);
  Gradients out{Var(found[0], &x.applier())};
  if (found.size() > 1) out.emplace_back(found[1], &x.applier());
  return out;
}

std::vector<Sample> GridSample::samples() {
  const Tensor x = sample_values({2, 3, 4, 5}), grid = sample_values({2, 3, 2, 2}, -1.3, 1.3, DType::f32, 3);
  const Tensor volume = sample_values({1, 2, 3, 2, 4}), places = sample_values({1, 2, 1, 3, 3}, -1.4, 1.4);
  std::vector<Sample> out;
  const auto add = [&](GridSampleAttributes a, const Tensor& from, const Tensor& at) {
    out.push_back({GridSample{std::move(a)}, {from, at}, {}, 1, 1e-5});
  };
  for (const char* mode : {"linear", "nearest", "cubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      for (const bool align : {false, true}) add({align, mode, padding}, x, grid);
  add({.mode = "bilinear"}, volume, places);
  add({.align_corners = true, .mode = "nearest", .padding_mode = "border"}, volume, places);
  add({.mode = "bicubic", .padding_mode = "reflection"}, volume, places);
  add({.padding_mode = "reflection"}, sample_values({1, 1, 5}), sample_values({1, 9, 1}, -4.1, 4.2));
  const auto fails = [&](GridSampleAttributes a, const Tensor& from, const Tensor& at, std::string error) {
    out.push_back({GridSample{std::move(a)}, {from, at}, std::move(error)});
  };
  fails({.mode = "area"}, x, grid, "mode expects linear, nearest or cubic, got \"area\"");
  fails({.padding_mode = "wrap"}, x, grid, "padding_mode expects zeros, border or reflection, got \"wrap\"");
  fails({}, x, places, "'grid' expects the rank of 'X', 4, got shape [1, 2, 1, 3, 3]");
  fails({}, x, sample_values({1, 3, 2, 2}), "differ in the batch");
  fails({}, x, sample_values({2, 3, 2, 3}), "'grid' expects 2 numbers a place, got shape [2, 3, 2, 3]");
  fails({}, sample_values({2, 3, 0, 5}), grid, "has no elements to sample along axis 2");
  fails({}, x, grid.cast(DType::i32), "input 'grid' expects a floating-point type, got int32");
  return out;
}

void GridSampleGradient::infer(InferContext& context) const {
  const Shape expected = sampled_shape(context, *this), &dy = context.shape(2);
  context.check_same_dtype(0, 2);
  context.check(dy.rank() == expected.rank(), "'dY' expects shape ", expected, ", got ", dy);
  for (size_t i = 0; i < dy.rank(); ++i)
    check_equal(context, dy[i], expected[i], "'dY' expects shape ", expected, ", got ", dy);
  context.output(context.dtype(0), context.shape(0));
  if (context.output_count() > 1) context.output(1, context.dtype(1), context.shape(1));
}

void GridSampleGradient::evaluate(EvalContext& context) const {
  const bool single = context.input(1).dtype() == DType::f32;
  in_float64(context, [&](EvalContext& c) {
    const Tensor &x = c.input(0), &grid = c.input(1);
    const auto result = [&](size_t i) { return c.has_output(i) ? c.output(i).mutable_raw_as<double>() : nullptr; };
    kernels::grid_sample_gradient(shape(x.dims(), grid.dims(), single), x.raw_as<double>(), grid.raw_as<double>(),
                                  c.input(2).raw_as<double>(), result(0), result(1));
  });
}

std::vector<Sample> GridSampleGradient::samples() {
  const Tensor x = sample_values({2, 3, 4, 5}), grid = sample_values({2, 3, 2, 2}, -1.3, 1.3, DType::f32, 3);
  const Tensor dy = sample_values({2, 3, 3, 2}, -2, 2, DType::f32, 2);
  return {{GridSampleGradient{}, {x, grid, dy}, {}, 2, 1e-5},
          {GridSampleGradient{{.mode = "cubic", .padding_mode = "border"}}, {x, grid, dy}, {}, 2, 1e-5},
          {GridSampleGradient{{.mode = "nearest"}}, {x, grid, dy}, {}, 1, 1e-5},
          {GridSampleGradient{}, {x, grid, x}, "'dY' expects shape [2, 3, 3, 2], got [2, 3, 4, 5]"}};
}

ONEMODEL_OPERATOR(GridSample)
ONEMODEL_OPERATOR(GridSampleGradient)

}  // namespace onemodel
