#pragma once
// If, Loop, Scan and SequenceMap over programs.

#include <memory>
#include <span>
#include <vector>

#include "graph/control_flow.h"
#include "runtime/session.h"

namespace onemodel {

class Program;

/// The outputs of the node that applies `op` with these operands and bodies. Errors name what does not fit.
std::vector<Item> run_control_flow(const Op& op, std::span<const Item> operands,
                                   std::span<const std::unique_ptr<Program>> bodies, size_t output_count,
                                   const RunOptions& options);

/// The tensors side by side along a new axis, from the last when `backwards`. Throws ShapeError and DTypeError unless they
/// are alike.
Tensor stack(std::span<const Tensor> tensors, int64_t axis, bool backwards);

}  // namespace onemodel
