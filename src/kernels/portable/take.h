#pragma once
// Elements by lists of positions, one list for each axis: padding by reflection, repetition, reversed sequences.
//
// Shapes: y is contiguous.
// Dtypes: any; `item` is the size of an element in bytes: 1, 2, 4 or 8.
// Aliasing: outputs overlap no input.
// Threads: split over outputs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onemodel::kernels {

/// y[i, j, …] = x[offsets[0][i] + offsets[1][j] + …], offsets in elements; y has the extents that the lists have.
void take(size_t item, std::span<const std::vector<int64_t>> offsets, const void* x, void* y);

/// The axes of a reversal: x[time, batch] of runs of `inner` elements, with strides in elements.
struct SequenceShape {
  int64_t time = 0, batch = 0, inner = 1;
  int64_t time_stride = 0, batch_stride = 0;
};

/// y[t, b] = x[lengths[b] - 1 - t, b] for t < lengths[b], else x[t, b]. Lengths are in [0, time].
void reverse_sequence(size_t item, const SequenceShape& shape, const int64_t* lengths, const void* x, void* y);

}  // namespace onemodel::kernels
