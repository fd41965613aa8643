#pragma once
// Updates in place, under PyTorch's names.
//
// Each returns its target. The target keeps shape and dtype; values are broadcast to it and converted as by Cast, without
// their gradient's history. Throws GradientError for a target that has a history itself or is a leaf that requires a
// gradient, unless no-grad mode is on, and ArgumentError for one whose elements share memory, unless they all become
// one value. In a captured program (export/) an update becomes a new value; any other trace
// refuses it with TraceError(InPlaceMutation). `how` is the name of the call in errors, where it has another.

#include <string_view>

#include "core/tensor.h"

namespace onemodel {

/// `value`, or where it is made of constants only and `target` is traced, a traced copy of the shape of that.
Tensor traced_like(const Tensor& value, const Tensor& target);

Tensor copy_(const Tensor& target, const Tensor& source, std::string_view how = "copy_");
Tensor fill_(const Tensor& target, double value, std::string_view how = "fill_");  // not beyond an integer dtype
Tensor zero_(const Tensor& target);
/// target + alpha other.
Tensor add_(const Tensor& target, const Tensor& other, double alpha = 1);
Tensor add_(const Tensor& target, double other);
Tensor sub_(const Tensor& target, const Tensor& other);
Tensor mul_(const Tensor& target, const Tensor& other);
Tensor mul_(const Tensor& target, double other);
Tensor div_(const Tensor& target, const Tensor& other);

/// Elements start, start + 1, … before `end` along `axis`, as Python clamps them, become `source`.
Tensor slice_scatter_(const Tensor& target, const Tensor& source, int64_t axis, int64_t start, int64_t end);
/// Element `index` along `axis` becomes `source`, which lacks that axis.
Tensor select_scatter_(const Tensor& target, const Tensor& source, int64_t axis, int64_t index);
/// Elements index[i] (int32 or int64, [n]) along `axis` become element i of `source`, of which there are n; source has
/// the other extents of the target. Throws ShapeError when they differ; for an index out of range, eagerly and when a
/// captured program runs.
Tensor index_copy_(const Tensor& target, int64_t axis, const Tensor& index, const Tensor& source);

}  // namespace onemodel
