#include "kernels/portable/ngrams.h"

#include <algorithm>

#include "core/sort.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// The last of the sorted pool that equals `items`, or null.
const Ngram* find(const std::vector<Ngram>& pool, std::span<const int64_t> items) {
  const auto before = [](std::span<const int64_t> a, const Ngram& b) {
    return std::ranges::lexicographical_compare(a, b.items);
  };
  const auto after = std::upper_bound(pool.begin(), pool.end(), items, before);
  if (after == pool.begin() || !std::ranges::equal(std::prev(after)->items, items)) return nullptr;
  return &*std::prev(after);
}

}  // namespace

void count_ngrams(const NgramOptions& o, std::vector<Ngram> pool, int64_t rows, int64_t length, int64_t columns,
                  const int64_t* x, float* counts) {
  pool = sorted(std::move(pool),
                [](const Ngram& a, const Ngram& b) { return std::ranges::lexicographical_compare(a.items, b.items); });
  parallel(rows, grain_for(length * 64), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> items;
    for (int64_t row = begin; row < end; ++row)
      for (int64_t distance = 1; distance <= o.skips + 1; ++distance)
        for (int64_t size = o.least; size <= o.most && (size - 1) * distance < length; ++size) {
          if (size == 1 && distance > 1) continue;
          for (int64_t start = 0; start + (size - 1) * distance < length; ++start) {
            items.clear();
            for (int64_t k = 0; k < size; ++k) items.push_back(x[row * length + start + k * distance]);
            if (const Ngram* found = find(pool, items)) counts[row * columns + found->column] += 1;
          }
        }
  });
}

}  // namespace onemodel::kernels
