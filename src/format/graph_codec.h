#pragma once
// The graph sections of a .onemodel file (docs/format.md).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// The kind of an attribute that is a graph; the other kinds are those of AttributeValue, in its order.
inline constexpr uint8_t kGraphAttribute = 6;

/// In place of a rank: only the element type is known.
inline constexpr uint8_t kUnknownRank = 255;

/// Content of the sections before the weights, and the constants in the order of the index.
struct EncodedGraph {
  std::vector<std::byte> strings, graph, index;
  std::vector<Tensor> weights;
  uint64_t weight_bytes = 0;  // of the weights section
};

/// `graph` is verified and has no values that nothing refers to.
EncodedGraph encode_graph(const Graph& graph);

/// One entry of the weights index; `offset` counts from the begin of the weights section.
struct WeightEntry {
  DType dtype;
  Dims dims;
  uint64_t offset, length;
};

/// A graph whose constants are still to be filled in: the values `users[i]` get weight `i`.
struct DecodedGraph {
  struct User {
    Graph* graph;  // null: `graph` itself
    ValueId value;
  };
  Graph graph;
  std::vector<std::shared_ptr<Graph>> bodies;  // of nodes, inner ones first
  std::vector<WeightEntry> weights;
  std::vector<std::vector<User>> users;
};

/// Ids are in range, operators and attributes exist; the rest is for verify and infer_types once
/// the constants are there. Throws ModelError: Malformed, or Unsupported naming unknown operators.
DecodedGraph decode_graph(std::span<const std::byte> strings, std::span<const std::byte> graph,
                          std::span<const std::byte> index, uint64_t weight_bytes);

}  // namespace onemodel
