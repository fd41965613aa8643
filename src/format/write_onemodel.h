#pragma once
// Writes graphs as .onemodel files (docs/format.md).

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "format/stored_graph.h"

namespace onemodel {

/// The file; equal graphs give equal bytes. Values that nothing refers to are left out. Throws
/// ModelError(Malformed) for a graph that does not verify.
std::vector<std::byte> write_onemodel(const Graph& graph);

/// As above, front to back in pieces, without a second copy of the weights.
void write_onemodel(const Graph& graph, const std::function<void(std::span<const std::byte>)>& sink);

/// Several graphs and their records, at least one; all values are kept, and constants that share memory are written once.
void write_graphs(std::span<const StoredGraph> graphs, const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace onemodel
