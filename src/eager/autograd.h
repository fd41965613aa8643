#pragma once
// Gradients of recorded operators.

#include <span>
#include <vector>

#include "core/tensor.h"
#include "eager/record.h"

namespace onemodel {

/// Asks for a gradient of a leaf (a tensor that no recorded operator made). Throws DTypeError unless it is floating.
void set_requires_grad(const Tensor& tensor, bool required = true);
/// Whether a gradient will reach `tensor`; true for traced tensors.
bool requires_grad(const Tensor& tensor);
/// The sum of gradients since the last `zero_grad`, or undefined. To change it in a trace is a TraceError.
Tensor grad(const Tensor& tensor);
void set_grad(const Tensor& tensor, Tensor gradient);
void zero_grad(const Tensor& tensor);

struct BackwardOptions {
  bool retain_graph = false;  // keep the records, for another backward
  bool create_graph = false;  // record the gradient's own operators; implies retain_graph
};
/// Adds the gradient of `output` by every leaf that requires one to the leaf's gradient. `gradient` is that of the
/// final result by `output`, of its shape and dtype; it may be left out for a single element (1).
/// Throws GradientError when nothing requires a gradient, when an operator on the way has none (naming it and why),
/// and when a value needed by the way back was changed in place.
void backward(const Tensor& output, const Tensor& gradient = {}, BackwardOptions options = {});

/// The gradients of `output`, one element, by tensors that no recorded operator made; undefined where it does not depend on one. They
/// are recorded as all else is, also while a program is captured. Throws GradientError as `backward` does.
std::vector<Tensor> gradients(const Tensor& output, std::span<const Tensor> sources);

/// Frees, at its end, the records of tensors computed inside it: activations that only those kept alive go. Values
/// stay readable; a backward through them afterwards throws GradientError.
class ActivationScope {
 public:
  ActivationScope();
  ~ActivationScope();
  ActivationScope(const ActivationScope&) = delete;
  ActivationScope& operator=(const ActivationScope&) = delete;

 private:
  std::vector<std::weak_ptr<Record>>* before_;
  std::vector<std::weak_ptr<Record>> records_;
};

}  // namespace onemodel
