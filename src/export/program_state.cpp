#include "export/program_state.h"

namespace onemodel {

std::shared_ptr<ProgramState> ProgramState::copy() const { return std::make_shared<ProgramState>(tensors()); }

// Handles of their own: memory that a caller holds is not used again.
std::vector<Tensor> ProgramState::tensors() const {
  const std::lock_guard lock(mutex_);
  std::vector<Tensor> out;
  for (const Tensor& tensor : tensors_) out.push_back(tensor.detach());
  return out;
}

Tensor ProgramState::tensor(size_t i) const {
  const std::lock_guard lock(mutex_);
  return tensors_[i].detach();
}

void ProgramState::set(size_t i, const Tensor& tensor) {
  const Tensor before = this->tensor(i);
  check<DTypeError>(tensor.dtype() == before.dtype(), "state: expected ", before, ", got ", tensor);
  check<ShapeError>(tensor.dims() == before.dims(), "state: expected ", before, ", got ", tensor);
  replace({{i, tensor.clone()}});
}

void ProgramState::replace(std::map<size_t, Tensor> tensors) {
  const std::lock_guard lock(mutex_);
  for (auto& entry : tensors) {
    tensors_[entry.first] = std::move(entry.second);
    if (!made_here_.empty()) made_here_[entry.first] = false;
  }
  ++loads_;
}

Tensor ProgramState::Run::spare(size_t i) const {
  if (i >= state_.spares_.size()) return {};
  const Tensor& spare = state_.spares_[i];
  return spare.defined() && spare.memory().use_count() == 1 ? spare : Tensor();
}

void ProgramState::Run::replace(size_t i, Tensor tensor) {
  state_.spares_.resize(state_.tensors_.size());
  state_.made_here_.resize(state_.tensors_.size());
  state_.spares_[i] = state_.made_here_[i] ? std::move(state_.tensors_[i]) : Tensor();
  state_.tensors_[i] = std::move(tensor);
  state_.made_here_[i] = true;
}

}  // namespace onemodel
