#include "onnx/model_file.h"

#include "onnx/convert_attribute.h"
#include "onnx/convert_tensor.h"

namespace onemodel::test {
namespace {

void set_type(onnx::ValueInfoProto& value, const Names& dims, DType dtype) {
  auto& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(static_cast<int32_t>(dtype));
  auto& shape = *type.mutable_shape();
  for (const std::string& dim : dims) {
    auto& out = *shape.add_dim();
    if (dim == "?") continue;
    if (dim.find_first_not_of("-0123456789") == std::string::npos)
      out.set_dim_value(std::stoll(dim));
    else
      out.set_dim_param(dim);
  }
}

}  // namespace

ModelFile::ModelFile(int64_t opset, int64_t ir_version) {
  model.set_ir_version(ir_version);
  model.add_opset_import()->set_version(opset);
  graph().set_name("by_hand");
}

ModelFile& ModelFile::input(const std::string& name, const Names& dims, DType dtype) {
  auto& value = *graph().add_input();
  value.set_name(name);
  set_type(value, dims, dtype);
  return *this;
}

ModelFile& ModelFile::output(const std::string& name, const Names& dims, DType dtype) {
  auto& value = *graph().add_output();
  value.set_name(name);
  if (dtype != DType::undefined) set_type(value, dims, dtype);
  return *this;
}

ModelFile& ModelFile::constant(const std::string& name, const Tensor& value) {
  tensor_to_onnx(value, name, *graph().add_initializer());
  return *this;
}

ModelFile& ModelFile::node(const std::string& type, const Names& inputs, const Names& outputs,
                           const std::vector<std::pair<std::string, AttributeValue>>& attributes,
                           const std::string& name) {
  auto& node = *graph().add_node();
  node.set_op_type(type);
  if (!name.empty()) node.set_name(name);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  for (const auto& [attribute, value] : attributes) attribute_to_onnx(attribute, value, *node.add_attribute());
  return *this;
}

onnx::TensorProto& ModelFile::add_initializer(const std::string& name, const Dims& dims, int32_t data_type) {
  auto& tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(data_type);
  for (const int64_t extent : dims) tensor.add_dims(extent);
  return tensor;
}

std::vector<std::byte> ModelFile::bytes() const {
  std::vector<std::byte> out(model.ByteSizeLong());
  model.SerializeToArray(out.data(), static_cast<int>(out.size()));
  return out;
}

std::string ModelFile::error(const OnnxReadOptions& options) const {
  try {
    read(options);
  } catch (const ModelError& error) {
    return concat(error.kind(), ": ", error.what());
  }
  return "";
}

}  // namespace onemodel::test
