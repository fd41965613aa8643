#include "core/dims.h"

namespace onemodel {

int64_t numel(const Dims& dims) {
  int64_t total = 1;
  bool empty = false;
  for (int64_t d : dims) {
    check<ShapeError>(d >= 0, "negative extent in shape ", dims);
    if (d == 0) {
      empty = true;
    } else {
      check<ShapeError>(!__builtin_mul_overflow(total, d, &total), "shape ", dims, " has too many elements");
    }
  }
  return empty ? 0 : total;
}

Dims contiguous_strides(const Dims& dims) {
  Dims strides = Dims::filled(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<int64_t>(dims[i], 1);
  return strides;
}

bool broadcast(const Dims& a, const Dims& b, Dims& out) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  const size_t offset = longer.size() - shorter.size();
  out = longer;
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = out[offset + i];
    if (extent == 1)
      extent = shorter[i];
    else if (shorter[i] != 1 && shorter[i] != extent)
      return false;
  }
  return true;
}

size_t normalize_axis(std::string_view who, int64_t axis, size_t rank) {
  const auto r = static_cast<int64_t>(rank);
  check<ShapeError>(axis >= -r && axis < r, who, ": axis ", axis, " is out of range for rank ", rank,
                    rank ? concat(" (expected ", -r, " to ", r - 1, ")") : std::string(" (a scalar has no axes)"));
  return static_cast<size_t>(axis < 0 ? axis + r : axis);
}

void append(std::string& out, const Dims& dims) {
  out += '[';
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i) out += ", ";
    append(out, dims[i]);
  }
  out += ']';
}

}  // namespace onemodel
