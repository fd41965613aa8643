#pragma once
// Writes the nodes that stand for one node of a file.

#include <deque>
#include <initializer_list>
#include <span>
#include <string_view>

#include "onnx/convert_opset.h"

namespace onemodel {

/// What stands for `node` is written with it, node by node, so that types are known on the way. A value is the view of
/// its name, which lives as long as the writer; empty for an absent operand.
class NodeWriter {
 public:
  using Ref = std::string_view;
  struct Setting {
    std::string_view name;
    int64_t value;
  };

  /// `node` outlives the writer. Operands are those that it has now.
  NodeWriter(const FileNode& node, ConversionHost& host) : node_(node), host_(host) {}
  NodeWriter(const NodeWriter&) = delete;
  NodeWriter& operator=(const NodeWriter&) = delete;

  Ref input(size_t i) const { return i < node_.inputs.size() ? Ref(node_.inputs[i]) : Ref(); }
  size_t input_count() const { return node_.inputs.size(); }
  bool wants(size_t output) const { return output < node_.outputs.size() && !node_.outputs[output].empty(); }
  size_t output_count() const { return node_.outputs.size(); }

  /// Throw ModelError(Unsupported) when inference does not know.
  TensorType type(Ref value) const;
  DType dtype(Ref value) const { return type(value).dtype; }
  size_t rank(Ref value) const { return type(value).shape.rank(); }
  /// Undefined when the value is not a constant.
  Tensor constant(Ref value) const { return host_.constant_of(std::string(value)); }

  Ref add(Tensor tensor);
  Ref number(double value, DType dtype) { return add(Tensor::full({}, value, dtype)); }
  Ref integers(std::span<const int64_t> values) { return add(Tensor::from_ints(values)); }
  Ref integers(std::initializer_list<int64_t> values) { return integers(std::span(values.begin(), values.size())); }

  /// The first output of a new node.
  Ref make(std::string_view type, std::initializer_list<Ref> inputs, std::initializer_list<Setting> settings = {});
  /// The same with one attribute of any kind.
  Ref make(std::string_view type, std::initializer_list<Ref> inputs, std::string_view name, AttributeValue value);
  /// A new node whose only output is output `index` of the node that is written; nothing when it is not wanted.
  void give(size_t index, std::string_view type, std::initializer_list<Ref> inputs,
            std::initializer_list<Setting> settings = {});
  /// Emits `node`, whose outputs may be wanted or not; it keeps its domain and attributes.
  void emit(FileNode node);
  Ref fresh(std::string_view stem);

  // Shapes of everyday use.
  Ref cast(Ref value, DType dtype);
  /// `value` with `count` axes of extent 1 appended.
  Ref with_trailing_axes(Ref value, size_t count);

 protected:
  FileNode new_node(std::string_view type, std::initializer_list<Ref> inputs, std::initializer_list<Setting> settings);
  /// Gives the node an output and emits it.
  Ref finish(FileNode node);

 private:
  Ref keep(std::string name) { return names_.emplace_back(std::move(name)); }

  const FileNode& node_;
  ConversionHost& host_;
  std::deque<std::string> names_;
};

}  // namespace onemodel
