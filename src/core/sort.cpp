#include "core/sort.h"

#include <algorithm>

namespace onemodel {

void detail::sort_numbers(std::span<size_t> numbers, bool (*before)(const void* context, size_t a, size_t b),
                          const void* context) {
  std::stable_sort(numbers.begin(), numbers.end(), [&](size_t a, size_t b) { return before(context, a, b); });
}

}  // namespace onemodel
