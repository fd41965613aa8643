#include "kernels/portable/take.h"

#include <algorithm>

#include "kernels/portable/internal.h"

namespace onemodel::kernels {

void take(size_t item, std::span<const std::vector<int64_t>> offsets, const void* x, void* y) {
  static const std::vector<int64_t> one{0};
  const std::vector<int64_t>& last = offsets.empty() ? one : offsets.back();
  const auto outer = offsets.empty() ? offsets : offsets.first(offsets.size() - 1);
  const auto width = static_cast<int64_t>(last.size());
  int64_t rows = width == 0 ? 0 : 1;
  for (const auto& list : outer) rows *= static_cast<int64_t>(list.size());
  with_item(item, [&]<class U>(TypeTag<U>) {
    parallel(rows, grain_for(width), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const U* from = static_cast<const U*>(x);
        int64_t rest = row;
        for (size_t i = outer.size(); i-- > 0;) {
          const auto extent = static_cast<int64_t>(outer[i].size());
          from += outer[i][static_cast<size_t>(rest % extent)];
          rest /= extent;
        }
        std::transform(last.begin(), last.end(), static_cast<U*>(y) + row * width, [&](int64_t k) { return from[k]; });
      }
    });
  });
}

void reverse_sequence(size_t item, const SequenceShape& shape, const int64_t* lengths, const void* x, void* y) {
  with_item(item, [&]<class U>(TypeTag<U>) {
    parallel(shape.time * shape.batch, grain_for(shape.inner), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t t = i / shape.batch, b = i % shape.batch;
        const int64_t source = t < lengths[b] ? lengths[b] - 1 - t : t;
        const U* from = static_cast<const U*>(x) + source * shape.time_stride + b * shape.batch_stride;
        std::copy_n(from, shape.inner, static_cast<U*>(y) + t * shape.time_stride + b * shape.batch_stride);
      }
    });
  });
}

}  // namespace onemodel::kernels
