#pragma once
// The tensors that a program's runs read and replace.

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "export/signature.h"

namespace onemodel {

/// One tensor per state input of a program, in that order. A run replaces tensors and never writes to them, so that copies of
/// a state share memory until one of them runs. Thread-safe: a run holds the lock, so runs on one state wait for each other.
class ProgramState {
 public:
  explicit ProgramState(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}

  /// A state of its own with the same tensors.
  std::shared_ptr<ProgramState> copy() const;
  std::vector<Tensor> tensors() const;
  Tensor tensor(size_t i) const;
  /// Replaces one. Throws DTypeError or ShapeError unless it has the type of the one before.
  void set(size_t i, const Tensor& tensor);
  /// Replaces some, by index, at once. They have the types of those before, and belong to nobody else.
  void replace(std::map<size_t, Tensor> tensors);

  /// The state during one run.
  class Run {
   public:
    explicit Run(ProgramState& state) : state_(state), lock_(state.mutex_) {}
    const Tensor& tensor(size_t i) const { return state_.tensors_[i]; }
    /// Memory that an earlier run used for tensor `i` and nobody else holds; undefined when there is none.
    Tensor spare(size_t i) const;
    /// How often tensors were replaced from outside of runs.
    size_t loads() const { return state_.loads_; }
    /// Replaces tensor `i`; call it once the whole run has succeeded.
    void replace(size_t i, Tensor tensor);

   private:
    ProgramState& state_;
    std::unique_lock<std::mutex> lock_;
  };

 private:
  mutable std::mutex mutex_;
  std::vector<Tensor> tensors_;
  std::vector<Tensor> spares_;   // by index; what a run made, and another replaced
  std::vector<bool> made_here_;  // tensors_[i] came from a run on this state
  size_t loads_ = 0;
};

}  // namespace onemodel
