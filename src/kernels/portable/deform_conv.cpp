#include "kernels/portable/deform_conv.h"

#include <vector>

#include "kernels/portable/internal.h"
#include "kernels/portable/places.h"

namespace onemodel::kernels {
namespace {

double sample(const AxisPlace& row, const AxisPlace& column, int64_t width, const double* plane) {
  double out = 0;
  for (size_t i = 0; i < row.count; ++i)
    for (size_t j = 0; j < column.count; ++j)
      if (row.taps[i].index >= 0 && column.taps[j].index >= 0)
        out += row.taps[i].weight * column.taps[j].weight * plane[row.taps[i].index * width + column.taps[j].index];
  return out;
}

/// The window at one output place, sampled: [channels, kernel elements].
void gather(const DeformConvShape& s, int64_t n, int64_t pixel, const double* x, const double* offsets,
            const double* mask, double* window) {
  const Window& w = s.window;
  const int64_t places = numel(w.kernel), out_plane = numel(s.output), plane = numel(s.input);
  const int64_t shared = s.channels / s.offset_groups;
  const int64_t top = pixel / s.output[1] * w.strides[0] - w.pads_begin[0];
  const int64_t left = pixel % s.output[1] * w.strides[1] - w.pads_begin[1];
  for (int64_t g = 0; g < s.offset_groups; ++g)
    for (int64_t k = 0; k < places; ++k) {
      const int64_t at = (n * s.offset_groups + g) * places + k;
      const double* move = offsets + 2 * at * out_plane + pixel;
      const int64_t row = top + k / w.kernel[1] * w.dilations[0], column = left + k % w.kernel[1] * w.dilations[1];
      const AxisPlace rows = linear_place(near_place(static_cast<double>(row) + move[0]), s.input[0]);
      const AxisPlace columns = linear_place(near_place(static_cast<double>(column) + move[out_plane]), s.input[1]);
      const double factor = mask ? mask[at * out_plane + pixel] : 1;
      for (int64_t c = g * shared; c < (g + 1) * shared; ++c)
        window[c * places + k] = factor * sample(rows, columns, s.input[1], x + (n * s.channels + c) * plane);
    }
}

}  // namespace

void deform_conv(const DeformConvShape& s, const double* x, const double* weights, const double* offsets,
                 const double* bias, const double* mask, double* y) {
  const int64_t places = numel(s.window.kernel), out_plane = numel(s.output);
  const int64_t part = s.channels / s.groups * places, group_outputs = s.outputs / s.groups;
  const int64_t cost = s.channels * places * (16 + group_outputs);
  parallel(s.batch * out_plane, grain_for(cost), [&](int64_t begin, int64_t end) {
    std::vector<double> window(static_cast<size_t>(s.channels * places));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t n = i / out_plane, pixel = i % out_plane;
      gather(s, n, pixel, x, offsets, mask, window.data());
      for (int64_t o = 0; o < s.outputs; ++o) {
        const double *a = weights + o * part, *b = window.data() + o / group_outputs * part;
        double sum = 0;
        for (int64_t k = 0; k < part; ++k) sum += a[k] * b[k];
        y[(n * s.outputs + o) * out_plane + pixel] = bias ? sum + bias[o] : sum;
      }
    }
  });
}

}  // namespace onemodel::kernels
