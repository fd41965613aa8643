#include "kernels/portable/suppress.h"

#include <algorithm>

namespace onemodel::kernels {
namespace {

struct Box {
  float left, top, right, bottom;
  float area() const { return (right - left) * (bottom - top); }
};

Box box_of(const float* b, bool centre) {
  if (centre) {
    const float w = b[2] / 2, h = b[3] / 2;
    return {b[0] - w, b[1] - h, b[0] + w, b[1] + h};
  }
  return {std::min(b[1], b[3]), std::min(b[0], b[2]), std::max(b[1], b[3]), std::max(b[0], b[2])};
}

bool overlap(const Box& a, const Box& b, float threshold) {
  const float left = std::max(a.left, b.left), right = std::min(a.right, b.right);
  const float top = std::max(a.top, b.top), bottom = std::min(a.bottom, b.bottom);
  if (right <= left || bottom <= top) return false;
  const float common = (right - left) * (bottom - top);
  const float area_a = a.area(), area_b = b.area(), whole = area_a + area_b - common;
  return area_a > 0 && area_b > 0 && whole > 0 && common / whole > threshold;
}

std::vector<int64_t> candidates(const SuppressOptions& o, const float* scores) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < o.count; ++i)
    if (o.has_least_score ? scores[i] > o.least_score : scores[i] == scores[i]) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  return out;
}

}  // namespace

std::vector<int64_t> suppress(const SuppressOptions& o, const float* boxes, const float* scores) {
  std::vector<int64_t> out;
  if (o.most <= 0) return out;
  for (int64_t n = 0; n < o.batch; ++n)
    for (int64_t c = 0; c < o.classes; ++c) {
      std::vector<Box> kept;
      for (const int64_t i : candidates(o, scores + (n * o.classes + c) * o.count)) {
        if (static_cast<int64_t>(kept.size()) >= o.most) break;
        const Box box = box_of(boxes + (n * o.count + i) * 4, o.centre);
        if (std::ranges::any_of(kept, [&](const Box& k) { return overlap(box, k, o.overlap); })) continue;
        kept.push_back(box);
        out.insert(out.end(), {n, c, i});
      }
    }
  return out;
}

}  // namespace onemodel::kernels
