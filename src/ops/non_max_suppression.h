#pragma once
// NonMaxSuppression: boxes without those that overlap a better one. How many are left depends on values: known when
// these are, as in eager calls; a trace refuses it.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// int64[n, 3]: image, class and box of those boxes[batch, boxes, 4] that are chosen for scores[batch, classes, boxes]:
/// by descending score, those that overlap no chosen one by more than iou_threshold (0 when absent) of their union, at
/// most max_output_boxes_per_class (0 when absent) each, and only scores above score_threshold (all when absent) but
/// NaN. Floating dtypes, compared in float32. Errors: shapes, a threshold outside [0, 1].
struct NonMaxSuppression {
  bool center_point_box = false;
  static constexpr auto fields() {
    return std::tuple{field("center_point_box", &NonMaxSuppression::center_point_box,
                            "boxes are x, y of the centre, width, height; else y1, x1, y2, x2 of opposite corners")};
  }
  static constexpr Input inputs[] = {
      {"boxes", "[batch, boxes, 4]"},
      {"scores", "[batch, classes, boxes]"},
      {"max_output_boxes_per_class", "how many of a class, int64; 0 when absent", Input::optional},
      {"iou_threshold", "the overlap above which a box is left out; 0 when absent", Input::optional},
      {"score_threshold", "scores must be above it", Input::optional}};
  static constexpr std::string_view outputs[] = {"selected_indices"};
  static constexpr OpInfo info{.name = "NonMaxSuppression",
                               .doc = "leaves out boxes that overlap a better one",
                               .since = 11,
                               .sizes_from_values = true};
  static constexpr NotDifferentiable vjp{"an index is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
