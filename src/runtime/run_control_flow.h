#pragma once
// If, Loop and Scan over programs.

#include <memory>
#include <span>
#include <vector>

#include "graph/control_flow.h"
#include "runtime/session.h"

namespace onemodel {

class Program;

/// The outputs of the node that applies `op` with these operands and bodies. Errors name what does not fit.
std::vector<Tensor> run_control_flow(const Op& op, std::span<const Tensor> operands,
                                     std::span<const std::unique_ptr<Program>> bodies, size_t output_count,
                                     const RunOptions& options);

}  // namespace onemodel
