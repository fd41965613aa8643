#pragma once
// What operators of older opsets are today. One file per family; each declares its rules.

#include <limits>
#include <span>
#include <string_view>

#include "onnx/node_writer.h"
#include "onnx/take_attribute.h"

namespace onemodel {

/// Applies to nodes of type `op` in opsets before `until`. `convert` changes the node; or it emits others in its place
/// and clears its type. Throws ModelError(Unsupported) where there is no form of today.
struct OpsetRule {
  std::string_view op;
  int64_t until;
  void (*convert)(FileNode& node, int64_t opset, ConversionHost& host);
};
inline constexpr int64_t kEveryOpset = std::numeric_limits<int64_t>::max();

std::span<const OpsetRule> broadcast_rules();
std::span<const OpsetRule> normalisation_rules();
std::span<const OpsetRule> resize_rules();
std::span<const OpsetRule> shape_rules();
std::span<const OpsetRule> element_rules();

/// Attributes that became operands, in any opset.
void attributes_to_operands(FileNode& node, ConversionHost& host);

}  // namespace onemodel
