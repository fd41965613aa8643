#pragma once
// Optimizers update parameters from their gradients, by PyTorch's formulas and names.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "ops/attribute.h"

namespace onemodel::nn {

/// The base of all optimizers: groups of parameters, each group with options of its own. Parameters without a gradient
/// are left alone. Updates are the same bits everywhere.
class Optimizer {
 public:
  /// Options in the order of `option_fields`; nothing keeps what there is.
  using Values = std::span<const std::optional<AttributeValue>>;
  /// Names of the tensors kept for each parameter ("exp_avg"), in static storage.
  using Slots = std::span<const std::string_view>;
  Optimizer() = default;
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// One update of every parameter from its gradient. While tracing, what changes parameters that were there before throws
  /// TraceError(InPlaceMutation), what changes gradients, options or state TraceError(UnsupportedOperation).
  void step();
  void zero_grad() const;
  /// "Adam(lr=0.1, …)", with further groups after it: ", (lr=0.01, …)".
  virtual std::string describe() const = 0;

  size_t group_count() const { return groups_.size(); }
  std::span<const Tensor> parameters(size_t group) const { return groups_.at(group).parameters; }
  /// The options that each group has; "lr" is the first.
  virtual std::span<const FieldInfo> option_fields() const = 0;
  /// The options of a group, in the order of `option_fields`.
  virtual std::vector<std::optional<AttributeValue>> option_values(size_t group) const = 0;
  /// Throws as `set_option_values`, and changes nothing.
  virtual void check_option_values(size_t group, Values values) const = 0;
  /// Changes those options of a group that are given. Throws ArgumentError for one that is out of range, before any is
  /// changed.
  virtual void set_option_values(size_t group, Values values) = 0;
  /// An option by name; nothing when there is none of that name.
  std::optional<AttributeValue> option(size_t group, std::string_view name) const;
  void set_option(size_t group, std::string_view name, const AttributeValue& value);
  virtual double learning_rate(size_t group = 0) const = 0;
  /// Of one group, or of all.
  void set_learning_rate(size_t group, double rate) { set_option(group, "lr", rate); }
  void set_learning_rate(double rate);

  /// Adds a group, as PyTorch's add_param_group; options that are not given have their defaults. Errors: ArgumentError
  /// for no parameters, an undefined one, one that is there already and options out of range; DTypeError unless all are
  /// float32 or float64; GradientError for a result of a recorded operator.
  virtual void add_group(std::vector<Tensor> parameters, Values given) = 0;

  /// Everything a resumed run needs besides the parameters, as copies. For each group its options
  /// ("param_groups.0.lr", a float64 scalar; lists are float64 [n], truth values bool) and the numbers of its
  /// parameters ("param_groups.0.params", int64 [n]); for each parameter that was updated "state.0.step" (an int64
  /// scalar) and what else the optimizer keeps ("state.0.exp_avg"), of the parameter's shape.
  std::map<std::string, Tensor> state_dict() const;
  /// Throws ModelError naming each missing or unexpected entry, each wrong shape, other numbers of parameters, counts of
  /// steps that are none and options out of range, before anything is changed.
  void load_state_dict(const std::map<std::string, Tensor>& state);
  /// What `load_state_dict` would complain of; empty when nothing.
  std::string state_problems(const std::map<std::string, Tensor>& state) const;

 protected:
  /// Throws ArgumentError unless it is a finite number of 0 or more.
  static void check_rate(std::string_view who, double rate);
  static void refuse_traced_change(std::string_view who);
  /// Contiguous tensors of one parameter; the slots are zero when `is_first`.
  struct Update {
    const Tensor& parameter;
    const Tensor& gradient;
    std::span<const Tensor> slots;
    int64_t step;   // 1 at the first
    bool is_first;  // whether the slots are new
  };
  virtual std::string_view name() const = 0;
  virtual Slots slots(size_t group) const = 0;
  /// The slots of all options, and those that no options leave out: a state has what the options of its last step asked for.
  virtual Slots all_slots() const = 0;
  virtual Slots least_slots() const = 0;
  virtual void update(size_t group, const Update& update) = 0;
  void append_group(std::vector<Tensor> parameters);

 private:
  struct State {
    int64_t step = 0;
    std::vector<std::string_view> names;
    std::vector<Tensor> slots;  // empty until the first step
  };
  struct Group {
    std::vector<Tensor> parameters;
    std::vector<State> states;
    size_t first;  // the number of its first parameter
  };
  static std::vector<int64_t> numbers_of(const Group& group);
  void check_new(const std::vector<Tensor>& parameters) const;
  /// One parameter that a step changes, with the slots that it does not have yet.
  struct Due {
    size_t group;
    Tensor parameter;
    State& state;
    bool is_first = false;
    std::vector<Tensor> fresh = {};
  };
  Due due(size_t group, size_t i);
  void step_parameter(Due& due);
  std::vector<Group> groups_;
};

}  // namespace onemodel::nn
