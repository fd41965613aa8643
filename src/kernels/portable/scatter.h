#pragma once
// Runs of elements at computed places: reading them one after the other, and putting them back.
//
// Shapes: contiguous. A place is an offset in elements, at which a run of `length` elements begins.
// Errors: ShapeError naming an index out of range and the bound, before anything is written.
// Aliasing: outputs overlap no input.
// Threads: split over outputs, or over the columns of the runs; the same bits for any number. Runs that overlap are
//   written in order.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dims.h"
#include "core/dtype.h"

namespace onemodel::kernels {

struct Places {
  std::vector<int64_t> offsets;
  int64_t length = 1;
};

/// Of data[i0, …, indices[i0, …, in], …, in] for every place of `index_dims`, in order: the index counts along `axis`,
/// negative ones from the end. Off the axis `index_dims` is nowhere larger than `data_dims`. The dtype of the indices
/// is int32 or int64.
Places element_places(DType dtype, const void* indices, const Dims& index_dims, const Dims& data_dims, size_t axis);

/// Of data[b…, indices[b…, i…, :], …] for every place of `index_dims` but the last axis, which holds one index for each
/// of the axes of data after the `batch` first, which both share.
Places row_places(const int64_t* indices, const Dims& index_dims, const Dims& data_dims, size_t batch);

/// y[i] = the run of x at place i, for elements of `item` bytes of any dtype.
void gather_places(size_t item, const Places& places, const void* x, void* y);

enum class Scatter : uint8_t { none, add, mul, min, max };

/// The run of x at place i = op(itself, y[i]) for i = 0, 1, …; `none` overwrites, others round after each step. NaN
/// beside NaN; integers wrap. Every dtype with `none`, else numeric ones; bool throws DTypeError.
void scatter_places(DType dtype, Scatter op, const Places& places, const void* y, void* x);

}  // namespace onemodel::kernels
