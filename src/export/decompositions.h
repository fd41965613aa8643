#pragma once
// Programs in fewer, simpler operators.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "export/exported_program.h"

namespace onemodel {

/// Computes an operator by applying others; gives one tensor per output of the node.
using Decomposition = std::function<std::vector<Tensor>(const Op& op, std::span<const Tensor> inputs)>;
/// By operator name.
using DecompositionTable = std::map<std::string, Decomposition, std::less<>>;

/// Gelu, HardSigmoid, HardSwish, Mish, Softplus, Elu, Softmax, LogSoftmax, Gemm, BatchNormalization and LayerNormalization by arithmetic, exp,
/// log, erf, tanh, reductions and MatMul.
const DecompositionTable& default_decompositions();

/// The program with every node whose operator is in `table` computed by its decomposition. Inputs, outputs, constraints and calls
/// stay. Where sizes vary both run at other sizes, too. Throws ArgumentError for a name that no operator has, for a decomposition that gives another type or number of
/// results than its node, or has a size of the examples in what it computes, and what the decompositions throw.
ExportedProgram run_decompositions(const ExportedProgram& program,
                                   const DecompositionTable& table = default_decompositions());

}  // namespace onemodel
