// Gradients of DFT and STFT: the transform the other way, since both are linear.

#include "ops/col2im.h"
#include "ops/formula.h"
#include "ops/fourier.h"
#include "ops/gather.h"
#include "ops/one_integer.h"
#include "ops/pad.h"
#include "ops/slice.h"

namespace onemodel {
namespace {

// The gradient by the signal of a transform of `length` along `axis`, as complex numbers.
Var transform_back(const Var& g, bool inverse, int64_t length, int64_t axis) {
  const double factor = inverse ? 1.0 / static_cast<double>(length) : static_cast<double>(length);
  const int64_t lengths[] = {length}, axes[] = {axis};
  return apply(DFT{.inverse = !inverse}, {g, ints_beside(g, lengths), ints_beside(g, axes)}) * factor;
}

// Of complex numbers the first `parts` parts.
Var keep_parts(const Var& v, int64_t parts) {
  return parts == 2 ? v : slice(v, static_cast<int64_t>(v.rank()) - 1, 0, parts);
}

// Cut or padded with zeros to `extent` along `axis`.
Var fit(const Var& v, int64_t axis, int64_t extent) {
  const int64_t own = v.dims()[static_cast<size_t>(axis)];
  if (own >= extent) return own == extent ? v : slice(v, axis, 0, extent);
  std::vector<int64_t> pads(2 * v.rank());
  pads[v.rank() + static_cast<size_t>(axis)] = extent - own;
  return apply(Pad{}, {v, ints_beside(v, pads)});
}

int64_t number(const GradContext& context, size_t i, int64_t otherwise) {
  return context.has(i) ? read_one(context.input(i).tensor()) : otherwise;
}

// Gradients by the frames[batch, frames, length, parts] are added up to those by the signal.
Var add_frames(const Var& frames, int64_t step, int64_t extent) {
  const Dims& dims = frames.dims();
  const int64_t length = dims[2], covered[] = {(dims[1] - 1) * step + length}, block[] = {length};
  constexpr int64_t forth[] = {0, 3, 2, 1}, back[] = {0, 2, 1};
  const Var columns = reshape(permute(frames, forth), Dims{dims[0], dims[3] * length, dims[1]});
  const Var added =
      apply(Col2Im{.strides = {step}}, {columns, ints_beside(frames, covered), ints_beside(frames, block)});
  return fit(permute(added, back), 1, extent);
}

Var frames_of(const Var& signal, int64_t step, int64_t frames, int64_t length) {
  std::vector<int64_t> places;
  for (int64_t frame = 0; frame < frames; ++frame)
    for (int64_t k = 0; k < length; ++k) places.push_back(frame * step + k);
  const Dims& dims = signal.dims();
  return reshape(apply(Gather{.axis = 1}, {signal, ints_beside(signal, places)}),
                 Dims{dims[0], frames, length, dims[2]});
}

}  // namespace

Gradients DFT::vjp(GradContext& context) const {
  const Dims& dims = context.input(0).dims();
  const auto axis = static_cast<int64_t>(normalize_axis(info.name, number(context, 2, -2), dims.size()));
  const int64_t extent = dims[static_cast<size_t>(axis)];
  const Var back = transform_back(context.grad(), inverse, number(context, 1, extent), axis);
  return {fit(keep_parts(back, dims.back()), axis, extent)};
}

Gradients STFT::vjp(GradContext& context) const {
  const Var x = context.input(0), g = context.grad();
  const int64_t step = number(context, 1, 1);
  const int64_t length = number(context, 3, context.has(2) ? context.input(2).dims()[0] : x.dims()[1]);
  const Var back = keep_parts(transform_back(g, false, length, 2), x.dims()[2]);
  if (!context.has(2)) return {add_frames(back, step, x.dims()[1])};
  Gradients out(3);
  if (context.needs(0)) {
    const Var weights = reshape(context.input(2), Dims{length, 1});
    out[0] = add_frames(back * weights, step, x.dims()[1]);
  }
  if (context.needs(2)) {
    constexpr int64_t axes[] = {0, 1, 3};
    out[2] = reduce_sum(back * frames_of(x, step, g.dims()[1], length), axes, false);
  }
  return out;
}

}  // namespace onemodel
