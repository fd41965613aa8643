#include "kernels/portable/order.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

template <class C>
bool is_nan(C value) {
  return value != value;
}

/// Whether `a` is strictly more extreme than `b`, any NaN being the most extreme.
template <class C>
bool beats(C a, C b, bool largest) {
  return (largest ? a > b : a < b) || (is_nan(a) && !is_nan(b));
}

template <class T>
int64_t extremum_of(const T* x, int64_t count, int64_t step, bool largest, bool last) {
  int64_t best = 0;
  auto record = static_cast<Compute<T>>(x[0]);
  for (int64_t i = 1; i < count; ++i) {
    const auto value = static_cast<Compute<T>>(x[i * step]);
    if (last ? beats(record, value, largest) : !beats(value, record, largest)) continue;
    best = i;
    record = value;
  }
  return best;
}

/// Sorts the first `count` of `order`, positions in a line.
template <class T>
void sort_first(const T* x, int64_t step, int64_t count, bool largest, std::vector<int64_t>& order) {
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto before = [&](int64_t i, int64_t j) {
    const auto a = static_cast<Compute<T>>(x[i * step]), b = static_cast<Compute<T>>(x[j * step]);
    const bool above = a > b || (is_nan(a) && !is_nan(b)), below = a < b || (is_nan(b) && !is_nan(a));
    if (above || below) return largest ? above : below;
    return i < j;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), before);
}

}  // namespace

template <class T>
void arg_extremum(const Lines& lines, bool largest, bool last, const T* x, int64_t* y) {
  if constexpr (!Numeric<T>) {
    unsupported("an extremum", dtype_of<T>);
  } else {
    parallel(lines.count(), grain_for(lines.length), [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line)
        y[line] = extremum_of(x + lines.start(line), lines.length, lines.inner, largest, last);
    });
  }
}

template <class T>
void top_k(const Lines& lines, int64_t count, bool largest, const T* x, T* values, int64_t* indices) {
  if constexpr (!Numeric<T>) {
    unsupported("sorting", dtype_of<T>);
  } else {
    if (count == 0) return;
    const Lines out{lines.outer, count, lines.inner};
    const int64_t rounds = std::bit_width(static_cast<uint64_t>(lines.length));
    parallel(lines.count(), grain_for(lines.length * rounds), [&](int64_t begin, int64_t end) {
      std::vector<int64_t> order(static_cast<size_t>(lines.length));
      for (int64_t line = begin; line < end; ++line) {
        const T* from = x + lines.start(line);
        sort_first(from, lines.inner, count, largest, order);
        int64_t to = out.start(line);
        for (int64_t i = 0; i < count; ++i, to += out.inner) {
          const int64_t position = order[static_cast<size_t>(i)];
          if (values) values[to] = from[position * lines.inner];
          if (indices) indices[to] = position;
        }
      }
    });
  }
}

#define OM_INSTANTIATE(T)                                                      \
  template void arg_extremum<T>(const Lines&, bool, bool, const T*, int64_t*); \
  template void top_k<T>(const Lines&, int64_t, bool, const T*, T*, int64_t*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels
