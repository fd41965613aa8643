// Softmax, batch normalisation, dropout.

#include "core/error.h"
#include "onnx/functions/families.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

[[noreturn]] void unsupported(std::string message) { throw ModelError("Unsupported", std::move(message)); }

// Before opset 13 the axes from `axis` on were normalised together. For the last axis alone that is
// today's operator; otherwise Flatten, normalise the rows, and Reshape back.
void coerced_softmax(FileNode& node, int64_t, ConversionHost& host) {
  const int64_t axis = take_integer(node, "axis", 1);
  set_integer(node, "axis", -1);
  if (node.inputs.size() != 1 || node.outputs.size() != 1) return;
  const TensorType type = host.type_of(node.inputs[0]);
  const bool is_typed = type.dtype != DType::undefined;
  const auto rank = static_cast<int64_t>(type.shape.rank());
  if (is_typed && (axis < -rank || axis >= rank))
    throw ModelError("Malformed", concat("axis ", axis, " is out of range for rank ", rank));
  if (axis == -1 || (is_typed && axis == rank - 1)) return;
  NodeWriter writer(node, host);
  const NodeWriter::Ref x = writer.input(0), rows = writer.make("Flatten", {x}, {{"axis", axis}});
  NodeWriter::Ref shape;
  if (is_typed && type.shape.is_concrete()) {
    const Dims dims = type.shape.dims();
    shape = writer.add(Tensor::from_ints({dims.begin(), dims.end()}));
  } else {
    shape = writer.make("Shape", {x});
  }
  // An extent of 0 means itself here.
  writer.give(0, "Reshape", {writer.make(node.type, {rows}, {{"axis", -1}}), shape}, {{"allowzero", 1}});
  node.type.clear();
}

// Until opset 8 there could be a mean, variance, scale and bias for each element.
void normalize_elements(FileNode& node, ConversionHost& host) {
  const double epsilon = take_real(node, "epsilon", 1e-5);
  if (node.inputs.size() != 5) throw ModelError("Malformed", concat("expects 5 inputs, got ", node.inputs.size()));
  NodeWriter writer(node, host);
  const NodeWriter::Ref x = writer.input(0), mean = writer.input(3), variance = writer.input(4);
  const NodeWriter::Ref padded = writer.make("Add", {variance, writer.number(epsilon, writer.dtype(variance))});
  const NodeWriter::Ref normal = writer.make("Div", {writer.make("Sub", {x, mean}), writer.make("Sqrt", {padded})});
  writer.give(0, "Add", {writer.make("Mul", {normal, writer.input(1)}), writer.input(2)});
  node.type.clear();
}

void batch_normalization(FileNode& node, int64_t opset, ConversionHost& host) {
  const bool by_element = take_integer(node, "spatial", 1) == 0;
  bool trains = take_integer(node, "training_mode", 0) != 0 || take_integer(node, "is_test", 1) == 0;
  if (opset < 14)  // more outputs than one asked for training before there was training_mode
    for (size_t i = 1; i < node.outputs.size(); ++i) trains |= !node.outputs[i].empty();
  if (by_element && trains) unsupported("training with statistics per element (spatial = 0) is not supported");
  if (by_element) return normalize_elements(node, host);
  if (!trains) return;
  expand_function(opset < 14 ? kEarlyTrainingBatchNormalization : kTrainingBatchNormalization, node, host);
  node.type.clear();
}

void untrained_dropout(FileNode& node, int64_t, ConversionHost&) {
  if (take_integer(node, "is_test", 1) == 0)
    unsupported("training mode (is_test = 0) is not supported; export the model in evaluation mode");
}

// Until opset 10 the mask was of the data's type, which need not be known here: x to the power of 0 is 1 for any x.
void mask_like_data(FileNode& node, int64_t, ConversionHost& host) {
  if (node.outputs.size() != 2) return;
  NodeWriter writer(node, host);
  writer.give(1, "Pow", {writer.input(0), writer.number(0, DType::i64)});
  node.outputs.pop_back();
}

// An experiment of the first opsets: over the image, or over its channels too.
void mean_variance(FileNode& node, int64_t, ConversionHost& host) {
  if (take_integer(node, "normalize_variance", 1) == 0) unsupported("normalize_variance = 0 is not supported");
  const bool across = take_integer(node, "across_channels", 0) != 0;
  if (has_attribute(node, "axes") || node.inputs.size() != 1) return;
  NodeWriter writer(node, host);
  std::vector<int64_t> axes;
  for (size_t i = across ? 1 : 2; i < writer.rank(writer.input(0)); ++i) axes.push_back(static_cast<int64_t>(i));
  set_integers(node, "axes", std::move(axes));
}

constexpr OpsetRule kRules[] = {
    {"Softmax", 13, coerced_softmax},
    {"LogSoftmax", 13, coerced_softmax},
    {"Hardmax", 13, coerced_softmax},
    {"BatchNormalization", kEveryOpset, batch_normalization},
    {"Dropout", 7, untrained_dropout},
    {"Dropout", 10, mask_like_data},
    {"MeanVarianceNormalization", 9, mean_variance},
};

}  // namespace

std::span<const OpsetRule> normalisation_rules() { return kRules; }

}  // namespace onemodel
