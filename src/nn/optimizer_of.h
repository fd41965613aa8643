#pragma once
// The base of optimizers whose options are data.

#include <utility>

#include "nn/optimizer.h"
#include "nn/options.h"

namespace onemodel::nn {

/// Parameters with options of their own.
template <class O>
struct ParameterGroup {
  std::vector<Tensor> parameters;
  O options = {};
};

/// `M` has `kName`, `kDoc`, `kSlots` (all that options may ask for), and the static functions `void check_options(const O&)`, `Slots slots_for(const O&)` and
/// `void advance(const O&, const Update&)`; `O` is a struct with `fields()` in PyTorch's order, of which "lr" is the first.
template <class M, class O>
class OptimizerOf : public Optimizer {
 public:
  using Options = O;
  using Group = ParameterGroup<O>;
  /// One group. Throws as `add_group`.
  explicit OptimizerOf(std::vector<Tensor> parameters, const O& options = {}) { add(std::move(parameters), options); }
  /// Throws as `add_group`, and ArgumentError for no groups.
  explicit OptimizerOf(std::vector<Group> groups) {
    check(!groups.empty(), M::kName, ": there are no parameter groups");
    for (Group& group : groups) add(std::move(group.parameters), group.options);
  }

  const O& options(size_t group = 0) const { return options_.at(group); }
  void add_group(std::vector<Tensor> parameters, Values given) final {
    add(std::move(parameters), from_values<O>(M::kName, given));
  }
  std::span<const FieldInfo> option_fields() const final {
    static const std::vector<FieldInfo> fields = field_infos<O>();
    return fields;
  }
  std::vector<std::optional<AttributeValue>> option_values(size_t group) const final {
    std::vector<std::optional<AttributeValue>> out;
    for (size_t i = 0; i < option_fields().size(); ++i) out.push_back(field_value(options_.at(group), i));
    return out;
  }
  void check_option_values(size_t group, Values values) const final { changed(group, values); }
  void set_option_values(size_t group, Values values) final {
    refuse_traced_change(M::kName);
    options_.at(group) = changed(group, values);
  }
  double learning_rate(size_t group = 0) const final { return options_.at(group).lr; }
  std::string describe() const final {
    std::string out = describe_options(M::kName, options_.front());
    for (size_t i = 1; i < options_.size(); ++i) out += concat(", ", describe_options("", options_[i]));
    return out;
  }

 private:
  void add(std::vector<Tensor> parameters, const O& options) {
    M::check_options(options);
    append_group(std::move(parameters));
    options_.push_back(options);
  }
  O changed(size_t group, Values values) const {
    std::vector<std::optional<AttributeValue>> all = option_values(group);
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i]) all.at(i) = values[i];
    O out = from_values<O>(M::kName, all);
    M::check_options(out);
    return out;
  }
  std::string_view name() const final { return M::kName; }
  Slots slots(size_t group) const final { return M::slots_for(options_[group]); }
  Slots all_slots() const final { return M::kSlots; }
  Slots least_slots() const final { return M::slots_for({}); }
  void update(size_t group, const Update& update) final { M::advance(options_[group], update); }
  std::vector<O> options_;
};

}  // namespace onemodel::nn
