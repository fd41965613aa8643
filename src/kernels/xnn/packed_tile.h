#pragma once
// The product of rows and packed panels of columns, and the packing, for factors that are packed once. For the sources
// of this folder only.

#include <cstddef>

namespace onemodel::kernels::xnn {

#ifdef __wasm__
inline constexpr size_t kPanelVector = 4;  // floats
inline constexpr size_t kWidePanel = 12;
#else
inline constexpr size_t kPanelVector = 8;
inline constexpr size_t kWidePanel = 16;
#endif
/// The rows of a tile of each width divide it.
inline constexpr size_t kPanelRows = 12;

/// How columns are cut into panels: wide ones, and at the end as many of a vector less as leave no vector empty. Packed,
/// a panel is [depth, width], with zeros for columns that there are not, and begins at begin(panel) * depth.
class Panels {
 public:
  explicit constexpr Panels(size_t columns) : columns_(columns) {
    const size_t vectors = (columns + kPanelVector - 1) / kPanelVector, wide = kWidePanel / kPanelVector;
    count_ = (vectors + wide - 1) / wide;
    const size_t narrow = count_ * wide - vectors;
    wide_ = count_ > narrow ? count_ - narrow : 0;
  }
  constexpr size_t columns() const { return columns_; }
  constexpr size_t count() const { return count_; }
  constexpr size_t width(size_t panel) const { return panel < wide_ ? kWidePanel : kWidePanel - kPanelVector; }
  constexpr size_t begin(size_t panel) const {
    return panel * kWidePanel - (panel > wide_ ? (panel - wide_) * kPanelVector : 0);
  }
  /// Its columns that are not filled up.
  constexpr size_t columns(size_t panel) const {
    const size_t rest = columns_ - begin(panel);
    return rest < width(panel) ? rest : width(panel);
  }
  /// Columns with those that are filled up.
  constexpr size_t packed() const { return begin(count_); }

 private:
  size_t columns_, wide_, count_;
};

/// `depth` rows, `stride` apart, into all panels of `to`.
void pack_rows(const float* rows, size_t stride, const Panels&, size_t depth, float* to);

/// The columns, given as lines of `depth` floats that are `stride` apart.
void pack_lines(const float* lines, size_t stride, const Panels&, size_t depth, float* to);

/// c[rows, columns] (+)= a x b for a[rows, depth] and the panels b. Rows of a and of c are their strides apart.
struct PanelProduct {
  size_t rows, depth;
  const float* a;
  size_t a_stride;
  const float* b;
  float* c;
  size_t c_stride;
  bool accumulate;
  const float* bias;  // of the columns, may be null
  float min, max;     // what the sums, with the bias, are clamped to
};

/// The columns of panels [first, last) of that product. A panel and the rows should fit into the caches.
void multiply_panels(const PanelProduct&, const Panels&, size_t first, size_t last);

}  // namespace onemodel::kernels::xnn
