#pragma once
// Parts of the graph sections that stand for themselves.

#include <string_view>

#include "format/bytes.h"
#include "format/graph_codec.h"

namespace onemodel {

/// The texts of the strings section, in its bytes.
std::vector<std::string_view> decode_string_table(std::span<const std::byte> section);
/// The weights index, whose entries fill a weights section of `weight_bytes`.
std::vector<WeightEntry> decode_index(std::span<const std::byte> section, uint64_t weight_bytes);
/// An attribute that is a tensor.
Tensor read_tensor(ByteReader& in);

}  // namespace onemodel
