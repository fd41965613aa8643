#pragma once
// Gradients that are operators of their own, as graphs can have them.

#include <optional>
#include <span>

#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel {

/// While one lives, a trace on this thread records gradients of Slice, Gather and Conv as operators of ONNX. Sizes become numbers in the
/// graph, so all of them have to be fixed.
class TraceableGradients {
 public:
  TraceableGradients();
  ~TraceableGradients();
  TraceableGradients(const TraceableGradients&) = delete;
  TraceableGradients& operator=(const TraceableGradients&) = delete;
};

/// What `op` computes, by such operators; nothing for other operators, and where no TraceableGradients lives.
std::optional<Tensor> traceable_gradient(const Op& op, std::span<const Tensor> inputs);

}  // namespace onemodel
