#pragma once
// Runs a program with the speed of a session: weights are constants, what is updated is kept between runs.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/exported_program.h"
#include "runtime/session.h"

namespace onemodel {

class ProgramSession;

struct ProgramSessionOptions {
  SessionOptions session = {};
  /// A session whose state runs read and replace; by default a copy of the program's, as it is now. Its program has the same
  /// state inputs and updates the same of them. What no output updates is bound as a constant when the session is made; a
  /// program for training binds no parameter.
  const ProgramSession* share_state_with = nullptr;
};

/// Thread-safe as Session is. A run that fails, or is cancelled, changes nothing.
class ProgramSession {
 public:
  /// Throws what Session throws, ModelError for a program that is not valid, ArgumentError for intermediates, and for a
  /// session to share with whose program has other state.
  explicit ProgramSession(const ExportedProgram& program, const ProgramSessionOptions& options = {});

  const std::vector<ValueInfo>& inputs() const { return user_inputs_; }
  const std::vector<ValueInfo>& outputs() const { return user_outputs_; }
  /// User inputs and outputs in their flat order. Afterwards the state has its new values, and updated elements of containers
  /// are written to the caller's tensors.
  std::vector<Tensor> run(std::span<const Tensor> user_inputs, const RunOptions& options = {});
  /// By name, in any order. Throws ArgumentError for a missing, unknown or repeated name.
  std::vector<Tensor> run(std::span<const Feed> feeds, const RunOptions& options = {});
  /// The state that runs read and replace.
  const std::shared_ptr<ProgramState>& state() const { return state_; }
  /// Copies of parameters and persistent buffers by path, as they are now.
  std::map<std::string, Tensor> state_dict() const;
  /// Replaces parameters and persistent buffers, at once, for this session and those that share its state; what is bound as a constant
  /// is bound anew at the next run. Throws ModelError as ExportedProgram::load_state_dict does, before anything is changed.
  void load_state_dict(const std::map<std::string, Tensor>& values);
  /// Not while another thread runs it.
  std::string describe() const { return session_->describe(); }

 private:
  bool is_bound_to(const ProgramState::Run& run);
  void bind(const ProgramState::Run& run);

  Graph graph_;  // of the program
  ProgramSignature signature_;
  SessionOptions options_;
  std::vector<bool> bound_;        // per state input
  std::vector<Tensor> constants_;  // those that are bound
  std::vector<size_t> variables_;  // state inputs that are inputs of the session
  std::vector<size_t> targets_;    // per update, the flat input
  size_t loads_ = 0;               // of the state, when that was looked at
  std::shared_ptr<ProgramState> state_;
  std::vector<ValueInfo> user_inputs_, user_outputs_;
  std::optional<Session> session_;
};

/// The graph of a program with this signature, with the state inputs in `bound` as constants, which take the values of `state`.
Graph bind_state(Graph graph, const ProgramSignature& signature, std::span<const Tensor> state,
                 const std::vector<bool>& bound);
/// What the constant that stands for a state input is.
ConstantKind constant_kind(const InputSpec& input);
/// Per state input, whether no output updates it.
std::vector<bool> is_never_updated(const ProgramSignature& signature);

struct ProgramOnnxOptions {
  /// Off: the state that is updated is a constant with its value of now, and no update is an output. On: it is an extra input,
  /// and its update an extra output, before the user's.
  bool state_inputs = false;
  /// For `save_onnx`: weights of at least so many bytes go to a file beside the model, as of `save_onnx` of a graph.
  std::optional<uint64_t> external_from = {};
};
/// The graph as ONNX files have it.
Graph onnx_graph(const ExportedProgram& program, const ProgramOnnxOptions& options = {});
/// Writes a .onnx file. Throws what write_onnx throws, and ArgumentError when the system refuses.
void save_onnx(const ExportedProgram& program, const std::string& path, const ProgramOnnxOptions& options = {});

}  // namespace onemodel
