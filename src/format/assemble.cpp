#include "format/assemble.h"

#include <algorithm>

#include "format/string_data.h"

namespace onemodel {

DecodedGraph decode_head(const Layout& layout, std::span<const std::byte> head) {
  size_t end = kHeaderBytes + kTableBytes;
  const auto check_padding = [&](uint64_t until) {
    const auto gap = head.subspan(end, static_cast<size_t>(until) - end);
    if (std::any_of(gap.begin(), gap.end(), [](std::byte b) { return b != std::byte{0}; }))
      throw ModelError("Corrupted", ".onemodel: the padding between sections is not zero");
  };
  const auto section = [&](SectionType type) {
    const Section& place = layout[type];
    check_padding(place.offset);
    end = static_cast<size_t>(place.end());
    const auto bytes = head.subspan(static_cast<size_t>(place.offset), static_cast<size_t>(place.length));
    check_section(layout, type, bytes);
    return bytes;
  };
  const auto strings = section(SectionType::strings);
  const auto graph = section(SectionType::graph);
  const auto index = section(SectionType::index);
  check_padding(head.size());
  return decode_graph(strings, graph, index, layout[SectionType::weights].length);
}

void set_weight(DecodedGraph& decoded, size_t i, const Tensor& stored) {
  const WeightEntry& weight = decoded.weights[i];
  Tensor tensor = stored;
  if (weight.dtype == DType::string) {
    ByteReader in("weights section", {stored.raw(), stored.bytes()});
    tensor = decode_strings(weight.dims, in);
    in.expect_end();
  }
  const bool is_sound = has_sound_elements(tensor);
  for (const auto& [graph, id] : decoded.users[i]) {
    Value& value = (graph ? *graph : decoded.graph).value(id);
    if (!is_sound)
      throw ModelError("Malformed", concat(".onemodel: constant '", value.name, "' ", unsound(weight.dtype)));
    value.constant = tensor;
  }
}

Graph finish_graph(DecodedGraph decoded) { return std::move(finish_graphs(std::move(decoded)).front().graph); }

std::vector<StoredGraph> finish_graphs(DecodedGraph decoded) {
  std::vector<StoredGraph> out;
  for (DecodedGraph::Record& record : decoded.records)
    out.push_back(
        {std::move(record.name), std::move(record.graph ? *record.graph : decoded.graph), std::move(record.bytes)});
  if (out.empty()) out.push_back({{}, std::move(decoded.graph), {}});
  try {
    for (const StoredGraph& stored : out) verify(stored.graph);
    for (const auto& body : decoded.bodies) infer_types(*body);
    for (StoredGraph& stored : out) infer_types(stored.graph);
  } catch (const Error& error) {
    throw ModelError("Malformed", concat(".onemodel: ", error.what()));
  }
  return out;
}

}  // namespace onemodel
