#include "kernels/portable/col2im.h"

#include <algorithm>

#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// Steps `at` through `extents`, row-major.
void advance(const Dims& extents, Dims& at) {
  for (size_t i = extents.size(); i-- > 0;) {
    if (++at[i] < extents[i]) return;
    at[i] = 0;
  }
}

}  // namespace

std::vector<int64_t> block_places(const Dims& image, const Dims& blocks, const Window& w) {
  const int64_t in_block = numel(w.kernel), count = numel(blocks);
  const Dims strides = contiguous_strides(image);
  std::vector<int64_t> out;
  out.reserve(static_cast<size_t>(in_block * count));
  Dims place = Dims::filled(image.size(), 0);
  for (int64_t k = 0; k < in_block; ++k, advance(w.kernel, place)) {
    Dims block = Dims::filled(image.size(), 0);
    for (int64_t b = 0; b < count; ++b, advance(blocks, block)) {
      int64_t offset = 0;
      bool inside = true;
      for (size_t i = 0; i < image.size(); ++i) {
        const int64_t at = block[i] * w.strides[i] + place[i] * w.dilations[i] - w.pads_begin[i];
        inside &= at >= 0 && at < image[i];
        offset += at * strides[i];
      }
      out.push_back(inside ? offset : -1);
    }
  }
  return out;
}

void col2im(int64_t planes, int64_t pixels, const std::vector<int64_t>& places, const double* x, double* y) {
  const auto count = static_cast<int64_t>(places.size());
  parallel(planes, grain_for(2 * count), [&](int64_t begin, int64_t end) {
    std::fill_n(y + begin * pixels, (end - begin) * pixels, 0.0);
    for (int64_t p = begin; p < end; ++p)
      for (int64_t i = 0; i < count; ++i)
        if (const int64_t place = places[static_cast<size_t>(i)]; place >= 0) y[p * pixels + place] += x[p * count + i];
  });
}

}  // namespace onemodel::kernels
