#include "export/program_session.h"

#include <algorithm>

#include "eager/in_place.h"
#include "eager/record.h"
#include "export/state_dict.h"
#include "export/updated_inputs.h"
#include "format/file.h"
#include "runtime/onnx_file.h"
#include "runtime/segment.h"

namespace onemodel {
namespace {

// Parameters of a program for training can be replaced, so they are no constants.
std::vector<bool> bound_inputs(const ExportedProgram& program) {
  std::vector<bool> bound = is_never_updated(program.signature);
  for (size_t i = 0; i < bound.size(); ++i)
    if (program.trainable && program.signature.inputs[i].kind == InputKind::parameter) bound[i] = false;
  return bound;
}

// Both read and update one state in the same way: what only one of them updates, the other has bound as a constant.
void check_shares(const ExportedProgram& program, const ProgramSignature& other, const Graph& graph) {
  const ProgramSignature& own = program.signature;
  const auto state_of = [](const ProgramSignature& signature) {
    return std::span(signature.inputs).first(signature.state_count());
  };
  check(std::ranges::equal(state_of(own), state_of(other)), "program '", program.graph.name,
        "' cannot share the state of a session whose program has other state:\n", to_string(own), "and\n",
        to_string(other));
  const std::vector<bool> mine = is_never_updated(own), others = is_never_updated(other);
  for (size_t i = 0; i < mine.size(); ++i) {
    const TensorType& type = program.graph.value(program.graph.inputs[i]).type;
    const TensorType& there = graph.value(graph.inputs[i]).type;
    check(type == there, "program '", program.graph.name, "' cannot share the state of that session: '",
          own.inputs[i].target, "' is ", type, ", there ", there);
    check(mine[i] == others[i], "program '", program.graph.name, "' cannot share the state of that session: '",
          own.inputs[i].target, "' is updated by one of the two programs only");
  }
}

}  // namespace

ConstantKind constant_kind(const InputSpec& input) {
  switch (input.kind) {
    case InputKind::parameter: return ConstantKind::parameter;
    case InputKind::buffer: return input.persistent ? ConstantKind::buffer : ConstantKind::non_persistent_buffer;
    default: return ConstantKind::plain;
  }
}

std::vector<bool> is_never_updated(const ProgramSignature& signature) {
  std::vector<bool> out(signature.state_count(), true);
  for (const size_t target : targets_of_updates(signature))
    if (target < out.size()) out[target] = false;
  return out;
}

Graph bind_state(Graph graph, const ProgramSignature& signature, std::span<const Tensor> state,
                 const std::vector<bool>& bound) {
  std::vector<ValueId> inputs;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const ValueId id = graph.inputs[i];
    if (i >= bound.size() || !bound[i]) {
      inputs.push_back(id);
      continue;
    }
    graph.value(id).constant = state[i];
    graph.value(id).kind = constant_kind(signature.inputs[i]);
  }
  graph.inputs = std::move(inputs);
  return graph;
}

ProgramSession::ProgramSession(const ExportedProgram& program, const ProgramSessionOptions& options)
    : graph_(program.graph), signature_(program.signature), options_(options.session) {
  program.validate();
  check(options.session.intermediates.empty(), "program '", graph_.name,
        "': its sessions give no intermediate values; make a session of its graph");
  if (options.share_state_with)
    check_shares(program, options.share_state_with->signature_, options.share_state_with->graph_);
  state_ = options.share_state_with ? options.share_state_with->state_ : program.state->copy();
  bound_ = bound_inputs(program);
  for (size_t i = 0; i < bound_.size(); ++i)
    if (!bound_[i]) variables_.push_back(i);
  targets_ = targets_of_updates(signature_);
  const auto after = [](std::span<const ValueId> ids, size_t count) { return ids.subspan(count); };
  user_inputs_ = infos(graph_, after(graph_.inputs, signature_.state_count()));
  user_outputs_ = infos(graph_, after(graph_.outputs, targets_.size()));
  bind(ProgramState::Run(*state_));
}

void ProgramSession::bind(const ProgramState::Run& run) {
  std::vector<Tensor> tensors(bound_.size());
  for (size_t i = 0; i < bound_.size(); ++i)
    if (bound_[i]) tensors[i] = run.tensor(i).detach();
  session_ = Session(bind_state(graph_, signature_, tensors, bound_), options_);
  constants_ = std::move(tensors);
  loads_ = run.loads();
}

bool ProgramSession::is_bound_to(const ProgramState::Run& run) {
  if (run.loads() == loads_) return true;
  for (size_t i = 0; i < bound_.size(); ++i)
    if (bound_[i] && constants_[i].memory() != run.tensor(i).memory()) return false;
  loads_ = run.loads();
  return true;
}

std::vector<Tensor> ProgramSession::run(std::span<const Tensor> user_inputs, const RunOptions& options) {
  refuse_in_capture(graph_.name, signature_);
  check(user_inputs.size() == user_inputs_.size(), "model '", graph_.name, "' takes ", user_inputs_.size(),
        " inputs, got ", user_inputs.size());
  check_updated_inputs(graph_.name, signature_, targets_, user_inputs);
  ProgramState::Run run(*state_);
  if (!is_bound_to(run)) bind(run);
  std::vector<Tensor> inputs;
  for (const size_t i : variables_) inputs.push_back(run.tensor(i));
  inputs.insert(inputs.end(), user_inputs.begin(), user_inputs.end());

  const size_t states = bound_.size(), mutations = targets_.size();
  std::vector<Tensor> values(signature_.outputs.size());
  for (size_t i = 0; i < mutations; ++i)
    if (targets_[i] < states) values[i] = run.spare(targets_[i]);
  session_->run(inputs, values, options);

  const NoGrad none;
  for (size_t i = 0; i < mutations; ++i) {
    if (targets_[i] < states)
      run.replace(targets_[i], std::move(values[i]));
    else
      copy_(user_inputs[targets_[i] - states], values[i]);
  }
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(mutations));
  return values;
}

std::vector<Tensor> ProgramSession::run(std::span<const Feed> feeds, const RunOptions& options) {
  const InputContract contract(graph_.name, user_inputs_, std::vector<bool>(user_inputs_.size()), nullptr);
  return run(contract.in_order(feeds), options);
}

std::map<std::string, Tensor> ProgramSession::state_dict() const { return onemodel::state_dict(signature_, *state_); }

void ProgramSession::load_state_dict(const std::map<std::string, Tensor>& values) {
  onemodel::load_state_dict(graph_.name, signature_, *state_, values);
}

Graph onnx_graph(const ExportedProgram& program, const ProgramOnnxOptions& options) {
  program.validate();
  const std::vector<bool> never = is_never_updated(program.signature);
  Graph graph = bind_state(program.graph, program.signature, program.state->tensors(),
                           options.state_inputs ? never : std::vector<bool>(never.size(), true));
  if (!options.state_inputs) {
    std::vector<ValueId> outputs;
    for (size_t i = 0; i < graph.outputs.size(); ++i)
      if (!program.signature.outputs[i].is_mutation()) outputs.push_back(graph.outputs[i]);
    check(!outputs.empty(), "program '", graph.name,
          "' gives nothing but updates of its state: ask for state inputs and outputs");
    graph.outputs = std::move(outputs);
  }
  return graph;
}

void save_onnx(const ExportedProgram& program, const std::string& path, const ProgramOnnxOptions& options) {
  save_onnx(path, onnx_graph(program, options), options.external_from);
}

}  // namespace onemodel
