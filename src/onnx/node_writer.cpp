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

NodeWriter::Ref NodeWriter::make(std::string_view type, std::initializer_list<Ref> inputs,
                                 std::initializer_list<Setting> settings) {
  FileNode out = new_node(type, inputs, settings);
  const Ref made = fresh(type);
  out.outputs.emplace_back(made);
  emit(std::move(out));
  return made;
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

NodeWriter::Ref NodeWriter::transpose(Ref value, std::vector<int64_t> perm) {
  FileNode out = new_node("Transpose", {value}, {});
  out.attributes.emplace("perm", std::move(perm));
  const Ref made = fresh(out.type);
  out.outputs.emplace_back(made);
  emit(std::move(out));
  return made;
}

}  // namespace onemodel
