#include "kernels/portable/order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
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

/// The extremum of the line from element `start` of `line`.
using ExtremumOf = int64_t (*)(const void* line, int64_t start, int64_t count, int64_t step, bool largest, bool last);

template <class T>
int64_t extremum_of(const void* line, int64_t start, int64_t count, int64_t step, bool largest, bool last) {
  const T* x = static_cast<const T*>(line) + start;
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

/// A number in the order of the values: equal ones share it, NaN is above all else. So there is one sort for all dtypes.
template <class T>
uint64_t sort_key(T value) {
  constexpr uint64_t sign = uint64_t{1} << 63;
  if constexpr (std::unsigned_integral<T>) {
    return value;
  } else if constexpr (Integer<T>) {
    return static_cast<uint64_t>(int64_t{value}) ^ sign;
  } else {
    const double wide = static_cast<double>(static_cast<Compute<T>>(value)) + 0.0;  // -0 becomes 0
    if (is_nan(wide)) return ~uint64_t{0};
    const auto bits = std::bit_cast<uint64_t>(wide);
    return bits & sign ? ~bits : bits | sign;
  }
}

using Keyed = std::pair<uint64_t, int64_t>;  // the key and the position in the line
using ReadKeys = void (*)(const void* line, int64_t start, int64_t step, bool largest, std::vector<Keyed>& keys);

template <class T>
void read_keys(const void* line, int64_t start, int64_t step, bool largest, std::vector<Keyed>& keys) {
  const T* x = static_cast<const T*>(line) + start;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto position = static_cast<int64_t>(i);
    const uint64_t key = sort_key(x[position * step]);
    keys[i] = {largest ? ~key : key, position};
  }
}

}  // namespace

void arg_extremum(DType dtype, const Lines& lines, bool largest, bool last, const void* x, int64_t* y) {
  const ExtremumOf in_dtype = visit_dtype(dtype, []<class T>(TypeTag<T>) -> ExtremumOf {
    if constexpr (Numeric<T>) return extremum_of<T>;
    unsupported("an extremum", dtype_of<T>);
  });
  parallel(lines.count(), grain_for(lines.length), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line)
      y[line] = in_dtype(x, lines.start(line), lines.length, lines.inner, largest, last);
  });
}

void top_k(DType dtype, const Lines& lines, int64_t count, bool largest, const void* x, void* values,
           int64_t* indices) {
  const ReadKeys read = visit_dtype(dtype, []<class T>(TypeTag<T>) -> ReadKeys {
    if constexpr (Numeric<T>) return read_keys<T>;
    unsupported("sorting", dtype_of<T>);
  });
  if (count == 0) return;
  const Lines out{lines.outer, count, lines.inner};
  const int64_t rounds = std::bit_width(static_cast<uint64_t>(lines.length));
  const auto item = static_cast<int64_t>(dtype_size(dtype));
  parallel(lines.count(), grain_for(lines.length * rounds), [&](int64_t begin, int64_t end) {
    std::vector<Keyed> order(static_cast<size_t>(lines.length));
    for (int64_t line = begin; line < end; ++line) {
      const int64_t from = lines.start(line);
      read(x, from, lines.inner, largest, order);
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
      int64_t to = out.start(line);
      for (int64_t i = 0; i < count; ++i, to += out.inner) {
        const int64_t position = order[static_cast<size_t>(i)].second;
        if (values)
          std::memcpy(static_cast<std::byte*>(values) + to * item,
                      static_cast<const std::byte*>(x) + (from + position * lines.inner) * item,
                      static_cast<size_t>(item));
        if (indices) indices[to] = position;
      }
    }
  });
}

}  // namespace onemodel::kernels
