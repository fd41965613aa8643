#include "onnx/free_names.h"

#include <unordered_set>

namespace onemodel {
namespace {

/// Names in the order in which they were first added.
class NameList {
 public:
  void add(const std::string& name) {
    if (!name.empty() && seen_.insert(name).second) names_.push_back(name);
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::unordered_set<std::string> seen_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> inputs_of(const onnx::NodeProto& node) {
  NameList names;
  for (const std::string& input : node.input()) names.add(input);
  for (const auto& attribute : node.attribute())
    if (attribute.has_g())
      for (const std::string& name : free_names(attribute.g())) names.add(name);
  return names.take();
}

std::vector<std::string> free_names(const onnx::GraphProto& graph) {
  std::unordered_set<std::string> made;
  for (const auto& input : graph.input()) made.insert(input.name());
  for (const auto& tensor : graph.initializer()) made.insert(tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) made.insert(sparse.values().name());
  for (const auto& node : graph.node()) made.insert(node.output().begin(), node.output().end());
  NameList names;
  const auto read = [&](const std::string& name) {
    if (!made.contains(name)) names.add(name);
  };
  for (const auto& node : graph.node())
    for (const std::string& input : inputs_of(node)) read(input);
  for (const auto& output : graph.output()) read(output.name());
  return names.take();
}

}  // namespace onemodel
