#include "ops/fourier.h"

#include <algorithm>

#include "kernels/portable/fourier.h"
#include "kernels/portable/lines.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/one_integer.h"
#include "ops/shape_data.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

using kernels::Complex;

constexpr int64_t kLongest = int64_t{1} << 31;

// The last axis holds numbers of one or two parts.
void check_parts(const InferContext& context, std::string_view name, bool onesided) {
  check_in(context, 0, kFloating);
  const Shape& x = context.shape(0);
  context.check(x.rank() >= 2, "'", name, "' expects rank 2 or more, got shape ", x);
  const Extent& parts = x[x.rank() - 1];
  context.check(!parts.is_number() || parts.number() == 1 || parts.number() == 2, "'", name,
                "' expects a last axis of 1 (real) or 2 (complex), got shape ", x);
  context.check<ArgumentError>(!onesided || parts != Extent(2),
                               "onesided expects a real signal, whose last axis is 1, got shape ", x);
}

Extent bins_of(const Extent& length, bool onesided) { return onesided ? floor_div(length, 2) + 1 : length; }

void check_length(const InferContext& context, std::string_view name, const Extent& length) {
  context.check<ArgumentError>(!length.is_number() || (length.number() >= 1 && length.number() < kLongest), name,
                               " expects a number from 1 up, got ", length);
}

Complex read(const double* x, int64_t parts) { return {x[0], parts == 2 ? x[1] : 0}; }

// Transforms `line` and writes its first `count` numbers in steps of `step` numbers.
void write_transform(kernels::Fourier& plan, std::vector<Complex>& line, int64_t count, int64_t step, double* y) {
  plan.run(line.data());
  for (int64_t k = 0; k < count; ++k) {
    y[2 * k * step] = line[static_cast<size_t>(k)].re;
    y[2 * k * step + 1] = line[static_cast<size_t>(k)].im;
  }
}

void transform_lines(const Tensor& x, const Tensor& y, size_t axis, int64_t length, bool inverse) {
  const int64_t parts = x.dims().back(), extent = x.dims()[axis], bins = y.dims()[axis];
  const auto lines = kernels::Lines::along(x.dims(), axis);
  const int64_t inner = lines.inner / parts;
  kernels::Fourier plan(length, inverse);
  std::vector<Complex> line(static_cast<size_t>(length));
  for (int64_t outer = 0; outer < lines.outer; ++outer)
    for (int64_t i = 0; i < inner; ++i) {
      std::ranges::fill(line, Complex{0, 0});
      for (int64_t k = 0; k < std::min(extent, length); ++k)
        line[static_cast<size_t>(k)] = read(x.raw_as<double>() + ((outer * extent + k) * inner + i) * parts, parts);
      write_transform(plan, line, bins, inner, y.mutable_raw_as<double>() + (outer * bins * inner + i) * 2);
    }
}

void transform_frames(const Tensor& x, const double* window, int64_t step, int64_t length, const Tensor& y) {
  const int64_t parts = x.dims()[2], frames = y.dims()[1], bins = y.dims()[2];
  kernels::Fourier plan(length, false);
  std::vector<Complex> line(static_cast<size_t>(length));
  for (int64_t n = 0; n < x.dims()[0]; ++n)
    for (int64_t frame = 0; frame < frames; ++frame) {
      const double* from = x.raw_as<double>() + (n * x.dims()[1] + frame * step) * parts;
      for (int64_t k = 0; k < length; ++k) {
        const Complex value = read(from + k * parts, parts);
        const double weight = window ? window[k] : 1;
        line[static_cast<size_t>(k)] = {value.re * weight, value.im * weight};
      }
      write_transform(plan, line, bins, 1, y.mutable_raw_as<double>() + (n * frames + frame) * bins * 2);
    }
}

std::optional<Extent> given_extent(const InferContext& context, size_t i) {
  check_one_integer(context, i, true);
  return one_extent(context, i);
}

}  // namespace

void DFT::infer(InferContext& context) const {
  check_parts(context, "input", onesided);
  const Shape& x = context.shape(0);
  const size_t rank = x.rank();
  std::optional<Extent> at = Extent(-2), length;
  if (context.has(2)) at = given_extent(context, 2);
  if (context.has(1)) length = given_extent(context, 1);
  Shape out = x;
  if (!at || !at->is_number()) {
    if (context.tracing()) context.symbolic_error("the axis depends on values");
    out = unknown_shape(context, rank);
  } else {
    const size_t axis = context.axis(at->number(), rank);
    context.check<ArgumentError>(axis + 1 < rank, "axis expects an axis before the last of shape ", x, ", got ",
                                 at->number());
    if (!context.has(1)) length = x[axis];
    if (!length && context.tracing()) context.symbolic_error("the length depends on values");
    if (length) check_length(context, "dft_length", *length);
    out[axis] = bins_of(length ? *length : context.unknown("length"), onesided);
  }
  out[rank - 1] = 2;
  context.output(context.dtype(0), std::move(out));
}

void DFT::evaluate(EvalContext& context) const {
  const Dims& dims = context.input(0).dims();
  const size_t axis = normalize_axis(info.name, context.has(2) ? read_one(context.input(2)) : -2, dims.size());
  const int64_t length = context.has(1) ? read_one(context.input(1)) : dims[axis];
  in_float64(context, [&](EvalContext& c) { transform_lines(c.input(0), c.output(), axis, length, inverse); });
}

std::vector<Sample> DFT::samples() {
  const Tensor real = sample_values({2, 6, 1}), complex = sample_values({2, 5, 3, 2});
  const auto axis = [](int64_t value) { return Tensor::scalar(value); };
  return {{DFT{}, {real}},
          {DFT{}, {sample_values({1, 8, 1})}},
          {DFT{.onesided = true}, {real}},
          {DFT{.onesided = true}, {sample_values({7, 1})}},
          {DFT{.inverse = true}, {complex, Tensor(), axis(1)}},
          {DFT{}, {complex, sample_ints({4}), axis(-3)}},
          {DFT{}, {complex, axis(11).cast(DType::i32), axis(0)}},
          {DFT{.inverse = true, .onesided = true}, {real, axis(9)}},
          {DFT{}, {sample_values({2, 6, 3})}, "expects a last axis of 1 (real) or 2 (complex), got shape [2, 6, 3]"},
          {DFT{.onesided = true}, {complex}, "onesided expects a real signal"},
          {DFT{}, {real, axis(0)}, "dft_length expects a number from 1 up, got 0"},
          {DFT{}, {real, Tensor(), axis(2)}, "axis expects an axis before the last of shape [2, 6, 1], got 2"},
          {DFT{}, {real, Tensor(), axis(4)}, "axis 4 is out of range for rank 3"},
          {DFT{}, {real.cast(DType::i32)}, "input 'input' expects a floating-point type, got int32"}};
}

void STFT::infer(InferContext& context) const {
  check_parts(context, "signal", onesided);
  const Shape& x = context.shape(0);
  context.check(x.rank() == 3, "'signal' expects [batch, length, 1 or 2], got shape ", x);
  const auto step = given_extent(context, 1);
  std::optional<Extent> length = x[1];
  if (context.has(2)) {
    context.check_same_dtype(0, 2);
    context.check(context.rank(2) == 1, "'window' expects one axis, got shape ", context.shape(2));
    length = context.shape(2)[0];
  }
  if (context.has(3)) {
    const Extent window = *length;
    length = given_extent(context, 3);
    const bool fits = !context.has(2) || !length || !length->is_number() || !window.is_number() || *length == window;
    context.check(fits, "'window' has ", window, " elements, expected frame_length, ", length.value_or(0));
  }
  if (step) check_length(context, "frame_step", *step);
  if (length) check_length(context, "frame_length", *length);
  if ((!step || !length || !step->is_number()) && context.tracing())
    context.symbolic_error("the size of the result depends on values");
  Extent frames = context.unknown("frames");
  if (step && step->is_number() && length) {
    frames = floor_div(x[1] - *length, step->number()) + 1;
    context.check(!frames.is_number() || frames.number() >= 1, "frames of ", *length,
                  " elements are longer than the signal of shape ", x);
  }
  context.output(context.dtype(0), {x[0], frames, length ? bins_of(*length, onesided) : context.unknown("bins"), 2});
}

void STFT::evaluate(EvalContext& context) const {
  const int64_t step = read_one(context.input(1));
  const int64_t length = context.has(3)   ? read_one(context.input(3))
                         : context.has(2) ? context.input(2).numel()
                                          : context.input(0).dims()[1];
  in_float64(context, [&](EvalContext& c) {
    transform_frames(c.input(0), c.has(2) ? c.input(2).raw_as<double>() : nullptr, step, length, c.output());
  });
}

std::vector<Sample> STFT::samples() {
  const Tensor signal = sample_values({2, 12, 1}), step = Tensor::scalar(int64_t{3}), window = sample_values({5}, 0, 1);
  return {
      {STFT{}, {signal, step, window}},
      {STFT{.onesided = false}, {signal, step, Tensor(), sample_ints({4})}},
      {STFT{.onesided = false}, {sample_values({1, 9, 2}), step.cast(DType::i32), window}},
      {STFT{}, {signal, step, window, sample_ints({5})}},
      {STFT{}, {signal, step}},
      {STFT{}, {signal, Tensor::scalar(int64_t{0}), window}, "frame_step expects a number from 1 up, got 0"},
      {STFT{}, {signal, step, window, sample_ints({6})}, "'window' has 5 elements, expected frame_length, 6"},
      {STFT{}, {signal, step, Tensor(), sample_ints({13})}, "frames of 13 elements are longer than the signal"},
      {STFT{}, {sample_values({2, 12, 2}), step, window}, "onesided expects a real signal"},
      {STFT{}, {sample_values({12, 1}), step, window}, "'signal' expects [batch, length, 1 or 2], got shape [12, 1]"},
      {STFT{}, {signal, sample_values({}), window}, "input 'frame_step' expects int64 or int32, got float32"}};
}

ONEMODEL_OPERATOR(DFT)
ONEMODEL_OPERATOR(STFT)

}  // namespace onemodel
