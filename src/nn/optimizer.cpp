#include "nn/optimizer.h"

#include <algorithm>
#include <set>

#include "eager/autograd.h"
#include "nn/module.h"

namespace onemodel::nn {
namespace {

std::string entry(size_t parameter, std::string_view name) { return concat("state.", parameter, '.', name); }

}  // namespace

Optimizer::Optimizer(std::vector<Tensor> parameters, std::span<const std::string_view> slots)
    : parameters_(std::move(parameters)), states_(parameters_.size()), slots_(slots) {
  check(!parameters_.empty(), "optimizer: there are no parameters");
  for (size_t i = 0; i < parameters_.size(); ++i) {
    check(parameters_[i].defined(), "optimizer: parameter ", i, " is undefined");
    const DType dtype = parameters_[i].dtype();
    check<DTypeError>(dtype == DType::f32 || dtype == DType::f64, "optimizer: parameter ", i,
                      " must be float32 or float64, got ", dtype);
  }
}

void Optimizer::step() {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor& parameter = parameters_[i];
    const Tensor gradient = grad(parameter);
    if (!gradient.defined()) continue;
    State& state = states_[i];
    if (state.slots.empty())
      for (size_t s = 0; s < slots_.size(); ++s)
        state.slots.push_back(Tensor::zeros(parameter.dims(), parameter.dtype()));
    ++state.step;
    const Tensor values = parameter.detach().contiguous();
    update({values, gradient.detach().contiguous(), state.slots, state.step});
    if (values.storage() != parameter.storage()) Tensor(parameter).copy_from(values);
  }
}

void Optimizer::zero_grad() const {
  for (const Tensor& parameter : parameters_) onemodel::zero_grad(parameter);
}

std::map<std::string, Tensor> Optimizer::state_dict() const {
  std::map<std::string, Tensor> out = {{"lr", Tensor::scalar(learning_rate())}};
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].step == 0) continue;
    out[entry(i, "step")] = Tensor::scalar(states_[i].step);
    for (size_t s = 0; s < slots_.size(); ++s) out[entry(i, slots_[s])] = states_[i].slots[s].clone();
  }
  return out;
}

std::string Optimizer::state_problems(const std::map<std::string, Tensor>& state) const {
  std::string missing, unexpected, shapes;
  const auto expect = [&](const std::string& name, const Dims& dims) {
    const auto found = state.find(name);
    if (found == state.end()) {
      missing += concat("\n  missing: ", name);
      return;
    }
    if (found->second.dims() != dims)
      shapes += concat("\n  shape of ", name, ": expected ", dims, ", got ", found->second.dims());
  };
  std::set<std::string> names = {"lr"};
  expect("lr", {});
  for (size_t i = 0; i < parameters_.size(); ++i) {
    std::vector<std::string> entries = {entry(i, "step")};
    for (const std::string_view slot : slots_) entries.push_back(entry(i, slot));
    const auto given = [&](const std::string& name) { return state.contains(name); };
    if (std::none_of(entries.begin(), entries.end(), given)) continue;  // never updated
    expect(entries[0], {});
    for (size_t s = 1; s < entries.size(); ++s) expect(entries[s], parameters_[i].dims());
    names.insert(entries.begin(), entries.end());
  }
  for (const auto& [name, tensor] : state)
    if (!names.contains(name)) unexpected += concat("\n  unexpected: ", name);
  return missing + unexpected + shapes;
}

void Optimizer::load_state_dict(const std::map<std::string, Tensor>& state) {
  check_state("load_state_dict", describe(), state_problems(state));
  set_learning_rate(state.at("lr").item<double>());
  for (size_t i = 0; i < states_.size(); ++i) {
    states_[i] = {};
    const auto step = state.find(entry(i, "step"));
    if (step == state.end()) continue;
    states_[i].step = step->second.item<int64_t>();
    for (const std::string_view slot : slots_)
      states_[i].slots.push_back(state.at(entry(i, slot)).cast(parameters_[i].dtype()));
  }
}

}  // namespace onemodel::nn
