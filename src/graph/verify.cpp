#include <unordered_map>

#include "graph/control_flow.h"
#include "graph/malformed.h"

namespace onemodel {
namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), defined_(graph.values.size()) {}

  void run() {
    names();
    for (size_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].is_constant()) defined_[i] = true;
    for (ValueId id : graph_.inputs) {
      in_range(id, "graph inputs");
      require(!graph_.value(id).is_constant() && graph_.value(id).producer == kNone, "graph input '",
              graph_.value(id).name, "' is also a constant or computed by a node");
      require(!defined_[static_cast<size_t>(id)], "graph input '", graph_.value(id).name, "' is listed twice");
      defined_[static_cast<size_t>(id)] = true;
    }
    optional_inputs();
    for (size_t n = 0; n < graph_.nodes.size(); ++n) node(static_cast<NodeId>(n));
    for (ValueId id : graph_.outputs) {
      in_range(id, "graph outputs");
      require(defined_[static_cast<size_t>(id)], "graph output '", graph_.value(id).name, "' is computed by no node");
    }
    contract();
  }

 private:
  void contract() const {
    if (!graph_.contract) return;
    std::vector<Shape> shapes;
    for (ValueId id : graph_.inputs) shapes.push_back(graph_.value(id).type.shape);
    const std::string problem = contract_problem(*graph_.contract, shapes);
    require(problem.empty(), "size contract: ", problem);
  }

  void in_range(ValueId id, std::string_view where) const {
    require(id >= 0 && static_cast<size_t>(id) < graph_.values.size(), where, ": value id ", id, " is out of range (",
            graph_.values.size(), " values)");
  }

  void optional_inputs() const {
    std::vector<bool> seen(graph_.values.size());
    for (const auto& [id, shape] : graph_.optional_inputs) {
      in_range(id, "optional inputs");
      require(graph_.value(id).is_constant(), "optional input '", graph_.value(id).name, "' has no value");
      require(!seen[static_cast<size_t>(id)], "optional input '", graph_.value(id).name, "' is listed twice");
      seen[static_cast<size_t>(id)] = true;
    }
  }

  void names() const {
    std::unordered_map<std::string_view, bool> seen;
    for (const Value& value : graph_.values)
      require(!value.name.empty() && seen.emplace(value.name, true).second, "value name '", value.name,
              "' is empty or used twice");
    seen.clear();
    for (const Node& node : graph_.nodes)
      require(!node.name.empty() && seen.emplace(node.name, true).second, "node name '", node.name,
              "' is empty or used twice");
  }

  void node(NodeId id) {
    const Node& node = graph_.node(id);
    const OpTraits& traits = node.op.traits();
    const std::string who = concat("node '", node.name, "' (", node.op.name(), ")");
    if (node.bodies.empty()) {
      require(!is_control_flow(node.op), who, ": the graph that it runs is missing");
      require(node.inputs.size() >= traits.min_inputs() &&
                  (traits.is_variadic() || node.inputs.size() <= traits.inputs.size()),
              who, ": ", node.inputs.size(), " inputs do not fit the operator");
      require(!node.outputs.empty() && node.outputs.size() <= traits.outputs.size(), who, ": ", node.outputs.size(),
              " outputs do not fit the operator");
    } else {
      bodies(node, who);
    }
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId input = node.inputs[i];
      if (input == kNone) {
        require(!node.bodies.empty() || traits.input(i).use == Input::optional, who, ": input '", traits.input(i).name,
                "' is missing");
        continue;
      }
      in_range(input, who);
      require(defined_[static_cast<size_t>(input)], who, ": input '", graph_.value(input).name,
              "' is not defined before its use");
    }
    for (ValueId output : node.outputs) {
      if (output == kNone) continue;
      in_range(output, who);
      const Value& value = graph_.value(output);
      require(!defined_[static_cast<size_t>(output)], who, ": output '", value.name, "' is defined twice");
      require(value.producer == id, who, ": output '", value.name, "' names another producer");
      defined_[static_cast<size_t>(output)] = true;
    }
  }

  void bodies(const Node& node, const std::string& who) const {
    try {
      check_control_flow(node);
      for (const auto& body : node.bodies) Verifier(*body).run();
    } catch (Error& error) {
      error.add_context(who);
      throw;
    }
  }

  const Graph& graph_;
  std::vector<bool> defined_;
};

bool nests_beyond(const Graph& graph, size_t most) {
  for (const Node& node : graph.nodes)
    for (const auto& body : node.bodies)
      if (most == 0 || nests_beyond(*body, most - 1)) return true;
  return false;
}

}  // namespace

void verify(const Graph& graph) {
  if (nests_beyond(graph, kMostNestedGraphs))
    throw ModelError("Unsupported", concat("graphs are nested more than ", kMostNestedGraphs, " deep"));
  Verifier(graph).run();
}

}  // namespace onemodel
