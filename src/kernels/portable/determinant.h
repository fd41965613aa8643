#pragma once
// Determinants of square matrices, and their gradients.
//
// Shapes: contiguous x[n, n]. Dtype: f64.
// Order: Gaussian elimination with the largest element of a column as pivot, the first of equals.
// Aliasing: outputs overlap no input.
// Threads: none.

#include <cstdint>

namespace onemodel::kernels {

/// The determinant; 1 for n = 0.
double determinant(int64_t n, const double* x);

/// y[i, j] = the derivative of the determinant by x[i, j]; also of a singular matrix.
void cofactors(int64_t n, const double* x, double* y);

}  // namespace onemodel::kernels
