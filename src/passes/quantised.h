#pragma once
// What passes see of numbers that a model quantises.

#include <optional>

#include "passes/patch.h"

namespace onemodel {

inline bool is_byte(DType dtype) { return dtype == DType::i8 || dtype == DType::u8; }

/// An integer value with its constant float32 scale and zero point.
struct Quantised {
  ValueId value, scale, zero;  // zero: kNone when absent
  DType dtype;
  Tensor scales, zeros;  // zeros: undefined when absent
  int64_t axis;

  bool has_one_scale() const { return scales.numel() == 1; }
  /// One scale, or one for each place along `wanted` of `rank` axes.
  bool has_scales_along(int64_t wanted, size_t rank) const {
    return has_one_scale() || (axis < 0 ? axis + static_cast<int64_t>(rank) : axis) == wanted;
  }
};

/// What `value`, float32, is dequantised from, without blocks.
std::optional<Quantised> dequantised(const PassContext& context, ValueId value);
/// What `node` makes when it quantises float32 to 8 bits with one scale.
std::optional<Quantised> quantised_result(const PassContext& context, const Node& node);

}  // namespace onemodel
