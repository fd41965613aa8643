#include "nn/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/write_watch.h"
#include "eager/autograd.h"
#include "eager/recording.h"
#include "nn/module.h"

namespace onemodel::nn {
namespace {

using Options = std::vector<std::optional<AttributeValue>>;

std::string entry(size_t parameter, std::string_view name) { return concat("state.", parameter, '.', name); }
std::string group_entry(size_t group, std::string_view name) { return concat("param_groups.", group, '.', name); }

Tensor pack(const FieldInfo& field, const AttributeValue& value) {
  if (const auto* reals = std::get_if<std::vector<double>>(&value))
    return Tensor::from(std::span<const double>(*reals), {static_cast<int64_t>(reals->size())});
  if (const auto* real = std::get_if<double>(&value)) return Tensor::scalar(*real);
  const auto integer = std::get<int64_t>(value);
  return field.kind == AttributeKind::boolean ? Tensor::scalar(integer != 0) : Tensor::scalar(integer);
}

AttributeValue unpack(const FieldInfo& field, const Tensor& tensor) {
  if (field.kind == AttributeKind::reals) return tensor.cast(DType::f64).to_vector<double>();
  if (field.kind == AttributeKind::real) return tensor.cast(DType::f64).item<double>();
  return tensor.cast(DType::i64).item<int64_t>();
}

// The options of a group in a state, where each is there and has the shape of `own`.
Options options_in(const std::map<std::string, Tensor>& state, size_t group, std::span<const FieldInfo> fields,
                   const Options& own) {
  Options out(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto found = state.find(group_entry(group, fields[i].name));
    if (own[i] && found != state.end() && found->second.dims() == pack(fields[i], *own[i]).dims() &&
        found->second.dtype() != DType::string)
      out[i] = unpack(fields[i], found->second);
  }
  return out;
}

// What a state has beside what is expected of it.
class Expectation {
 public:
  explicit Expectation(const std::map<std::string, Tensor>& state) : state_(state) {}
  /// The tensor, where it is there and fits.
  Tensor entry(const std::string& name, const Dims& dims) {
    names_.insert(name);
    const auto found = state_.find(name);
    if (found == state_.end())
      missing_ += concat("\n  missing: ", name);
    else if (found->second.dims() != dims)
      shapes_ += concat("\n  shape of ", name, ": expected ", dims, ", got ", found->second.dims());
    else if (found->second.dtype() == DType::string)
      shapes_ += concat("\n  ", name, ": expected numbers, got ", found->second);
    else
      return found->second;
    return {};
  }
  /// Numbers that must be `numbers`.
  void numbers(const std::string& name, std::span<const int64_t> numbers) {
    const Tensor wanted = Tensor::from_ints(numbers), found = entry(name, wanted.dims());
    if (found.defined() && !std::ranges::equal(found.cast(DType::i64).to_vector<int64_t>(), numbers))
      shapes_ += concat("\n  ", name, ": expected ", to_string(wanted), ", got ", to_string(found));
  }
  /// How many steps a parameter has seen.
  void step(const std::string& name) {
    const Tensor found = entry(name, Dims());
    if (!found.defined()) return;
    const auto steps = found.cast(DType::f64).item<double>();
    if (steps < 1 || steps != std::trunc(steps) || steps > 0x1p53)
      shapes_ += concat("\n  ", name, ": expected a whole number of 1 or more, got ", steps);
  }
  bool has(const std::string& name) const { return state_.contains(name); }
  std::string problems() const {
    std::string unexpected;
    for (const auto& [name, tensor] : state_)
      if (!names_.contains(name)) unexpected += concat("\n  unexpected: ", name);
    return missing_ + unexpected + shapes_;
  }

 private:
  const std::map<std::string, Tensor>& state_;
  std::set<std::string> names_;
  std::string missing_, shapes_;
};

}  // namespace

void Optimizer::check_rate(std::string_view who, double rate) {
  check(rate >= 0 && std::isfinite(rate), who, ": lr must not be negative or infinite, got ", rate);
}

void Optimizer::refuse_traced_change(std::string_view who) {
  check_untraced(who, "its options and state are no part of the graph; change them outside of the trace");
}

void Optimizer::check_new(const std::vector<Tensor>& parameters) const {
  check(!parameters.empty(), name(), ": there are no parameters");
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& parameter = parameters[i];
    check(parameter.defined(), name(), ": parameter ", i, " is undefined");
    const DType dtype = parameter.dtype();
    check<DTypeError>(dtype == DType::f32 || dtype == DType::f64, name(), ": parameter ", i,
                      " must be float32 or float64, got ", dtype);
    check_distinct(parameter, name());
    const TensorState* state = state_of(parameter);
    check<GradientError>(!state || !state->record, name(), ": parameter ", i,
                         " was computed by an operator: only leaves have gradients to follow");
    const auto is_it = [&](const Tensor& other) { return same(other, parameter); };
    bool is_known = std::any_of(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(i), is_it);
    for (const Group& group : groups_) is_known |= std::ranges::any_of(group.parameters, is_it);
    check(!is_known, name(), ": parameter ", i, " of group ", groups_.size(), " is there already");
  }
}

void Optimizer::append_group(std::vector<Tensor> parameters) {
  check_new(parameters);
  const size_t first = groups_.empty() ? 0 : groups_.back().first + groups_.back().parameters.size();
  std::vector<State> states(parameters.size());
  groups_.push_back({std::move(parameters), std::move(states), first});
}

std::optional<AttributeValue> Optimizer::option(size_t group, std::string_view name) const {
  const auto fields = option_fields();
  const auto found = std::ranges::find(fields, name, &FieldInfo::name);
  if (found == fields.end()) return {};
  return option_values(group)[static_cast<size_t>(found - fields.begin())];
}

void Optimizer::set_option(size_t group, std::string_view name, const AttributeValue& value) {
  const auto fields = option_fields();
  const auto found = std::ranges::find(fields, name, &FieldInfo::name);
  check(found != fields.end(), this->name(), " has no option '", name, "'");
  check(group < group_count(), this->name(), " has ", group_count(), " groups, not ", group + 1);
  Options values(fields.size());
  values[static_cast<size_t>(found - fields.begin())] = value;
  set_option_values(group, values);
}

void Optimizer::set_learning_rate(double rate) {
  for (size_t g = 0; g < groups_.size(); ++g) set_learning_rate(g, rate);
}

Optimizer::Due Optimizer::due(size_t group, size_t i) {
  const Tensor& parameter = groups_[group].parameters[i];
  before_write(parameter, name());
  Due out = {.group = group, .parameter = parameter, .state = groups_[group].states[i]};
  const Slots names = slots(group);
  out.is_first = !std::ranges::equal(names, out.state.names);  // also where options changed what is kept
  if (!out.is_first) return out;
  for (size_t s = 0; s < names.size(); ++s) out.fresh.push_back(Tensor::zeros(parameter.dims(), parameter.dtype()));
  return out;
}

void Optimizer::step_parameter(Due& due) {
  const Tensor values = due.parameter.detach().contiguous(), gradient = grad(due.parameter).detach().contiguous();
  if (due.is_first) {
    const Slots names = slots(due.group);
    due.state.names.assign(names.begin(), names.end());
    due.state.slots = std::move(due.fresh);
  }
  update(due.group, {values, gradient, due.state.slots, ++due.state.step, due.is_first});
  if (values.memory() != due.parameter.memory()) due.parameter.copy_from(values);
}

void Optimizer::step() {
  std::vector<Due> all;  // what needs memory comes before the first change
  for (size_t g = 0; g < groups_.size(); ++g)
    for (size_t i = 0; i < groups_[g].parameters.size(); ++i)
      if (grad(groups_[g].parameters[i]).defined()) all.push_back(due(g, i));
  for (Due& each : all) step_parameter(each);
}

void Optimizer::zero_grad() const {
  for (const Group& group : groups_)
    for (const Tensor& parameter : group.parameters) onemodel::zero_grad(parameter);
}

std::vector<int64_t> Optimizer::numbers_of(const Group& group) {
  std::vector<int64_t> out(group.parameters.size());
  std::iota(out.begin(), out.end(), static_cast<int64_t>(group.first));
  return out;
}

std::map<std::string, Tensor> Optimizer::state_dict() const {
  std::map<std::string, Tensor> out;
  const auto fields = option_fields();
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Options options = option_values(g);
    for (size_t i = 0; i < fields.size(); ++i)
      if (options[i]) out[group_entry(g, fields[i].name)] = pack(fields[i], *options[i]);
    for (size_t i = 0; i < group.parameters.size(); ++i) {
      const size_t number = group.first + i;
      const State& state = group.states[i];
      if (state.step == 0) continue;
      out[entry(number, "step")] = Tensor::scalar(state.step);
      for (size_t s = 0; s < state.names.size(); ++s) out[entry(number, state.names[s])] = state.slots[s].clone();
    }
    out[group_entry(g, "params")] = Tensor::from_ints(numbers_of(group));
  }
  return out;
}

std::string Optimizer::state_problems(const std::map<std::string, Tensor>& state) const {
  Expectation expected(state);
  std::string refused;
  const auto fields = option_fields();
  for (size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Options own = option_values(g);
    for (size_t i = 0; i < fields.size(); ++i)
      if (own[i]) expected.entry(group_entry(g, fields[i].name), pack(fields[i], *own[i]).dims());
    expected.numbers(group_entry(g, "params"), numbers_of(group));
    try {
      check_option_values(g, options_in(state, g, fields, own));
    } catch (const ArgumentError& error) {
      refused += concat("\n  ", error.what());
    }
    for (size_t i = 0; i < group.parameters.size(); ++i) {
      std::vector<std::string> entries = {entry(group.first + i, "step")};
      for (const std::string_view slot : all_slots()) entries.push_back(entry(group.first + i, slot));
      if (std::ranges::none_of(entries, [&](const std::string& name) { return expected.has(name); })) continue;
      expected.step(entries[0]);  // updated before
      for (size_t s = 1; s < entries.size(); ++s)
        if (expected.has(entries[s]) || std::ranges::count(least_slots(), all_slots()[s - 1]))
          expected.entry(entries[s], group.parameters[i].dims());
    }
  }
  return expected.problems() + refused;
}

void Optimizer::load_state_dict(const std::map<std::string, Tensor>& state) {
  check_state("load_state_dict", describe(), state_problems(state));
  refuse_traced_change(name());
  std::vector<std::vector<State>> states;  // what needs memory comes before the first change
  for (const Group& group : groups_) {
    std::vector<State>& of_group = states.emplace_back(group.parameters.size());
    for (size_t i = 0; i < group.parameters.size(); ++i) {
      const size_t number = group.first + i;
      const auto step = state.find(entry(number, "step"));
      if (step == state.end()) continue;
      of_group[i].step = step->second.cast(DType::i64).item<int64_t>();
      for (const std::string_view slot : all_slots()) {
        const auto found = state.find(entry(number, slot));
        if (found == state.end()) continue;
        of_group[i].slots.push_back(found->second.cast(group.parameters[i].dtype()));
        of_group[i].names.push_back(slot);
      }
    }
  }
  for (size_t g = 0; g < groups_.size(); ++g) {
    set_option_values(g, options_in(state, g, option_fields(), option_values(g)));
    groups_[g].states = std::move(states[g]);
  }
}

}  // namespace onemodel::nn
