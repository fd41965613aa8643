#pragma once
// What inference and the choice of a kernel give for one application. A training step makes the same calls again and
// again: they are remembered by operator, attributes, dtypes and sizes.

#include <memory>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op.h"

namespace onemodel {

/// An application ready to run.
struct PreparedCall {
  struct Output {
    DType dtype;
    Dims dims;
  };
  std::vector<Output> outputs;
  std::unique_ptr<Kernel> kernel;  // null: the portable one
};

/// How many calls a thread remembers at most.
inline constexpr size_t kMostPreparedCalls = 1024;
/// How many it remembers now.
size_t prepared_calls();

/// Infers, and chooses a kernel unless the operator gives a view of these inputs; or what an earlier call gave. Inputs
/// are not traced. Throws what inference throws.
std::shared_ptr<const PreparedCall> prepare_call(const Op& op, std::span<const Tensor> inputs, size_t output_count,
                                                 Arithmetic arithmetic);

/// The same from types inferred before, sizes being those of the example.
std::shared_ptr<const PreparedCall> choose_call(const Op& op, std::span<const Tensor> inputs,
                                                std::span<const TensorType> outputs, Arithmetic arithmetic);

/// The outputs, computed by `call` or views.
std::vector<Tensor> run_call(const PreparedCall& call, const Op& op, std::span<const Tensor> inputs);

}  // namespace onemodel
