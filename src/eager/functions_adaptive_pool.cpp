#include "eager/functions_adaptive_pool.h"

#include <vector>

#include "eager/functions_image.h"
#include "eager/record.h"

namespace onemodel {
namespace {

void check_arguments(std::string_view who, const Tensor& x, size_t spatial, std::initializer_list<int64_t> sizes) {
  check<ShapeError>(x.rank() == spatial + 2, who, ": the input must be [batch, channels, ", spatial,
                    " spatial axes], got ", x.dims());
  for (size_t axis = 2; axis < x.rank(); ++axis)
    check<ShapeError>(x.dims()[axis] > 0, who, ": axis ", axis, " of the input ", x.dims(), " is empty");
  for (const int64_t size : sizes) check(size >= 1, who, ": output_size must be at least 1, got ", size);
}

bool is_fixed(const Tensor& x, size_t axis) {
  return active_trace() == 0 || !is_traced(x) || state_of(x)->symbolic_shape[axis].is_number();
}

// [extent, windows]: column i has the mean's weights of window i.
Tensor window_weights(int64_t extent, int64_t windows, DType dtype) {
  std::vector<double> weights(static_cast<size_t>(extent * windows));
  for (int64_t i = 0; i < windows; ++i) {
    const int64_t start = i * extent / windows, end = ((i + 1) * extent + windows - 1) / windows;
    for (int64_t at = start; at < end; ++at)
      weights[static_cast<size_t>(at * windows + i)] = 1 / static_cast<double>(end - start);
  }
  return Tensor::from(std::span<const double>(weights), {extent, windows}).cast(dtype);
}

// Means of equal parts of an axis: the axis cut in two, of which the second goes.
Tensor equal_parts(const Tensor& x, size_t axis, int64_t parts) {
  Dims dims = x.dims();
  dims[axis] = parts;
  dims.insert(axis + 1, x.dims()[axis] / parts);
  return mean(reshape(x, dims), {static_cast<int64_t>(axis) + 1});
}

[[noreturn]] void refuse_symbolic(std::string_view who, const Tensor& x, size_t axis, int64_t size) {
  const std::string path = module_path();
  throw TraceError("SymbolicShape", concat(path.empty() ? "" : concat("module '", path, "': "), who, ": axis ", axis,
                                           " of ", type_of(x), " is not always a multiple of output_size ", size,
                                           "; leave the axis without a name, or pool it to 1"));
}

Tensor pool_axis(std::string_view who, const Tensor& x, size_t axis, int64_t size) {
  const int64_t extent = x.dims()[axis];
  if (size == 1) return mean(x, {static_cast<int64_t>(axis)}, true);
  if (is_fixed(x, axis)) {
    if (extent == size) return x;
    if (extent % size == 0) return equal_parts(x, axis, size);
    const Tensor weights = window_weights(extent, size, x.dtype());
    if (axis + 1 == x.rank()) return matmul(x, weights);
    return transpose(matmul(transpose(x, -1, -2), weights), -1, -2);
  }
  if (state_of(x)->symbolic_shape[axis].coefficient() % size != 0) refuse_symbolic(who, x, axis, size);
  return equal_parts(x, axis, size);
}

}  // namespace

Tensor adaptive_avg_pool1d(const Tensor& x, int64_t output_size) {
  check_arguments("adaptive_avg_pool1d", x, 1, {output_size});
  return pool_axis("adaptive_avg_pool1d", x, 2, output_size);
}

Tensor adaptive_avg_pool2d(const Tensor& x, Pair output_size) {
  constexpr std::string_view who = "adaptive_avg_pool2d";
  const auto [height, width] = output_size;
  check_arguments(who, x, 2, {height, width});
  if (height == 1 && width == 1) return global_avg_pool2d(x);
  const int64_t rows = x.dims()[2], columns = x.dims()[3];
  if (is_fixed(x, 2) && is_fixed(x, 3) && rows % height == 0 && columns % width == 0)
    return avg_pool2d(x, {rows / height, columns / width});
  return pool_axis(who, pool_axis(who, x, 3, width), 2, height);
}

}  // namespace onemodel
