#include "kernels/portable/determinant.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace onemodel::kernels {
namespace {

/// Eliminates below and above the diagonal of the first n columns of a[n, width]. Returns the determinant of these
/// columns; stops where it is 0.
double eliminate(int64_t n, int64_t width, double* a) {
  double out = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * width + k]) > std::abs(a[pivot * width + k])) pivot = i;
    if (pivot != k) {
      std::swap_ranges(a + k * width, a + (k + 1) * width, a + pivot * width);
      out = -out;
    }
    const double diagonal = a[k * width + k];
    out *= diagonal;
    if (diagonal == 0) return 0;
    for (int64_t i = width == n ? k + 1 : 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i * width + k] / diagonal;
      for (int64_t j = k; j < width; ++j) a[i * width + j] -= factor * a[k * width + j];
    }
  }
  return out;
}

/// The determinant of x without row `row` and column `column`, signed.
double minor_of(int64_t n, const double* x, int64_t row, int64_t column) {
  std::vector<double> rest;
  rest.reserve(static_cast<size_t>((n - 1) * (n - 1)));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i != row && j != column) rest.push_back(x[i * n + j]);
  const double out = eliminate(n - 1, n - 1, rest.data());
  return (row + column) % 2 ? -out : out;
}

}  // namespace

double determinant(int64_t n, const double* x) {
  std::vector<double> a(x, x + n * n);
  return eliminate(n, n, a.data());
}

void cofactors(int64_t n, const double* x, double* y) {
  // [x, 1] becomes [diagonal, the inverse times it].
  const int64_t width = 2 * n;
  std::vector<double> a(static_cast<size_t>(n * width));
  for (int64_t i = 0; i < n; ++i) {
    std::copy_n(x + i * n, n, a.data() + i * width);
    a[static_cast<size_t>(i * width + n + i)] = 1;
  }
  const double whole = eliminate(n, width, a.data());
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      const double* row = a.data() + j * width;
      y[i * n + j] = whole == 0 ? minor_of(n, x, i, j) : whole * (row[n + i] / row[j]);
    }
}

}  // namespace onemodel::kernels
