#include "kernels/xnn/columns.h"

#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

/// Outputs [first, last) of a row whose tap at `offset` falls inside [0, width).
struct Range {
  int64_t first, last;
};
Range inside(int64_t offset, int64_t stride, int64_t width, int64_t outputs) {
  const int64_t first = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
  const int64_t last = offset >= width ? 0 : (width - offset + stride - 1) / stride;
  return {std::min(first, outputs), std::max(std::min(first, outputs), std::min(last, outputs))};
}

OM_SIMD_BEGIN

void scatter_add(const float* from, float* x, size_t stride, size_t count) {
  if (stride == 1)
    for (size_t i = 0; i < count; ++i) x[i] += from[i];
  else
    for (size_t i = 0; i < count; ++i) x[i * stride] += from[i];
}

OM_SIMD_END

}  // namespace

void window_line(const Conv2d& p, const float* image, int64_t line, size_t first, size_t count, float* to) {
  const int64_t taps = p.kernel_h * p.kernel_w;
  const int64_t right = line % p.kernel_w * p.dilation_w - p.pad_left;
  const Range range = inside(right, p.stride_w, p.w, p.out_w());
  const size_t out_w = to_size(p.out_w()), low = to_size(range.first), high = to_size(range.last);
  const size_t stride = to_size(p.stride_w), height = to_size(p.h);
  size_t begin = first % out_w;
  // rows above the image wrap around to large numbers
  size_t y = first / out_w * to_size(p.stride_h) + to_size(line % taps / p.kernel_w * p.dilation_h - p.pad_top);
  const float* source = image + line / taps * p.h * p.w + right;
  for (; count > 0; y += to_size(p.stride_h), begin = 0) {
    const size_t end = std::min(out_w, begin + count);
    const size_t from = y < height ? std::clamp(low, begin, end) : end, until = std::clamp(high, from, end);
    for (size_t i = begin; i < from; ++i) to[i - begin] = 0;
    if (from < until)
      gather(source + static_cast<int64_t>(y) * p.w + static_cast<int64_t>(from * stride), stride, to + (from - begin),
             until - from);
    for (size_t i = until; i < end; ++i) to[i - begin] = 0;
    to += end - begin;
    count -= end - begin;
  }
}

void columns_to_image(const Conv2d& p, const float* columns, float* image) {
  const int64_t taps = p.kernel_h * p.kernel_w, out_h = p.out_h(), out_w = p.out_w();
  const auto body = [&](size_t begin, size_t end) {
    for (int64_t c = static_cast<int64_t>(begin); c < static_cast<int64_t>(end); ++c) {
      float* plane = image + c * p.h * p.w;
      std::fill(plane, plane + p.h * p.w, 0.f);
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t down = tap / p.kernel_w * p.dilation_h - p.pad_top;
        const int64_t right = tap % p.kernel_w * p.dilation_w - p.pad_left;
        const Range range = inside(right, p.stride_w, p.w, out_w);
        if (range.first == range.last) continue;
        const float* from = columns + (c * taps + tap) * out_h * out_w + range.first;
        for (int64_t i = 0; i < out_h; ++i, from += out_w) {
          const int64_t y = i * p.stride_h + down;
          if (y < 0 || y >= p.h) continue;
          scatter_add(from, plane + y * p.w + range.first * p.stride_w + right, to_size(p.stride_w),
                      to_size(range.last - range.first));
        }
      }
    }
  };
  parallel(to_size(p.c), to_size(kThreadWork / std::max<int64_t>(1, taps * out_h * out_w)) + 1, body);
}

}  // namespace onemodel::kernels::xnn
