#include "runtime/split.h"

#include <algorithm>

#include "graph/container_ops.h"
#include "ops/shape.h"

namespace onemodel {
namespace {

bool stands_alone(const Graph& graph, const Node& node) {
  return !node.bodies.empty() || node.op.traits().info.sizes_from_values || handles_containers(graph, node);
}

// Contents that may belong to a signature: lists of sizes are short.
bool is_small(const Value& value) { return is_integer(value.type.dtype) && value.type.shape.rank() <= 1; }

class Splitter {
 public:
  explicit Splitter(const Graph& graph)
      : graph_(graph), stage_(graph.nodes.size()), needed_(graph.nodes.size()), values_(graph.values.size()) {
    for (const Node& node : graph.nodes) alone_.push_back(stands_alone(graph, node));
  }

  std::vector<Stage> run() {
    mark_needed();
    for (size_t v = 0; v < values_.size(); ++v) {
      const Value& value = graph_.values[v];
      values_[v].is_known = value.is_constant() || (value.producer == kNone && is_small(value));
    }
    size_t stages = 1;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!needed_[n]) continue;
      place(n);
      stages = std::max(stages, stage_[n] + 1);
    }
    mark_leaving();
    std::vector<Stage> out(stages);
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      if (needed_[n] && alone_[n]) out[stage_[n]].alone.push_back(static_cast<NodeId>(n));
    for (size_t s = 0; s < stages; ++s) out[s].piece = piece(s);
    return out;
  }

 private:
  struct Availability {
    size_t from = 0;           // the first stage that can read it
    size_t contents_from = 0;  // the first stage whose plans can know its contents, as an input
    bool is_known = false;     // its contents follow from sizes and small inputs
    bool leaves = false;       // a graph output, or read by another stage or a node that stands alone
  };

  void mark_needed() {
    std::vector<bool> wanted(graph_.values.size());
    for (ValueId id : graph_.outputs) wanted[static_cast<size_t>(id)] = true;
    for (size_t n = graph_.nodes.size(); n-- > 0;) {
      const Node& node = graph_.nodes[n];
      for (ValueId id : node.outputs) needed_[n] = needed_[n] || (id != kNone && wanted[static_cast<size_t>(id)]);
      if (!needed_[n]) continue;
      for (ValueId id : node.inputs)
        if (id != kNone) wanted[static_cast<size_t>(id)] = true;
    }
  }

  void place(size_t n) {
    const Node& node = graph_.nodes[n];
    const bool alone = alone_[n];
    size_t stage = 0;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == kNone) continue;
      const Availability& input = values_[static_cast<size_t>(node.inputs[i])];
      const bool decides = !alone && node.op.traits().input(i).is_shape_data && !input.is_known;
      stage = std::max(stage, decides ? input.contents_from : input.from);
    }
    const auto is_known = [&](ValueId id) {
      if (id == kNone) return true;
      const Availability& input = values_[static_cast<size_t>(id)];
      return input.is_known || (input.contents_from <= stage && is_small(graph_.value(id)));
    };
    const bool known =
        !alone && !node.op.traits().info.random &&
        (node.op.is<ShapeOf>() || node.op.is<Size>() || std::all_of(node.inputs.begin(), node.inputs.end(), is_known));
    stage_[n] = stage;
    for (ValueId id : node.outputs)
      if (id != kNone) values_[static_cast<size_t>(id)] = {stage + (alone ? 1 : 0), stage + 1, known};
  }

  bool is_in_piece(NodeId n, size_t stage) const {
    const auto i = static_cast<size_t>(n);
    return needed_[i] && stage_[i] == stage && !alone_[i];
  }

  Piece piece(size_t stage) const {
    Piece out;
    out.graph.name = graph_.name;
    std::vector<ValueId> renumbered(graph_.values.size(), kNone);
    const auto add = [&](ValueId id) {
      ValueId& to = renumbered[static_cast<size_t>(id)];
      if (to != kNone) return to;
      to = static_cast<ValueId>(out.graph.values.size());
      Value value = graph_.value(id);
      value.producer = kNone;
      if (!value.is_constant()) {
        out.inputs.push_back(id);
        out.graph.inputs.push_back(to);
      }
      out.graph.values.push_back(std::move(value));
      return to;
    };
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!is_in_piece(static_cast<NodeId>(n), stage)) continue;
      Node node = graph_.nodes[n];
      for (ValueId& id : node.inputs)
        if (id != kNone) id = add(id);
      for (ValueId& id : node.outputs) {
        if (id == kNone) continue;
        const auto to = static_cast<ValueId>(out.graph.values.size());
        out.graph.values.push_back(graph_.value(id));
        out.graph.values.back().producer = static_cast<NodeId>(out.graph.nodes.size());
        renumbered[static_cast<size_t>(id)] = to;
        if (values_[static_cast<size_t>(id)].leaves) {
          out.outputs.push_back(id);
          out.graph.outputs.push_back(to);
        }
        id = to;
      }
      out.graph.nodes.push_back(std::move(node));
    }
    return out;
  }

  void mark_leaving() {
    for (ValueId id : graph_.outputs) values_[static_cast<size_t>(id)].leaves = true;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!needed_[n]) continue;
      for (ValueId id : graph_.nodes[n].inputs) {
        const NodeId producer = id == kNone ? kNone : graph_.value(id).producer;
        if (producer == kNone) continue;
        const bool elsewhere = stage_[n] != stage_[static_cast<size_t>(producer)] || alone_[n];
        values_[static_cast<size_t>(id)].leaves |= elsewhere;
      }
    }
  }

  const Graph& graph_;
  std::vector<size_t> stage_;  // per node
  std::vector<bool> needed_;   // per node
  std::vector<bool> alone_;    // per node
  std::vector<Availability> values_;
};

}  // namespace

std::vector<Stage> split(const Graph& graph) { return Splitter(graph).run(); }

}  // namespace onemodel
