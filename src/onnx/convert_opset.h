#pragma once
// Nodes of older opsets in today's form.

#include <map>
#include <string>
#include <vector>

#include "core/extent.h"
#include "ops/attribute.h"

namespace onemodel {

/// A node of a file on its way to a Node. An empty name stands for an absent operand.
struct FileNode {
  std::string name, type;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, AttributeValue> attributes;
  std::string module_path = {};
  std::string domain = {};  // empty: ai.onnx
};

/// What a conversion may ask of the graph in the making.
class ConversionHost {
 public:
  virtual ~ConversionHost() = default;
  /// The type of a value; undefined when it is not known.
  virtual TensorType type_of(const std::string& value) const = 0;
  /// A new constant; its name begins with `stem`.
  virtual std::string add_constant(const std::string& stem, Tensor tensor) = 0;
  /// A name for a new value.
  virtual std::string fresh_name(const std::string& stem) = 0;
  /// A name for a new node.
  virtual std::string unique_node_name(const std::string& stem) = 0;
  /// The tensor of a constant; undefined for any other value.
  virtual Tensor constant_of(const std::string& value) const = 0;
  /// Appends a node in today's form: an operator or a function.
  virtual void emit(FileNode node) = 0;
};

/// Emits the nodes that do in the newest opset what `node` does in `opset`; most often the node itself. Attributes that
/// became operands become constants. Operators without a rule stay as they are. Throws ModelError(Unsupported) where
/// there is no such form.
void convert_opset(FileNode node, int64_t opset, ConversionHost& host);

/// The newest opset's operator for one that older ones named otherwise; any other is itself.
std::string_view newest_name(std::string_view type);

/// The value of a Constant node. Throws ModelError.
Tensor constant_of(const FileNode& node);

}  // namespace onemodel
