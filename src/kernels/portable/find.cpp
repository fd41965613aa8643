#include "kernels/portable/find.h"

#include <algorithm>
#include <numeric>

#include "core/strings.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {
namespace {

/// -1, 0 or 1 as row `first` of `x` is below, equal to or above row `second`; NaN is above all else.
using CompareRows = int (*)(const void* x, int64_t first, int64_t second, int64_t width);

template <class T>
int compare_rows(const void* x, int64_t first, int64_t second, int64_t width) {
  const T *a = static_cast<const T*>(x) + first * width, *b = static_cast<const T*>(x) + second * width;
  for (int64_t i = 0; i < width; ++i) {
    const auto u = static_cast<Compute<T>>(a[i]), v = static_cast<Compute<T>>(b[i]);
    const bool u_nan = u != u, v_nan = v != v;
    if (u_nan != v_nan) return u_nan ? 1 : -1;
    if (u < v) return -1;
    if (v < u) return 1;
  }
  return 0;
}

int compare_text_rows(const void* x, int64_t first, int64_t second, int64_t width) {
  const auto *a = static_cast<const StringHandle*>(x) + first * width,
             *b = static_cast<const StringHandle*>(x) + second * width;
  const Strings strings;
  for (int64_t i = 0; i < width; ++i)
    if (const int order = strings[a[i]].compare(strings[b[i]])) return order;
  return 0;
}

}  // namespace

DistinctRows find_distinct(DType dtype, const void* x, int64_t rows, int64_t width, bool sorted) {
  const CompareRows in_dtype =
      dtype == DType::string ? compare_text_rows
                             : visit_dtype(dtype, []<class T>(TypeTag<T>) -> CompareRows { return compare_rows<T>; });
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto compare = [&](int64_t i, int64_t j) { return in_dtype(x, i, j, width); };
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return compare(i, j) < 0; });

  DistinctRows out;
  out.inverse.resize(order.size());
  for (const int64_t row : order) {
    if (out.first.empty() || compare(out.first.back(), row) != 0) {
      out.first.push_back(row);
      out.counts.push_back(0);
    }
    ++out.counts.back();
    out.inverse[static_cast<size_t>(row)] = static_cast<int64_t>(out.first.size()) - 1;
  }
  if (sorted) return out;

  DistinctRows by_place;
  std::vector<int64_t> new_number(out.first.size(), -1);
  for (int64_t& number : out.inverse) {
    const auto n = static_cast<size_t>(number);
    if (new_number[n] < 0) {
      new_number[n] = static_cast<int64_t>(by_place.first.size());
      by_place.first.push_back(out.first[n]);
      by_place.counts.push_back(out.counts[n]);
    }
    number = new_number[n];
  }
  by_place.inverse = std::move(out.inverse);
  return by_place;
}

std::vector<int64_t> find_nonzero(DType dtype, const void* x, int64_t count) {
  return visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
    const T* values = static_cast<const T*>(x);
    std::vector<int64_t> out;
    for (int64_t i = 0; i < count; ++i)
      if (static_cast<Compute<T>>(values[i]) != Compute<T>(0)) out.push_back(i);
    return out;
  });
}

}  // namespace onemodel::kernels
