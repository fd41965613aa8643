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

void col2im(int64_t planes, const Dims& image, const Dims& blocks, const Window& w, const double* x, double* y) {
  const size_t rank = image.size();
  const int64_t pixels = numel(image), places = numel(w.kernel), count = numel(blocks);
  const Dims strides = contiguous_strides(image);
  parallel(planes, grain_for(8 * places * count), [&](int64_t begin, int64_t end) {
    std::fill_n(y + begin * pixels, (end - begin) * pixels, 0.0);
    for (int64_t p = begin; p < end; ++p) {
      Dims place = Dims::filled(rank, 0);
      for (int64_t k = 0; k < places; ++k, advance(w.kernel, place)) {
        Dims block = Dims::filled(rank, 0);
        for (int64_t b = 0; b < count; ++b, advance(blocks, block)) {
          int64_t offset = 0;
          bool inside = true;
          for (size_t i = 0; i < rank; ++i) {
            const int64_t at = block[i] * w.strides[i] + place[i] * w.dilations[i] - w.pads_begin[i];
            inside &= at >= 0 && at < image[i];
            offset += at * strides[i];
          }
          if (inside) y[p * pixels + offset] += x[(p * places + k) * count + b];
        }
      }
    }
  });
}

}  // namespace onemodel::kernels
