#pragma once
// Tensors whose elements share memory.

#include <cstddef>
#include <optional>

namespace onemodel {

class Tensor;

/// The first axis along which several elements lie in one place of memory, as those of an expanded tensor do.
std::optional<size_t> expanded_axis(const Tensor& tensor);

}  // namespace onemodel
