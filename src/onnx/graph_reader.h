#pragma once
// Reads one graph of a .onnx file.

#include <onnx.pb.h>

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "onnx/file_scope.h"
#include "onnx/graph_builder.h"

namespace onemodel {

/// The entry of that key, or nothing.
template <class Entries>
std::string find_entry(const Entries& entries, std::string_view key) {
  for (const auto& entry : entries)
    if (entry.key() == key) return entry.value();
  return {};
}

/// Reads the model's own graph, or one inside a node, which sees the names around it. What is wrong becomes a problem of the
/// file.
class GraphReader {
 public:
  /// `where`: the node around it, before every message.
  GraphReader(onnx::GraphProto& file, FileScope& scope, std::string where = {});

  Graph run();
  /// Reads a graph inside a node: `captures` become inputs after its own.
  Graph run_body(std::span<const CapturedValue> captures);

 private:
  void reserve_names();

  // graph_reader.cpp
  void read_initializers();
  void read_inputs();
  void add_optional_input(const onnx::ValueInfoProto& input);
  void drop_fixed_inputs();
  void read_body_inputs();
  void add_body_input(const onnx::ValueInfoProto& input);
  void read_outputs();
  void note_element(const onnx::ValueInfoProto& output, Value& value);

  // read_nodes.cpp
  void read_nodes();
  void add_lost();
  void read_declared_types();
  bool read_node(onnx::NodeProto& proto, int index);
  bool read_control_flow(onnx::NodeProto& proto, FileNode node, int64_t opset, const std::string& where);
  void read_constant(const FileNode& node, const std::string& where);
  static std::string domain_of(const onnx::NodeProto& node);
  std::string place_of(const onnx::NodeProto& node, std::string_view name) const;
  int64_t opset_of(const onnx::NodeProto& node, const std::string& domain) const;

  onnx::GraphProto& file_;
  FileScope& scope_;
  std::string where_;
  Graph graph_;
  GraphBuilder builder_{graph_, scope_.problems};
  std::unordered_set<std::string> given_;  // names of initializers and inputs
};

}  // namespace onemodel
