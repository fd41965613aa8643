// Operators that move elements.

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

void split(FileNode& node, int64_t opset, ConversionHost& host) {
  if (has_attribute(node, "split")) return;
  if (node.inputs.size() < 2) {
    set_integer(node, "num_outputs", static_cast<int64_t>(node.outputs.size()));
  } else if (opset < 2) {  // the sizes were of the input's type
    NodeWriter writer(node, host);
    const Tensor sizes = writer.constant(writer.input(1));
    node.inputs[1] = sizes.defined() ? writer.add(sizes.cast(DType::i64)) : writer.cast(writer.input(1), DType::i64);
  }
}

void scatter(FileNode& node, int64_t, ConversionHost&) { node.type = "ScatterElements"; }

void default_axis(FileNode& node, int64_t, ConversionHost&) {
  set_integer(node, "axis", take_integer(node, "axis", 1));
}

void paddings(FileNode& node, int64_t, ConversionHost&) {
  if (has_attribute(node, "paddings")) set_integers(node, "pads", take_integers(node, "paddings"));
}

int64_t constant_integer(const NodeWriter& writer, size_t input, std::string_view name) {
  const Tensor value = writer.constant(writer.input(input));
  if (!value.defined() || value.numel() != 1)
    throw ModelError("Unsupported", concat("'", name, "' needs to be one constant in this opset"));
  return value.cast(DType::i64).to_vector<int64_t>()[0];
}

// Along one axis, a given number of times.
void tile(FileNode& node, int64_t, ConversionHost& host) {
  if (node.inputs.size() != 3) return;
  NodeWriter writer(node, host);
  const int64_t tiles = constant_integer(writer, 1, "tiles"), axis = constant_integer(writer, 2, "axis");
  std::vector<int64_t> repeats(writer.rank(writer.input(0)), 1);
  repeats[normalize_axis("Tile", axis, repeats.size())] = tiles;
  node.inputs = {node.inputs[0], std::string(writer.integers(repeats))};
}

// A list of one axis is written as a number by some; onnxruntime takes it.
void single_axis(FileNode& node, int64_t, ConversionHost& host) {
  if (node.inputs.size() < 2 || node.inputs[1].empty()) return;
  NodeWriter writer(node, host);
  const TensorType type = host.type_of(node.inputs[1]);
  if (type.dtype != DType::i64 || type.shape.rank() != 0) return;
  const Tensor known = host.constant_of(node.inputs[1]);
  const auto list = known.defined() ? writer.add(known.reshape({1}))
                                    : writer.make("Reshape", {writer.input(1), writer.integers({1})});
  node.inputs[1] = std::string(list);
}

constexpr OpsetRule kRules[] = {
    {"Split", 18, split},
    {"Scatter", kEveryOpset, scatter},
    {"Concat", 4, default_axis},
    {"Pad", 2, paddings},
    {"Tile", 6, tile},
    {"Unsqueeze", kEveryOpset, single_axis},
    {"Squeeze", kEveryOpset, single_axis},
};

}  // namespace

std::span<const OpsetRule> shape_rules() { return kRules; }

}  // namespace onemodel
