#pragma once
// Gradients as part of a captured program.

namespace onemodel {

/// While one lives, `backward` on this thread may run while tracing: what it computes is recorded.
class TracedGradients {
 public:
  TracedGradients();
  ~TracedGradients();
  TracedGradients(const TracedGradients&) = delete;
  TracedGradients& operator=(const TracedGradients&) = delete;
};

}  // namespace onemodel
