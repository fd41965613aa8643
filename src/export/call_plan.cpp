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
    for (size_t i = 0; i < graph_.values.size(); ++i) values_.emplace(graph_.values[i].name, static_cast<ValueId>(i));
  }

  void run() {
    homes_ = calls_of(graph_, plan_.calls);
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      for (const ValueId id : graph_.nodes[n].outputs)
        if (id != kNone) makers_[static_cast<size_t>(id)] = homes_[n];
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      for (const ValueId id : graph_.nodes[n].inputs) use(id, homes_[n]);
    for (const ValueId id : graph_.outputs) use(id, 0);
    for (size_t c = 1; c < plan_.calls.size(); ++c) record(c);
    for (size_t c = 1; c < plan_.calls.size(); ++c) boundary(c);
    const std::vector<Items> items = items_of_calls();
    for (size_t c = 0; c < plan_.calls.size(); ++c) order(c, items[c]);
  }

 private:
  using Items = std::multimap<size_t, CallBody::Step>;  // by place among the nodes: of a call, that of its first

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
      const auto found = values_.find(name);
      out.push_back(found == values_.end() ? kNone : found->second);
    }
    return out;
  }

  // What was recorded is handed over even where nobody needs it.
  void record(size_t call) {
    CallBody& body = plan_.bodies[call];
    body.inputs = ids_of(plan_.calls[call].inputs);
    body.outputs = ids_of(plan_.calls[call].outputs);
    for (ValueId& id : body.outputs)
      if (id != kNone && graph_.value(id).is_constant()) id = kNone;  // whoever reads it has the constant
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

  std::vector<Items> items_of_calls() const {
    std::vector<size_t> first(plan_.calls.size(), graph_.nodes.size());
    std::vector<Items> items(plan_.calls.size());
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      items[homes_[n]].emplace(n, CallBody::Step{false, n});
      for (size_t at = homes_[n]; at != 0 && first[at] > n; at = parent(at)) first[at] = n;
    }
    for (size_t c = 1; c < plan_.calls.size(); ++c) items[parent(c)].emplace(first[c], CallBody::Step{true, c});
    return items;
  }

  void order(size_t call, Items pending) {
    std::set<ValueId> known(graph_.inputs.begin(), graph_.inputs.end());
    if (call != 0) known = {plan_.bodies[call].inputs.begin(), plan_.bodies[call].inputs.end()};
    for (const size_t state : plan_.bodies[call].state) known.insert(graph_.inputs[state]);
    const auto is_known = [&](ValueId id) {
      return id == kNone || graph_.value(id).is_constant() || known.contains(id);
    };
    while (!pending.empty()) {
      const auto ready = std::ranges::find_if(pending, [&](const auto& item) {
        const CallBody::Step& step = item.second;
        return std::ranges::all_of(step.is_call ? plan_.bodies[step.index].inputs : graph_.nodes[step.index].inputs,
                                   is_known);
      });
      if (ready == pending.end())
        throw ModelError("Malformed", concat("program '", graph_.name, "': the calls in '", plan_.calls[call].path,
                                             "' need each other's results"));
      const CallBody::Step& step = ready->second;
      for (const ValueId id : step.is_call ? plan_.bodies[step.index].outputs : graph_.nodes[step.index].outputs)
        known.insert(id);
      plan_.bodies[call].steps.push_back(step);
      pending.erase(ready);
    }
  }

  CallPlan& plan_;
  const Graph& graph_;
  std::map<std::string_view, ValueId> values_;
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
