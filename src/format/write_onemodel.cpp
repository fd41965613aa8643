#include "format/write_onemodel.h"

#include <xxhash.h>

#include <memory>

#include "format/graph_codec.h"
#include "format/layout.h"

namespace onemodel {
namespace {

using Sink = std::function<void(std::span<const std::byte>)>;

// The content of the weights section, piece by piece.
void emit_weights(const EncodedGraph& encoded, const Sink& sink) {
  constexpr std::byte kZeros[kWeightAlignment] = {};
  static_assert(sizeof kZeros >= kWeightPadding);
  for (const Tensor& weight : encoded.weights) {
    const std::span<const std::byte> bytes(weight.raw(), weight.bytes());
    sink(bytes);
    sink(std::span(kZeros).first(static_cast<size_t>(align_up(bytes.size(), kWeightAlignment) - bytes.size())));
  }
  if (!encoded.weights.empty()) sink(std::span(kZeros).first(kWeightPadding));
}

uint64_t checksum_of_weights(const EncodedGraph& encoded) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  emit_weights(encoded,
               [&](std::span<const std::byte> bytes) { XXH3_64bits_update(hash.get(), bytes.data(), bytes.size()); });
  return XXH3_64bits_digest(hash.get());
}

void write_file(const EncodedGraph& encoded, const Sink& sink) {
  Layout layout =
      make_layout({encoded.strings.size(), encoded.graph.size(), encoded.index.size(), encoded.weight_bytes});
  const uint64_t graph_bytes = layout[SectionType::weights].offset;
  if (graph_bytes > OneModelLimits{}.graph_bytes)
    throw ModelError("TooLarge", concat(".onemodel: the graph without its weights takes ", graph_bytes,
                                        " bytes; the limit is ", OneModelLimits{}.graph_bytes));
  layout[SectionType::strings].checksum = checksum(encoded.strings);
  layout[SectionType::graph].checksum = checksum(encoded.graph);
  layout[SectionType::index].checksum = checksum(encoded.index);
  layout[SectionType::weights].checksum = checksum_of_weights(encoded);

  uint64_t written = 0;
  const auto emit = [&](std::span<const std::byte> bytes) {
    sink(bytes);
    written += bytes.size();
  };
  const auto pad_to = [&](SectionType type) {
    constexpr std::byte kZeros[kWeightAlignment] = {};
    emit(std::span(kZeros).first(static_cast<size_t>(layout[type].offset - written)));
  };
  emit(encode_layout(layout));
  pad_to(SectionType::strings);
  emit(encoded.strings);
  pad_to(SectionType::graph);
  emit(encoded.graph);
  pad_to(SectionType::index);
  emit(encoded.index);
  pad_to(SectionType::weights);
  emit_weights(encoded, emit);
}

}  // namespace

void write_onemodel(const Graph& graph, const Sink& sink) {
  verify(graph);
  Graph compact = graph;
  compact.compact();
  write_file(encode_graph(compact), sink);
}

void write_graphs(std::span<const StoredGraph> graphs, const Sink& sink) {
  for (const StoredGraph& stored : graphs) verify(stored.graph);
  write_file(encode_graphs(graphs), sink);
}

std::vector<std::byte> write_onemodel(const Graph& graph) {
  std::vector<std::byte> out;
  write_onemodel(graph, [&](std::span<const std::byte> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); });
  return out;
}

}  // namespace onemodel
