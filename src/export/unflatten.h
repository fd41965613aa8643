#pragma once
// Modules that run a program: one flat module, or the tree that it was exported from.

#include <map>
#include <memory>
#include <span>
#include <string>

#include "export/call_plan.h"
#include "nn/module.h"

namespace onemodel {

/// A module that can take the place of another and be called as that was: with nested arguments where the call's form was preserved.
class StructuredModule : public nn::Module {
 public:
  /// Arguments and result in the form that was preserved, where a tensor that the program has not is nothing; else the tensors
  /// that were recorded.
  virtual Argument call(std::span<const Argument> arguments) = 0;
  /// Whether a capture learns of its calls from somebody else.
  virtual bool tells_calls() const { return false; }
  using nn::Module::called;
  /// The same for tensors.
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
};

/// A module of such a tree. It has the parameters and buffers of its path, copies of the program's, and a body for each call that
/// was recorded. It runs eagerly, so that gradients, errors and traces are those of any module.
class ProgramModule final : public StructuredModule {
 public:
  ProgramModule(std::shared_ptr<const CallPlan> plan, std::string path);

  /// The root: user inputs and user outputs of the program; buffers and container elements are updated at the end. Another
  /// module: its first call; arguments that only crossed its boundary come last. Throws ArgumentError for another number of
  /// inputs, and for a module that was never called; the root throws ConstraintsError for inputs that the program does not take.
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  /// As `forward`, with arguments and result in the form that they had in the first call, where that was preserved; without the
  /// values that only crossed its boundary outwards.
  Argument call(std::span<const Argument> arguments) override;
  std::string describe() const override;
  /// How many calls were recorded.
  size_t call_count() const { return calls_.size(); }
  /// The module at `path` below this one; null when there is none.
  nn::Module* find(std::string_view path);

 private:
  friend class TreeBuilder;
  using Values = std::map<ValueId, Tensor>;
  std::vector<Tensor> run_call(size_t call, std::span<const Tensor> inputs) const;
  std::vector<Tensor> run_told(size_t call, std::span<const Tensor> inputs);
  void run_steps(const CallBody& body, Values& values) const;
  std::vector<Tensor> run_inner(size_t call, std::span<const Tensor> inputs) const;
  std::vector<Tensor> run_root(std::span<const Tensor> inputs);

  std::shared_ptr<const CallPlan> plan_;
  std::string path_;
  std::vector<size_t> calls_;                                // of this path
  std::map<size_t, Tensor> state_;                           // by state input: its own, the root's all
  std::map<std::string, std::weak_ptr<nn::Module>> called_;  // modules of the tree by path
};

/// A module with the whole program as its own body. Parameters require gradients when the program is for
/// training, but those that were frozen.
std::shared_ptr<ProgramModule> program_module(const ExportedProgram& program);

/// The module tree that the program's call records tell; a program without records gives a flat module. A module that was called
/// several times is one module. `replacements` take the place of modules by path: they get what was recorded as arguments
/// and give as many results, a StructuredModule in the form that they had. Throws ArgumentError for a path that was not called, and for one whose other values, or whose
/// state, are used outside of it.
std::shared_ptr<ProgramModule> unflatten(const ExportedProgram& program,
                                         const std::map<std::string, std::shared_ptr<nn::Module>>& replacements = {});

}  // namespace onemodel
