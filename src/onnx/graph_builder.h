#pragma once
// Makes a graph from the nodes of a file, one after the other.

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "onnx/convert_opset.h"
#include "onnx/name_pool.h"
#include "onnx/problems.h"
#include "ops/infer.h"

namespace onemodel {

/// What a graph inside a node takes from around it: a constant, or a value of that type.
struct CapturedValue {
  std::string name;
  TensorType type;
  Tensor constant;
  Holds holds = Holds::tensor;
  bool is_missing = false;  // a problem already
};

/// Values are known by their names in the file. What does not fit becomes a problem, and building
/// goes on so that later problems are found too; what only follows from a problem is none.
class GraphBuilder final : public ConversionHost {
 public:
  GraphBuilder(Graph& graph, Problems& problems) : graph_(graph), problems_(problems) {}

  /// A name that occurs in the file: none that is made up will equal it.
  void reserve_name(const std::string& name) { value_names_.take(name); }
  /// What the file says of a value that a node makes: `loose` where inference tells nothing.
  void declare_type(const std::string& name, TensorType type, TensorType loose) {
    declared_[name] = {std::move(type), std::move(loose)};
  }
  bool has(const std::string& name) const { return ids_.contains(name); }

  /// `element`: what is known of a tensor whose type is undefined.
  void add_input(const std::string& name, TensorType type, Holds holds = Holds::tensor,
                 DType element = DType::undefined);
  /// A constant of the file; `name` was reserved.
  void add_named_constant(const std::string& name, Tensor tensor, ConstantKind kind);
  /// A value that does not come, which is a problem already. `type`: what is known of it all the same.
  void add_missing(const std::string& name, TensorType type = {});
  /// Converts from `opset` and appends. `where` begins the messages.
  void add_node(FileNode node, int64_t opset, const std::string& where);
  /// Appends a node that runs `bodies`.
  void add_control_flow(FileNode node, Op op, std::vector<std::shared_ptr<const Graph>> bodies);
  /// The value of that name as a graph inside a node sees it; nothing when there is none.
  std::optional<CapturedValue> capture(const std::string& name) const;
  /// `name` is known.
  void add_output(const std::string& name);
  std::string unique_node_name(const std::string& stem) override { return node_names_.unique(stem); }

  TensorType type_of(const std::string& value) const override;
  std::string add_constant(const std::string& stem, Tensor tensor) override;
  std::string fresh_name(const std::string& stem) override { return value_names_.unique(stem); }
  Tensor constant_of(const std::string& value) const override;
  /// Whether a conversion saw the contents of that constant.
  bool was_consulted(ValueId id) const { return consulted_.contains(id); }
  void emit(FileNode node) override;

 private:
  ValueId add_value(Value value);
  void append(FileNode node);
  bool is_missing(ValueId id) const { return id != kNone && missing_.contains(id); }
  bool connect(const FileNode& file, Node& node);
  Op make(FileNode& node) const;
  void infer_outputs(const Node& node);

  Graph& graph_;
  Problems& problems_;
  NamePool value_names_, node_names_;
  std::unordered_map<std::string, ValueId> ids_;
  struct Declared {
    TensorType type, loose;
  };
  std::unordered_map<std::string, Declared> declared_;
  std::vector<TensorType> types_;               // by ValueId; what is known so far
  std::vector<std::optional<ShapeData>> data_;  // by ValueId
  mutable std::unordered_set<ValueId> consulted_;
  std::unordered_set<ValueId> missing_;
};

}  // namespace onemodel
