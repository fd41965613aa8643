#pragma once
// The graph sections of a .onemodel file (docs/format.md).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/stored_graph.h"
#include "graph/graph.h"

namespace onemodel {

/// The kind of an attribute that is a graph; the other kinds are those of AttributeValue, in its order.
inline constexpr uint8_t kGraphAttribute = 6;

/// In place of a rank: only the element type is known.
inline constexpr uint8_t kUnknownRank = 255;

/// What may follow a graph's content, each at most once and in this order.
enum class Extension : uint8_t { size_contract = 1, records = 2, optional_inputs = 3 };

/// Content of the sections before the weights, and the constants in the order of the index.
struct EncodedGraph {
  std::vector<std::byte> strings, graph, index;
  std::vector<Tensor> weights;  // as their bytes are in the file
  uint64_t weight_bytes = 0;    // of the weights section
};

/// `graph` is verified and has no values that nothing refers to. Of several graphs the first is the file's own.
EncodedGraph encode_graph(const Graph& graph);
EncodedGraph encode_graphs(std::span<const StoredGraph> graphs);

/// One entry of the weights index: strings take as many bytes as they have, others what dtype and dims give. `offset` counts
/// from the begin of the weights section.
struct WeightEntry {
  DType dtype;
  Dims dims;
  uint64_t offset, length;

  /// The type of a tensor whose bytes are those in the file.
  DType stored_dtype() const { return dtype == DType::string ? DType::u8 : dtype; }
  Dims stored_dims() const { return dtype == DType::string ? Dims{static_cast<int64_t>(length)} : dims; }
};

/// What is wrong with a tensor that has not has_sound_elements: "has a boolean other than 0 and 1".
std::string unsound(DType dtype);

/// A graph whose constants are still to be filled in: the values `users[i]` get weight `i`.
struct DecodedGraph {
  struct User {
    Graph* graph;  // null: `graph` itself
    ValueId value;
  };
  struct Record {
    std::string name;
    std::shared_ptr<Graph> graph;  // null: `graph` itself
    std::vector<std::byte> bytes;
  };
  Graph graph;
  std::vector<Record> records;
  std::vector<std::shared_ptr<Graph>> bodies;  // of nodes, inner ones first
  std::vector<WeightEntry> weights;
  std::vector<std::vector<User>> users;
};

/// Ids are in range, operators and attributes exist; the rest is for verify and infer_types once
/// the constants are there. Throws ModelError: Malformed, or Unsupported naming unknown operators.
DecodedGraph decode_graph(std::span<const std::byte> strings, std::span<const std::byte> graph,
                          std::span<const std::byte> index, uint64_t weight_bytes);

}  // namespace onemodel
