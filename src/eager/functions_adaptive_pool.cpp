#include "eager/functions_adaptive_pool.h"

#include <span>
#include <vector>

#include "eager/record.h"
#include "eager/unbatched.h"

namespace onemodel {
namespace {

enum class Kind : uint8_t { average, maximum };

void check_arguments(std::string_view who, const Tensor& x, std::span<const int64_t> sizes) {
  check<ShapeError>(x.rank() == sizes.size() + 2, who, ": the input must be [batch, channels, ", sizes.size(),
                    " spatial axes] or without the batch, got ", x.dims());
  for (size_t axis = 2; axis < x.rank(); ++axis)
    check<ShapeError>(x.dims()[axis] > 0, who, ": axis ", axis, " of the input ", x.dims(), " is empty");
  for (const int64_t size : sizes) check(size >= 1, who, ": output_size must be at least 1, got ", size);
}

bool is_fixed(const Tensor& x, size_t axis) {
  return active_trace() == 0 || !is_traced(x) || state_of(x)->symbolic_shape[axis].is_number();
}

int64_t start_of(int64_t window, int64_t extent, int64_t windows) { return window * extent / windows; }
int64_t end_of(int64_t window, int64_t extent, int64_t windows) {
  return ((window + 1) * extent + windows - 1) / windows;
}

Tensor reduced(Kind kind, const Tensor& x, size_t axis, bool keepdims) {
  const Dims axes = {static_cast<int64_t>(axis)};
  return kind == Kind::average ? mean(x, axes, keepdims) : max(x, axes, keepdims);
}

// [extent, windows]: column i has the mean's weights of window i.
Tensor window_weights(int64_t extent, int64_t windows, DType dtype) {
  std::vector<double> weights(static_cast<size_t>(extent * windows));
  for (int64_t i = 0; i < windows; ++i) {
    const int64_t start = start_of(i, extent, windows), end = end_of(i, extent, windows);
    for (int64_t at = start; at < end; ++at)
      weights[static_cast<size_t>(at * windows + i)] = 1 / static_cast<double>(end - start);
  }
  return Tensor::from(std::span<const double>(weights), {extent, windows}).cast(dtype);
}

// Of equal parts of an axis: the axis cut in two, of which the second goes.
Tensor equal_parts(Kind kind, const Tensor& x, size_t axis, int64_t parts) {
  Dims dims = x.dims();
  dims[axis] = parts;
  dims.insert(axis + 1, x.dims()[axis] / parts);
  return reduced(kind, reshape(x, dims), axis + 1, false);
}

// Of parts that differ or overlap.
Tensor any_parts(Kind kind, const Tensor& x, size_t axis, int64_t parts) {
  const int64_t extent = x.dims()[axis], at = static_cast<int64_t>(axis);
  if (kind == Kind::average) {
    const Tensor weights = window_weights(extent, parts, x.dtype());
    if (axis + 1 == x.rank()) return matmul(x, weights);
    return transpose(matmul(transpose(x, at, -1), weights), at, -1);
  }
  std::vector<Tensor> out;
  for (int64_t i = 0; i < parts; ++i)
    out.push_back(reduced(kind, slice(x, at, start_of(i, extent, parts), end_of(i, extent, parts)), axis, true));
  return cat(out, at);
}

[[noreturn]] void refuse_symbolic(std::string_view who, const Tensor& x, size_t axis, int64_t size) {
  const std::string path = module_path();
  throw TraceError("SymbolicShape", concat(path.empty() ? "" : concat("module '", path, "': "), who, ": axis ", axis,
                                           " of ", type_of(x), " is not always a multiple of output_size ", size,
                                           "; leave the axis without a name, or pool it to 1"));
}

Tensor pool_axis(std::string_view who, Kind kind, const Tensor& x, size_t axis, int64_t size) {
  const int64_t extent = x.dims()[axis];
  if (size == 1) return reduced(kind, x, axis, true);
  if (is_fixed(x, axis)) {
    if (extent == size) return x;
    return extent % size == 0 ? equal_parts(kind, x, axis, size) : any_parts(kind, x, axis, size);
  }
  if (state_of(x)->symbolic_shape[axis].coefficient() % size != 0) refuse_symbolic(who, x, axis, size);
  return equal_parts(kind, x, axis, size);
}

Tensor pool(std::string_view who, Kind kind, const Tensor& x, std::initializer_list<int64_t> sizes) {
  return with_batch(x, sizes.size() + 2, [&](const Tensor& batch) {
    check_arguments(who, batch, {sizes.begin(), sizes.size()});
    Tensor out = batch;
    for (size_t i = sizes.size(); i-- > 0;) out = pool_axis(who, kind, out, i + 2, sizes.begin()[i]);
    return out;
  });
}

}  // namespace

Tensor adaptive_avg_pool1d(const Tensor& x, int64_t output_size) {
  return pool("adaptive_avg_pool1d", Kind::average, x, {output_size});
}

Tensor adaptive_avg_pool2d(const Tensor& x, Pair output_size) {
  constexpr std::string_view who = "adaptive_avg_pool2d";
  return with_batch(x, 4, [&](const Tensor& batch) {
    const auto [height, width] = output_size;
    const int64_t sizes[] = {height, width};
    check_arguments(who, batch, sizes);
    if (height == 1 && width == 1) return global_avg_pool2d(batch);
    const int64_t rows = batch.dims()[2], columns = batch.dims()[3];
    if (is_fixed(batch, 2) && is_fixed(batch, 3) && rows % height == 0 && columns % width == 0)
      return avg_pool2d(batch, {rows / height, columns / width});
    return pool(who, Kind::average, batch, {height, width});
  });
}

Tensor adaptive_avg_pool3d(const Tensor& x, Triple s) {
  return pool("adaptive_avg_pool3d", Kind::average, x, {s.depth, s.height, s.width});
}

Tensor adaptive_max_pool1d(const Tensor& x, int64_t output_size) {
  return pool("adaptive_max_pool1d", Kind::maximum, x, {output_size});
}

Tensor adaptive_max_pool2d(const Tensor& x, Pair s) {
  return pool("adaptive_max_pool2d", Kind::maximum, x, {s.height, s.width});
}

Tensor adaptive_max_pool3d(const Tensor& x, Triple s) {
  return pool("adaptive_max_pool3d", Kind::maximum, x, {s.depth, s.height, s.width});
}

}  // namespace onemodel
