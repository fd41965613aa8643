#pragma once
// Modules: parameters, buffers and submodules under PyTorch's names, with a forward function.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/constant_kind.h"
#include "core/tensor.h"

namespace onemodel::nn {

/// A tensor that a module owns: its path ("layers.0.weight") and what it is.
struct NamedTensor {
  std::string path;
  Tensor tensor;
  ConstantKind kind;
};

/// The base of all modules. Submodules run through `operator()`, which keeps the module path for errors and traces.
/// Not copyable: modules are shared by pointer.
class Module {
 public:
  Module() = default;
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The computation; shapes and errors are each module's.
  virtual std::vector<Tensor> forward(std::span<const Tensor> inputs) = 0;
  /// "Linear(in_features=1, out_features=1, bias=true)".
  virtual std::string describe() const = 0;

  std::vector<Tensor> operator()(std::span<const Tensor> inputs);
  /// For modules of one input and one output.
  Tensor operator()(const Tensor& input);

  bool training() const { return training_; }
  /// Sets the mode of this module and all below it.
  void train(bool mode = true);
  void eval() { train(false); }

  /// Parameters and buffers of this module and all below it, in order of registration, parents first; a shared tensor
  /// once. Paths are PyTorch's state-dict paths.
  std::vector<NamedTensor> named_tensors() const;
  std::vector<NamedTensor> named_parameters() const;
  std::vector<Tensor> parameters() const;
  /// Where the tensors registered in this module and all below it are held.
  std::vector<Tensor*> tensor_places();
  /// This module ("") and all below it, by path.
  std::vector<std::pair<std::string, Module*>> named_modules();
  /// Parameters and persistent buffers by path; the tensors are the module's own. A shared tensor is there under each
  /// of its paths.
  std::map<std::string, Tensor> state_dict() const;
  /// Copies `state` into the module's tensors. Throws ModelError listing every missing and unexpected path and every
  /// shape that differs, before anything is changed; with `strict` false, missing and unexpected paths are ignored.
  void load_state_dict(const std::map<std::string, Tensor>& state, bool strict = true);
  /// What `load_state_dict` would complain of, a line each; empty when nothing.
  std::string state_problems(const std::map<std::string, Tensor>& state, bool strict = true) const;
  void zero_grad() const;

 protected:
  /// Registration, from constructors. Throws ArgumentError for a name that is empty, has a dot or is taken. A parameter
  /// becomes a leaf that requires a gradient. The references stay valid.
  Tensor& register_parameter(std::string name, Tensor tensor);
  Tensor& register_buffer(std::string name, Tensor tensor, bool persistent = true);
  template <class M>
  std::shared_ptr<M> register_module(const std::string& name, std::shared_ptr<M> module) {
    add_module(name, module);
    return module;
  }
  void add_module(std::string name, std::shared_ptr<Module> module);
  /// What `run` gives for these inputs, as a call of this module: for entries beside `operator()`.
  std::vector<Tensor> called(std::span<const Tensor> inputs, const std::function<std::vector<Tensor>()>& run);
  /// A registered tensor by name.
  const Tensor& tensor(std::string_view name) const;

 private:
  struct Entry {
    Entry(std::string n, Tensor t, ConstantKind k) : name(std::move(n)), tensor(std::move(t)), kind(k) {}
    std::string name;
    Tensor tensor;
    ConstantKind kind;
  };
  void check_name(std::string_view name) const;
  Tensor& add_tensor(std::string name, Tensor tensor, ConstantKind kind);
  void collect(const std::string& prefix, std::vector<NamedTensor>& out) const;
  std::vector<std::unique_ptr<Entry>> tensors_;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> modules_;
  std::string name_;  // under which a parent first registered it
  bool training_ = true;
};

/// Throws ModelError "function: the state does not fit owner: …" when there are problems.
void check_state(std::string_view function, std::string_view owner, std::string_view problems);

}  // namespace onemodel::nn
