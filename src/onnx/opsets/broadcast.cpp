// Before opset 7 operand b was broadcast on request only, and from any axis.

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

// Today's broadcasting aligns last axes: b gets the axes that follow its own in a.
void align(FileNode& node, int64_t, ConversionHost& host) {
  const bool is_broadcast = take_integer(node, "broadcast", 0) != 0, has_axis = has_attribute(node, "axis");
  int64_t axis = take_integer(node, "axis", 0);
  if (!is_broadcast || !has_axis || node.inputs.size() != 2) return;
  NodeWriter writer(node, host);
  const auto a = static_cast<int64_t>(writer.rank(writer.input(0))),
             b = static_cast<int64_t>(writer.rank(writer.input(1)));
  if (axis < 0) axis += a;
  if (axis < 0 || axis >= a + (a == 0))
    throw ModelError("Malformed", concat("axis ", axis, " is out of range for rank ", a));
  if (a > axis + b) node.inputs[1] = writer.with_trailing_axes(writer.input(1), static_cast<size_t>(a - axis - b));
}

// One slope for each channel, which is axis 1.
void slope_of_channels(FileNode& node, int64_t, ConversionHost& host) {
  if (node.inputs.size() != 2) return;
  NodeWriter writer(node, host);
  const size_t rank = writer.rank(writer.input(0));
  if (writer.rank(writer.input(1)) == 1 && rank > 2)
    node.inputs[1] = writer.with_trailing_axes(writer.input(1), rank - 2);
}

void drop_broadcast(FileNode& node, int64_t, ConversionHost&) { take_integer(node, "broadcast", 0); }

constexpr OpsetRule kRules[] = {
    {"Add", 7, align},           {"Sub", 7, align},  {"Mul", 7, align},     {"Div", 7, align},
    {"Pow", 7, align},           {"And", 7, align},  {"Or", 7, align},      {"Xor", 7, align},
    {"Equal", 7, align},         {"Less", 7, align}, {"Greater", 7, align}, {"PRelu", 7, slope_of_channels},
    {"Gemm", 7, drop_broadcast},
};

}  // namespace

std::span<const OpsetRule> broadcast_rules() { return kRules; }

}  // namespace onemodel
