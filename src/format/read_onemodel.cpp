#include "format/read_onemodel.h"

#include <cstring>

#include "format/assemble.h"

namespace onemodel {
namespace {

// The bytes of a whole file, or as many as there are.
Layout decode_layout(std::span<const std::byte> file, const OneModelLimits& limits) {
  check_header_prefix(file);
  if (file.size() < kHeaderBytes)
    throw ModelError("Truncated",
                     concat(".onemodel: the header has ", kHeaderBytes, " bytes, but there are ", file.size()));
  const auto header = file.first<kHeaderBytes>();
  const uint64_t file_bytes = decode_header(header, file.size(), limits);
  if (file_bytes < kHeaderBytes + kTableBytes)
    throw ModelError("Malformed", ".onemodel: the file ends in its section table");
  return decode_table(header, file.subspan<kHeaderBytes, kTableBytes>(), limits);
}

Tensor view(const std::shared_ptr<const void>& owner, std::span<const std::byte> bytes, const WeightEntry& weight) {
  auto* data = const_cast<std::byte*>(bytes.data());
  const Dims dims = weight.stored_dims();
  return Tensor::view_of(Storage::wrap(data, bytes.size(), owner), 0, dims, contiguous_strides(dims),
                         weight.stored_dtype());
}

Tensor copy(std::span<const std::byte> bytes, const WeightEntry& weight) {
  Tensor out = Tensor::empty(weight.stored_dims(), weight.stored_dtype());
  if (!bytes.empty()) std::memcpy(out.mutable_raw(), bytes.data(), bytes.size());
  return out;
}

DecodedGraph decode_file(const std::shared_ptr<const void>& owner, std::span<const std::byte> file,
                         const OneModelLimits& limits) {
  const Layout layout = decode_layout(file, limits);
  const Section& place = layout[SectionType::weights];
  DecodedGraph decoded = decode_head(layout, file.first(static_cast<size_t>(place.offset)));
  const auto weights = file.subspan(static_cast<size_t>(place.offset));
  check_section(layout, SectionType::weights, weights);
  const bool is_aligned = reinterpret_cast<uintptr_t>(weights.data()) % kWeightAlignment == 0;
  for (size_t i = 0; i < decoded.weights.size(); ++i) {
    const WeightEntry& weight = decoded.weights[i];
    const auto bytes = weights.subspan(static_cast<size_t>(weight.offset), static_cast<size_t>(weight.length));
    set_weight(decoded, i, owner && is_aligned ? view(owner, bytes, weight) : copy(bytes, weight));
  }
  return decoded;
}

}  // namespace

Graph read_onemodel(std::shared_ptr<const void> owner, std::span<const std::byte> file, const OneModelLimits& limits) {
  return finish_graph(decode_file(owner, file, limits));
}

std::vector<StoredGraph> read_graphs(std::span<const std::byte> file, const OneModelLimits& limits) {
  return finish_graphs(decode_file(nullptr, file, limits));
}

Graph read_onemodel(std::span<const std::byte> file, const OneModelLimits& limits) {
  return read_onemodel(nullptr, file, limits);
}

}  // namespace onemodel
