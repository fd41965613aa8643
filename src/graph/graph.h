#pragma once
// The graph that traces and readers produce, passes rewrite, and sessions run.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/constant_kind.h"
#include "core/extent.h"
#include "core/tensor.h"
#include "graph/size_contract.h"
#include "ops/kernel.h"
#include "ops/op.h"

namespace onemodel {

using ValueId = int32_t;
using NodeId = int32_t;
/// An absent optional input, or no producer.
inline constexpr int32_t kNone = -1;

/// What a value is: one tensor, a list of tensors, or one of both or nothing. All but tensors exist in sessions only.
enum class Holds : uint8_t { tensor, sequence, optional_tensor, optional_sequence };

/// One value of the graph: an input, a constant, or an output of a node.
struct Value {
  std::string name;
  TensorType type;          // dtype undefined: nothing is known before a run; of a container: see `holds`
  NodeId producer = kNone;  // the node that computes it
  Tensor constant;          // defined: a constant
  ConstantKind kind = ConstantKind::plain;
  Holds holds = Holds::tensor;       // of others `type` has no shape, but that of an optional graph input when declared
  DType element = DType::undefined;  // declared, where `type` is undefined since the rank is not known

  bool is_constant() const { return constant.defined(); }
};

class Graph;

/// One application of an operator.
struct Node {
  Op op;
  std::vector<ValueId> inputs;                            // kNone: absent
  std::vector<ValueId> outputs;                           // kNone: not wanted
  std::string name;                                       // unique; errors and profiles use it
  std::string module_path = {};                           // "encoder.layers.0"; empty when unknown
  std::optional<Clamp> clamp = {};                        // an activation that a pass fused into output 0
  std::vector<std::shared_ptr<const Graph>> bodies = {};  // of control flow (graph/control_flow.h)
};

/// A constant that whoever runs the graph may replace by tensors of its element type and this shape.
struct OptionalInput {
  ValueId value;
  Shape shape;
};

/// Values and nodes with value semantics: copies share constants' storage and nothing else. Nodes are in topological
/// order. Ids index `values` and `nodes`; they change only in `compact`.
class Graph {
 public:
  std::string name = "graph";
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs, outputs;
  std::vector<OptionalInput> optional_inputs;  // of the outermost graph only
  std::map<std::string, std::string> metadata;
  std::shared_ptr<const SizeContract> contract;  // null: the inputs' types say all

  /// The three ways to get a value. Names must be new and not empty; `add_constant` and `add_node` make `name` unique
  /// by a numeric suffix instead.
  ValueId add_input(std::string name, TensorType type);
  ValueId add_constant(std::string name, Tensor constant, ConstantKind kind = ConstantKind::plain);
  /// Appends a node, infers its outputs' types, and returns their ids. Output names derive from `name`.
  /// Errors name the node.
  std::vector<ValueId> add_node(Op op, std::vector<ValueId> inputs, std::string name = {}, size_t outputs = 1,
                                std::string module_path = {});

  Value& value(ValueId id) { return values[static_cast<size_t>(id)]; }
  const Value& value(ValueId id) const { return values[static_cast<size_t>(id)]; }
  Node& node(NodeId id) { return nodes[static_cast<size_t>(id)]; }
  const Node& node(NodeId id) const { return nodes[static_cast<size_t>(id)]; }
  /// The node that makes `id`, or null.
  const Node* producer(ValueId id) const;
  ValueId find_value(std::string_view name) const;  // kNone when there is none
  bool is_output(ValueId id) const;
  /// A name beginning with `stem` that no value or node has.
  std::string unique_name(std::string_view stem) const;

  /// Drops values that nothing refers to and renumbers; graph inputs stay, optional ones too.
  void compact();
};

/// For each value, the nodes that read it (once per use). Graph outputs are not counted.
std::vector<std::vector<NodeId>> users_of(const Graph& graph);

/// Throws ModelError(Malformed) naming node and value when the graph is not well formed: ids in range, one producer
/// per value, topological order, unique names, arity, inputs without producer, outputs defined, and a contract on sizes that
/// the inputs have.
void verify(const Graph& graph);

/// Infers every node's output types again from the inputs' types and the constants; a declared type that contradicts
/// the inferred one is an error naming the node. Known sizes replace unknown ones. What depends on a value of unknown type
/// keeps the type it has.
void infer_types(Graph& graph);
/// Whether every value is a tensor whose type is known.
bool has_all_types(const Graph& graph);

/// One line per input, constant, node and output: "%y: float32[batch, 4] = Softmax(axis=1) %x   # encoder.0".
std::string to_string(const Graph& graph);

}  // namespace onemodel
