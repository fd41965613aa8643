#pragma once
// Places and order of elements, cutting, and writing at places, under PyTorch's names and argument order (functions.h).

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// The place of the first largest or smallest element along `axis`, int64; without an axis, among all elements in order.
Tensor argmax(const Tensor& x, std::optional<int64_t> axis = {}, bool keepdims = false);
Tensor argmin(const Tensor& x, std::optional<int64_t> axis = {}, bool keepdims = false);

/// Elements along an axis in order, and where they were, int64.
struct Ordered {
  Tensor values, indices;
};
/// The `k` largest elements along `axis`, from the largest on, or the smallest; of equals the first.
Ordered topk(const Tensor& x, int64_t k, int64_t axis = -1, bool largest = true);
/// All elements along `axis`, ascending or descending; equals stay in their order. Rank 1 or more.
Ordered sort(const Tensor& x, int64_t axis = -1, bool descending = false);
/// The order of elements along `axes` turned round.
Tensor flip(const Tensor& x, const Dims& axes);

/// int64 [..., num_classes]: 1 at each index (int32 or int64), else 0; an index out of range gives no 1. Throws
/// ArgumentError for fewer than one class.
Tensor one_hot(const Tensor& indices, int64_t num_classes);
/// Running sums along `axis`.
Tensor cumsum(const Tensor& x, int64_t axis);
/// The elements of matrices [..., rows, columns] on and below, or on and above, a diagonal; else 0. Diagonals above the
/// main one are positive.
Tensor tril(const Tensor& x, int64_t diagonal = 0);
Tensor triu(const Tensor& x, int64_t diagonal = 0);
/// x repeated along its last axes; a longer list adds axes in front.
Tensor tile(const Tensor& x, const std::vector<int64_t>& repeats);

/// Parts of these extents along `axis`, which they add up to; 64 at most.
std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& split_sizes, int64_t axis = 0);
/// Parts of that extent, the last one smaller; 64 at most.
std::vector<Tensor> split(const Tensor& x, int64_t split_size, int64_t axis = 0);

/// Element i of the result along `axis` is the one that indices[i] names there; indices as ONNX's GatherElements.
Tensor gather_elements(const Tensor& x, const Tensor& indices, int64_t axis = 0);
/// A copy of x whose elements that `indices` name along `axis` become those of `src`, or their sum ("add"), product
/// ("mul"), "min" or "max", as ONNX's ScatterElements.
Tensor scatter(const Tensor& x, int64_t axis, const Tensor& indices, const Tensor& src,
               std::string_view reduction = "none");

/// Sums of products by an equation over named axes: einsum("ij,jk->ik", {a, b}).
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);

}  // namespace onemodel
