#pragma once
// Writes graphs as .onemodel files (docs/format.md).

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// The file; equal graphs give equal bytes. Values that nothing refers to are left out. Throws
/// ModelError(Malformed) for a graph that does not verify.
std::vector<std::byte> write_onemodel(const Graph& graph);

/// As above, front to back in pieces, without a second copy of the weights.
void write_onemodel(const Graph& graph, const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace onemodel
