#include "onnx/convert_opset.h"

#include <utility>

#include "core/error.h"

namespace onemodel {
namespace {

[[noreturn]] void unsupported(std::string message) { throw ModelError("Unsupported", std::move(message)); }

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

int64_t take_integer(FileNode& node, const std::string& name, int64_t otherwise) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return otherwise;
  const auto* value = std::get_if<int64_t>(&found->second);
  if (!value) throw ModelError("Malformed", concat("attribute '", name, "' expects an integer"));
  const int64_t out = *value;
  node.attributes.erase(found);
  return out;
}

// Before opset 13 the axes from `axis` on were normalised together. For the last axis alone that is
// today's operator; otherwise Flatten, normalise the rows, and Reshape back.
std::vector<FileNode> coerced_softmax(FileNode node, ConversionHost& host) {
  const int64_t axis = take_integer(node, "axis", 1);
  node.attributes["axis"] = int64_t{-1};
  if (node.inputs.size() != 1 || node.outputs.size() != 1) return {node};
  const TensorType type = host.type_of(node.inputs[0]);
  const bool is_last = type.dtype != DType::undefined && axis == static_cast<int64_t>(type.shape.rank()) - 1;
  if (axis == -1 || is_last) return {node};
  const std::string x = node.inputs[0], y = node.outputs[0];
  const std::string rows = host.fresh_name(y + "_rows"), normal = host.fresh_name(y + "_normal");
  std::vector<FileNode> out;
  out.push_back({node.name + "_flatten", "Flatten", {x}, {rows}, {{"axis", axis}}, node.module_path});
  std::string shape;
  if (type.dtype != DType::undefined && type.shape.is_concrete()) {
    const Dims dims = type.shape.dims();
    shape = host.add_constant(node.name + "_shape", Tensor::from_ints({dims.begin(), dims.end()}));
  } else {
    shape = host.fresh_name(y + "_shape");
    out.push_back({node.name + "_shape", "Shape", {x}, {shape}, {}, node.module_path});
  }
  out.push_back({node.name, node.type, {rows}, {normal}, node.attributes, node.module_path});
  out.push_back({node.name + "_reshape", "Reshape", {normal, shape}, {y}, {}, node.module_path});
  return out;
}

void batch_normalization(FileNode& node, int64_t opset) {
  if (take_integer(node, "spatial", 1) == 0) unsupported("statistics per element (spatial = 0) are not supported");
  bool trains = take_integer(node, "training_mode", 0) != 0;
  if (opset < 14)  // more outputs than one asked for training before there was training_mode
    for (size_t i = 1; i < node.outputs.size(); ++i) trains |= !node.outputs[i].empty();
  if (trains) unsupported("training mode is not supported; export the model in evaluation mode");
}

// Before opset 11 places were asymmetric and rounded down, and there was no roi; before opset 10 it was Upsample.
void resize(FileNode& node, int64_t opset, ConversionHost& host) {
  if (node.type == "Resize" && opset >= 11) return;
  if (const auto scales = node.attributes.find("scales"); scales != node.attributes.end()) {
    const auto* reals = std::get_if<std::vector<double>>(&scales->second);
    if (!reals) throw ModelError("Malformed", "attribute 'scales' expects numbers");
    const Tensor factors = Tensor::from(std::span<const double>(*reals), {static_cast<int64_t>(reals->size())});
    node.inputs.resize(1);
    node.inputs.push_back(host.add_constant(node.name + "_scales", factors.cast(DType::f32)));
    node.attributes.erase(scales);
  }
  if (node.inputs.size() == 2) node.inputs.insert(node.inputs.begin() + 1, std::string());
  node.type = "Resize";
  node.attributes["coordinate_transformation_mode"] = std::string("asymmetric");
  node.attributes["nearest_mode"] = std::string("floor");
}

// Element types by name, as the first opsets had them.
void cast(FileNode& node) {
  const auto to = node.attributes.find("to");
  if (to == node.attributes.end()) return;
  const auto* name = std::get_if<std::string>(&to->second);
  if (!name) return;
  constexpr std::pair<std::string_view, DType> names[] = {
      {"FLOAT", DType::f32},    {"UINT8", DType::u8},   {"INT8", DType::i8},    {"UINT16", DType::u16},
      {"INT16", DType::i16},    {"INT32", DType::i32},  {"INT64", DType::i64},  {"BOOL", DType::boolean},
      {"FLOAT16", DType::f16},  {"DOUBLE", DType::f64}, {"UINT32", DType::u32}, {"UINT64", DType::u64},
      {"BFLOAT16", DType::bf16}};
  for (const auto& [spelling, dtype] : names) {
    if (spelling != *name) continue;
    to->second = static_cast<int64_t>(dtype);
    return;
  }
  unsupported(concat("element type '", *name, "' is not supported"));
}

}  // namespace

std::string_view newest_name(std::string_view type) {
  if (type == "Scatter") return "ScatterElements";
  return type == "Upsample" ? "Resize" : type;
}

std::vector<FileNode> convert_opset(FileNode node, int64_t opset, ConversionHost& host) {
  if (node.type == "DFT" && opset < 20) node.attributes.try_emplace("axis", int64_t{1});
  if (node.type == "RoiAlign" && opset < 16)
    node.attributes.try_emplace("coordinate_transformation_mode", std::string("output_half_pixel"));
  attributes_to_operands(node, host);
  if ((node.type == "Softmax" || node.type == "LogSoftmax" || node.type == "Hardmax") && opset < 13)
    return coerced_softmax(std::move(node), host);
  if (node.type == "Split" && opset < 18 && node.inputs.size() < 2)
    node.attributes["num_outputs"] = static_cast<int64_t>(node.outputs.size());
  if (node.type == "Scatter") node.type = "ScatterElements";
  if (node.type == "BatchNormalization") batch_normalization(node, opset);
  if (node.type == "Cast") cast(node);
  if (node.type == "Resize" || node.type == "Upsample") resize(node, opset, host);
  return {std::move(node)};
}

Tensor constant_of(const FileNode& node) {
  if (node.attributes.size() != 1)
    throw ModelError("Malformed", concat("a Constant has one attribute, got ", node.attributes.size()));
  const auto& [name, value] = *node.attributes.begin();
  const auto* integers = std::get_if<std::vector<int64_t>>(&value);
  const auto* reals = std::get_if<std::vector<double>>(&value);
  const auto* integer = std::get_if<int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* tensor = std::get_if<Tensor>(&value);
  if (name == "value" && tensor) return *tensor;
  if (name == "value_int" && integer) return Tensor::scalar(*integer);
  if (name == "value_float" && real) return Tensor::scalar(static_cast<float>(*real));
  if (name == "value_ints" && integers) return Tensor::from_ints(*integers);
  if (name == "value_floats" && reals) {
    const std::vector<float> floats(reals->begin(), reals->end());
    return Tensor::from(std::span<const float>(floats), {static_cast<int64_t>(floats.size())});
  }
  if (name == "value_string") unsupported("attribute 'value_string': strings are not supported");
  throw ModelError("Malformed", concat("attribute '", name, "' is not a constant's value"));
}

}  // namespace onemodel
