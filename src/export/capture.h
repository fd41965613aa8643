#pragma once
// Records a run of a model with its state lifted to inputs and its in-place updates as new values.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/generator.h"
#include "eager/call_log.h"
#include "eager/functional_trace.h"
#include "export/module_calls.h"
#include "export/signature.h"
#include "nn/module.h"
#include "trace/tracer.h"

namespace onemodel {

/// What a capture gives: the graph takes state and user inputs and gives updates and user outputs, as the signature says.
struct Captured {
  Graph graph;
  ProgramSignature signature;
  std::vector<ModuleCall> calls;
  std::vector<std::string> warnings;
};

/// A recording on the calling thread, from construction until its end. The model runs on its own tensors, which are traced
/// meanwhile, and on those that `input` returns; nothing is written to them. At its end, also by an exception, tensors,
/// their gradients and the process's generators are as they were.
///
/// Errors are TraceError as in docs/tracing.md: updates of whole inputs and of constants are InPlaceMutation.
class Capture {
 public:
  /// `state` in the order of the flat inputs: parameters, buffers, and constants (kind plain). Tensors that are the same view of
  /// one memory are one state, under the first path; the others are its aliases. `module_paths`: as for CallLog.
  explicit Capture(std::span<const nn::NamedTensor> state, std::map<const void*, std::string> module_paths = {});
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// A user input with the values of `example` and its sizes, some of them symbols. The model may update an element of a
  /// container (`is_element`), but no whole argument.
  Tensor input(std::string_view name, const Tensor& example, const Shape& shape, bool is_element);
  /// The module calls of this run.
  CallLog& log() { return log_; }
  /// Makes the program of what the model gave. `names` are those of the user outputs; a number makes taken ones unique.
  /// Throws TraceError(InvalidUsage) for an output that depends on no input and no state.
  Captured finish(std::span<const Tensor> outputs, std::span<const std::string> names);
  /// What the run gave for the graph's outputs, once finished, and the state tensors: without a history.
  const std::vector<Tensor>& plain_outputs() const { return outputs_; }
  std::vector<Tensor> plain_state() const;

 private:
  struct Lifted {
    InputSpec spec;
    Tensor tensor;
    const TensorExtension* state;  // while it is traced
  };
  struct Saved {
    Tensor tensor;
    std::shared_ptr<TensorExtension> extension;
  };
  void lift(const nn::NamedTensor& named);
  void add(InputSpec spec, const Tensor& tensor);
  void restore();
  std::vector<TraceInput> graph_inputs() const;
  void add_mutations(Captured& out, std::vector<Tensor>& values) const;

  Generator::State generator_, seeds_;
  Tracer tracer_ = Tracer::begin();
  std::optional<FunctionalTrace> functional_;
  CallLog log_;
  std::vector<Saved> saved_;
  std::vector<Lifted> lifted_;   // state, then user inputs
  std::vector<Tensor> outputs_;  // of the graph
};

/// `named_tensors` of a module in the order of flat inputs: per module its parameters, then its buffers. Last the other paths of
/// tied ones.
std::vector<nn::NamedTensor> state_of_module(const nn::Module& module);
/// The path of each module by its address; a shared one has its first path.
std::map<const void*, std::string> module_paths(nn::Module& module);

}  // namespace onemodel
