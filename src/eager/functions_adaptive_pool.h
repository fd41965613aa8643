#pragma once
// Pools that give a wanted number of elements, under PyTorch's names (see functions.h).

#include "eager/functions_image.h"

namespace onemodel {

/// Means of `output_size` windows along the last axis (or the last two or three), of which window i reaches from
/// floor(i * extent / output_size) to ceil((i + 1) * extent / output_size): x [batch, channels, spatial...], or without
/// the batch. Composed of AveragePool, ReduceMean or products with a constant matrix, so that it has a gradient and can
/// be traced. Errors:
/// ShapeError for another rank or an empty axis, ArgumentError for an output_size below 1, and
/// TraceError(SymbolicShape) for a symbolic axis whose extent output_size is not known to divide.
Tensor adaptive_avg_pool1d(const Tensor& x, int64_t output_size);
Tensor adaptive_avg_pool2d(const Tensor& x, Pair output_size);
Tensor adaptive_avg_pool3d(const Tensor& x, Triple output_size);
/// The largest elements of the same windows, composed of ReduceMax; equals share the gradient evenly.
Tensor adaptive_max_pool1d(const Tensor& x, int64_t output_size);
Tensor adaptive_max_pool2d(const Tensor& x, Pair output_size);
Tensor adaptive_max_pool3d(const Tensor& x, Triple output_size);

}  // namespace onemodel
