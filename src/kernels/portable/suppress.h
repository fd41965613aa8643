#pragma once
// Boxes that overlap a better one are left out.
//
// Shapes: contiguous boxes[batch, count, 4] and scores[batch, classes, count].
// Dtype: f32.
// Order: of each image and class the boxes by descending score, of equals the first first. NaN scores are left out.
// Threads: none.

#include <cstdint>
#include <vector>

namespace onemodel::kernels {

struct SuppressOptions {
  int64_t batch = 0, classes = 0, count = 0;
  /// Boxes are x, y of the centre, width, height; otherwise y, x of two opposite corners.
  bool centre = false;
  int64_t most = 0;  // of an image and class
  /// The share of the union from which on a box is left out.
  float overlap = 0;
  /// Only larger scores count.
  float least_score = 0;
  bool has_least_score = false;
};

/// The boxes that are left, as image, class, box each.
std::vector<int64_t> suppress(const SuppressOptions& options, const float* boxes, const float* scores);

}  // namespace onemodel::kernels
