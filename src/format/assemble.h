#pragma once
// Steps that reading a whole .onemodel file and reading a stream share.

#include <span>

#include "format/graph_codec.h"
#include "format/layout.h"

namespace onemodel {

/// `stored`, which has the bytes of weight `i`, gets to the values that use it. Throws ModelError(Malformed) for elements
/// that the dtype cannot have.
void set_weight(DecodedGraph& decoded, size_t i, const Tensor& stored);

/// The graph with all weights in place, verified and with types inferred. Throws ModelError.
Graph finish_graph(DecodedGraph decoded);
/// The same for all graphs of the file.
std::vector<StoredGraph> finish_graphs(DecodedGraph decoded);

/// Decodes everything before the weights: `head` is the file up to them. Throws ModelError.
DecodedGraph decode_head(const Layout& layout, std::span<const std::byte> head);

}  // namespace onemodel
