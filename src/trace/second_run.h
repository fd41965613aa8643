#pragma once
// Inputs of other sizes: what a trace is checked with.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// Sizes of symbols by name.
using SymbolSizes = std::map<std::string, int64_t>;

/// A size for every symbol of the inputs of `graph`, whose examples are `examples`: that of `wanted`, else the next one
/// above the example's that no axis of the examples and no other symbol has. Throws TraceError(InvalidUsage) for a name
/// that is no symbol, and for a size below 2 or that of the example.
SymbolSizes second_sizes(const Graph& graph, std::span<const Tensor> examples, const SymbolSizes& wanted = {});

/// The examples repeated or cut along their symbolic axes to `sizes`: their values stay valid, indices too.
std::vector<Tensor> second_inputs(const Graph& graph, std::span<const Tensor> examples, const SymbolSizes& sizes);

/// `example` repeated or cut to `dims`; zeros where it has no element.
Tensor resized(const Tensor& example, const Dims& dims);

/// "n = 6, length = 9".
std::string to_string(const SymbolSizes& sizes);

}  // namespace onemodel
