#include "export/call_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "export/program_session.h"

namespace onemodel {
namespace {

std::string owner_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

class Planner {
 public:
  explicit Planner(CallPlan& plan)
      : plan_(plan),
        graph_(plan.graph),
        makers_(graph_.values.size(), 0),
        needs_(plan.calls.size()),
        gives_(plan.calls.size()) {
    plan_.bodies.resize(plan_.calls.size());
    for (const InputSpec& input : plan_.signature.inputs)
      if (input.is_state()) plan_.owners.push_back(owner_of(input.target));
    plan_.updated = is_never_updated(plan_.signature);
    plan_.updated.flip();
    for (size_t i = 0; i < plan_.owners.size(); ++i) state_.emplace(graph_.inputs[i], i);
  }

  void run() {
    for (const Node& node : graph_.nodes) {
      homes_.push_back(call_of(node));
      for (const ValueId id : node.outputs)
        if (id != kNone) makers_[static_cast<size_t>(id)] = homes_.back();
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      for (const ValueId id : graph_.nodes[n].inputs) use(id, homes_[n]);
    for (const ValueId id : graph_.outputs) use(id, 0);
    for (size_t c = 1; c < plan_.calls.size(); ++c) record(c);
    for (size_t c = 1; c < plan_.calls.size(); ++c) boundary(c);
    for (size_t c = 0; c < plan_.calls.size(); ++c) order(c);
  }

 private:
  size_t call_of(const Node& node) {
    if (names_.empty())
      for (size_t i = 0; i < plan_.calls.size(); ++i) names_.emplace(plan_.calls[i].name(), i);
    const auto found = names_.find(node.module_path);
    return found == names_.end() ? 0 : found->second;
  }
  size_t parent(size_t call) const { return static_cast<size_t>(plan_.calls[call].parent); }
  bool is_around(size_t outer, size_t call) const {
    while (call != outer && call != 0) call = parent(call);
    return call == outer;
  }

  // The value is wanted in `call`: it crosses every boundary from there to where it is made.
  void use(ValueId id, size_t call) {
    if (id == kNone || graph_.value(id).is_constant()) return;
    if (const auto state = state_.find(id); state != state_.end()) {
      while (call != 0 && plan_.calls[call].path != plan_.owners[state->second]) {
        needs_[call].insert(id);
        call = parent(call);
      }
      std::vector<size_t>& own = plan_.bodies[call].state;
      if (std::ranges::find(own, state->second) == own.end()) own.push_back(state->second);
      return;
    }
    for (; !is_around(call, makers_[static_cast<size_t>(id)]); call = parent(call)) needs_[call].insert(id);
    for (size_t maker = makers_[static_cast<size_t>(id)]; maker != call; maker = parent(maker))
      gives_[maker].insert(id);
  }

  std::vector<ValueId> ids_of(const std::vector<std::string>& names) const {
    std::vector<ValueId> out;
    for (const std::string& name : names) {
      const ValueId id = name.empty() ? kNone : graph_.find_value(name);
      out.push_back(id == kNone || graph_.value(id).is_constant() ? kNone : id);
    }
    return out;
  }

  // What was recorded is handed over even where nobody needs it.
  void record(size_t call) {
    CallBody& body = plan_.bodies[call];
    body.inputs = ids_of(plan_.calls[call].inputs);
    body.outputs = ids_of(plan_.calls[call].outputs);
    body.recorded_inputs = body.inputs.size();
    body.recorded_outputs = body.outputs.size();
    for (const ValueId id : body.inputs) use(id, parent(call));
    for (const ValueId id : body.outputs) {
      use(id, call);
      use(id, parent(call));
    }
  }

  void boundary(size_t call) {
    CallBody& body = plan_.bodies[call];
    const auto add = [](std::vector<ValueId>& list, const std::set<ValueId>& all) {
      for (const ValueId id : all)
        if (std::ranges::find(list, id) == list.end()) list.push_back(id);
    };
    add(body.inputs, needs_[call]);
    add(body.outputs, gives_[call]);
  }

  void order(size_t call) {
    std::vector<CallBody::Step> pending;
    std::map<size_t, size_t> first;  // by call inside, its place among the nodes
    for (size_t n = graph_.nodes.size(); n-- > 0;)
      for (size_t at = homes_[n]; at != 0; at = parent(at)) first[at] = n;
    std::multimap<size_t, CallBody::Step> items;
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      if (homes_[n] == call) items.emplace(n, CallBody::Step{false, n});
    for (size_t c = 1; c < plan_.calls.size(); ++c)
      if (parent(c) == call) items.emplace(first.contains(c) ? first[c] : graph_.nodes.size(), CallBody::Step{true, c});
    for (const auto& [place, item] : items) pending.push_back(item);

    std::set<ValueId> known(graph_.inputs.begin(), graph_.inputs.end());
    if (call != 0) known = {plan_.bodies[call].inputs.begin(), plan_.bodies[call].inputs.end()};
    for (const size_t state : plan_.bodies[call].state) known.insert(graph_.inputs[state]);
    const auto is_known = [&](ValueId id) {
      return id == kNone || graph_.value(id).is_constant() || known.contains(id);
    };
    while (!pending.empty()) {
      const auto ready = std::ranges::find_if(pending, [&](const CallBody::Step& step) {
        return std::ranges::all_of(step.is_call ? plan_.bodies[step.index].inputs : graph_.nodes[step.index].inputs,
                                   is_known);
      });
      if (ready == pending.end())
        throw ModelError("Malformed", concat("program '", graph_.name, "': the calls in '", plan_.calls[call].path,
                                             "' need each other's results"));
      for (const ValueId id : ready->is_call ? plan_.bodies[ready->index].outputs : graph_.nodes[ready->index].outputs)
        known.insert(id);
      plan_.bodies[call].steps.push_back(*ready);
      pending.erase(ready);
    }
  }

  CallPlan& plan_;
  const Graph& graph_;
  std::map<std::string, size_t> names_;
  std::vector<size_t> makers_;  // the call that makes each value; 0 for inputs
  std::vector<size_t> homes_;   // the call of each node
  std::map<ValueId, size_t> state_;
  std::vector<std::set<ValueId>> needs_, gives_;
};

}  // namespace

std::shared_ptr<const CallPlan> plan_calls(const ExportedProgram& program, bool with_calls) {
  program.validate();
  const bool has_calls = with_calls && !program.calls.empty();
  auto plan = std::make_shared<CallPlan>(CallPlan{.graph = program.graph,
                                                  .signature = program.signature,
                                                  .contract = user_contract(program.graph, program.signature),
                                                  .calls = has_calls ? program.calls : std::vector<ModuleCall>(1),
                                                  .bodies = {},
                                                  .owners = {},
                                                  .updated = {}});
  Planner(*plan).run();
  return plan;
}

}  // namespace onemodel
