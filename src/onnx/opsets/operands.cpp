// Attributes that became operands.

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

// An attribute that became an operand: a list of integers, or a number of the type of operand 0 or
// of float32.
enum class As : uint8_t { list, integer, like_input, real };
struct Moved {
  std::string_view op, attribute;
  size_t operand;
  As as = As::list;
};
constexpr Moved kMoved[] = {
    {"Squeeze", "axes", 1},
    {"Unsqueeze", "axes", 1},
    {"ReduceSum", "axes", 1},
    {"ReduceMean", "axes", 1},
    {"ReduceMax", "axes", 1},
    {"ReduceMin", "axes", 1},
    {"ReduceProd", "axes", 1},
    {"ReduceL1", "axes", 1},
    {"ReduceL2", "axes", 1},
    {"ReduceLogSum", "axes", 1},
    {"ReduceLogSumExp", "axes", 1},
    {"ReduceSumSquare", "axes", 1},
    {"Reshape", "shape", 1},
    {"Slice", "starts", 1},
    {"Slice", "ends", 2},
    {"Slice", "axes", 3},
    {"Split", "split", 1},
    {"TopK", "k", 1, As::integer},
    {"Pad", "pads", 1},
    {"Pad", "value", 2, As::like_input},
    {"Clip", "min", 1, As::like_input},
    {"Clip", "max", 2, As::like_input},
    {"Dropout", "ratio", 1, As::real},
    {"DFT", "axis", 2, As::integer},
};

Tensor operand_of(const Moved& moved, const AttributeValue& value, DType input_dtype) {
  const auto wrong_kind = [&] {
    const std::string_view expected = moved.as == As::list      ? "integers"
                                      : moved.as == As::integer ? "an integer"
                                                                : "a number";
    return ModelError("Malformed", concat("attribute '", moved.attribute, "' expects ", expected));
  };
  if (moved.as == As::integer) {
    if (const auto* number = std::get_if<int64_t>(&value)) return Tensor::from_ints(std::span(number, 1));
    throw wrong_kind();
  }
  if (moved.as == As::list) {
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) return Tensor::from_ints(*list);
    throw wrong_kind();
  }
  const auto* number = std::get_if<double>(&value);
  if (!number) throw wrong_kind();
  const DType dtype = moved.as == As::real ? DType::f32 : input_dtype;
  return Tensor::full({}, *number, dtype == DType::undefined ? DType::f32 : dtype);
}

}  // namespace

void attributes_to_operands(FileNode& node, ConversionHost& host) {
  for (const Moved& moved : kMoved) {
    if (moved.op != node.type) continue;
    const auto attribute = node.attributes.find(std::string(moved.attribute));
    if (attribute == node.attributes.end()) continue;
    if (node.inputs.size() > moved.operand && !node.inputs[moved.operand].empty())
      throw ModelError("Malformed", concat("'", moved.attribute, "' is given twice, as attribute and as operand"));
    const DType dtype = node.inputs.empty() ? DType::f32 : host.type_of(node.inputs[0]).dtype;
    if (node.inputs.size() <= moved.operand) node.inputs.resize(moved.operand + 1);
    node.inputs[moved.operand] =
        host.add_constant(concat(node.name, "_", moved.attribute), operand_of(moved, attribute->second, dtype));
    node.attributes.erase(attribute);
  }
}

}  // namespace onemodel
