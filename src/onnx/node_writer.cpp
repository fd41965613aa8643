#include "onnx/node_writer.h"

#include <utility>

#include "core/error.h"

namespace onemodel {

TensorType NodeWriter::type(Ref value) const {
  TensorType type = host_.type_of(std::string(value));
  if (type.dtype == DType::undefined)
    throw ModelError("Unsupported", concat("the type of '", value, "' needs to be known"));
  return type;
}

NodeWriter::Ref NodeWriter::add(Tensor tensor) {
  return keep(host_.add_constant(node_.name + "_constant", std::move(tensor)));
}

NodeWriter::Ref NodeWriter::fresh(std::string_view stem) {
  return keep(host_.fresh_name(concat(node_.name, "_", stem)));
}

FileNode NodeWriter::new_node(std::string_view type, std::initializer_list<Ref> inputs,
                              std::initializer_list<Setting> settings) {
  FileNode out{.type = std::string(type), .module_path = node_.module_path};
  for (const Ref input : inputs) out.inputs.emplace_back(input);
  for (const Setting& setting : settings) out.attributes.emplace(setting.name, setting.value);
  return out;
}

NodeWriter::Ref NodeWriter::finish(FileNode node) {
  const Ref made = fresh(node.type);
  node.outputs.emplace_back(made);
  emit(std::move(node));
  return made;
}

NodeWriter::Ref NodeWriter::make(std::string_view type, std::initializer_list<Ref> inputs,
                                 std::initializer_list<Setting> settings) {
  return finish(new_node(type, inputs, settings));
}

NodeWriter::Ref NodeWriter::make(std::string_view type, std::initializer_list<Ref> inputs, std::string_view name,
                                 AttributeValue value) {
  FileNode out = new_node(type, inputs, {});
  out.attributes.emplace(name, std::move(value));
  return finish(std::move(out));
}

void NodeWriter::give(size_t index, std::string_view type, std::initializer_list<Ref> inputs,
                      std::initializer_list<Setting> settings) {
  if (!wants(index)) return;
  FileNode out = new_node(type, inputs, settings);
  out.outputs.push_back(node_.outputs[index]);
  emit(std::move(out));
}

void NodeWriter::emit(FileNode node) {
  if (node.name.empty()) node.name = host_.unique_node_name(concat(node_.name, "_", node.type));
  host_.emit(std::move(node));
}

NodeWriter::Ref NodeWriter::cast(Ref value, DType dtype) {
  if (host_.type_of(std::string(value)).dtype == dtype) return value;
  return make("Cast", {value}, {{"to", static_cast<int64_t>(dtype)}});
}

NodeWriter::Ref NodeWriter::with_trailing_axes(Ref value, size_t count) {
  if (count == 0) return value;
  std::vector<int64_t> axes;
  for (size_t i = 0; i < count; ++i) axes.push_back(-1 - static_cast<int64_t>(i));
  return make("Unsqueeze", {value, integers(axes)});
}

}  // namespace onemodel
