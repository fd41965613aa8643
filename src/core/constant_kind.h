#pragma once
// What a constant was in the model it came from.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace onemodel {

enum class ConstantKind : uint8_t { plain, parameter, buffer, non_persistent_buffer };

inline constexpr std::string_view kConstantKindNames[] = {"plain", "parameter", "buffer", "non_persistent_buffer"};

/// "plain", "parameter", "buffer" or "non_persistent_buffer".
constexpr std::string_view constant_kind_name(ConstantKind kind) {
  return kConstantKindNames[static_cast<size_t>(kind)];
}
constexpr std::optional<ConstantKind> constant_kind_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(kConstantKindNames); ++i)
    if (kConstantKindNames[i] == name) return static_cast<ConstantKind>(i);
  return {};
}

}  // namespace onemodel
