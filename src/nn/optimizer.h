#pragma once
// Optimizers update parameters from their gradients, by PyTorch's formulas and names.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel::nn {

/// The base of all optimizers. Parameters without a gradient are left alone. Updates are the same bits everywhere.
class Optimizer {
 public:
  /// `slots` names the tensors kept for each parameter ("exp_avg"), of its shape and dtype; the names outlive the
  /// optimizer. Throws ArgumentError for no parameters or an undefined one, DTypeError unless all are float32 or
  /// float64.
  Optimizer(std::vector<Tensor> parameters, std::span<const std::string_view> slots);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// One update of every parameter from its gradient.
  void step();
  void zero_grad() const;
  virtual double learning_rate() const = 0;
  virtual void set_learning_rate(double rate) = 0;
  virtual std::string describe() const = 0;

  /// Everything a resumed run needs besides the parameters: "lr" (a float64 scalar), and for each parameter that was
  /// updated "state.0.step" (an int64 scalar) and "state.0.SLOT". The tensors are copies.
  std::map<std::string, Tensor> state_dict() const;
  /// Throws ModelError naming each missing or unexpected entry and each wrong shape, before anything is changed.
  void load_state_dict(const std::map<std::string, Tensor>& state);
  /// What `load_state_dict` would complain of; empty when nothing.
  std::string state_problems(const std::map<std::string, Tensor>& state) const;

 protected:
  /// Contiguous tensors of one parameter; the slots are zero before the first step.
  struct Update {
    const Tensor& parameter;
    const Tensor& gradient;
    std::span<const Tensor> slots;
    int64_t step;  // 1 at the first
  };
  virtual void update(const Update& update) = 0;

 private:
  struct State {
    int64_t step = 0;
    std::vector<Tensor> slots;  // empty until the first step
  };
  std::vector<Tensor> parameters_;
  std::vector<State> states_;
  std::span<const std::string_view> slots_;
};

}  // namespace onemodel::nn
