#include "export/state_dict.h"

#include <cstring>

#include "export/same_view.h"

namespace onemodel {
namespace {

// Bit by bit; both have one type.
bool is_equal(const Tensor& a, const Tensor& b) {
  if (is_same_view(a, b)) return true;
  if (a.dtype() == DType::string) return a.to_vector<std::string>() == b.to_vector<std::string>();
  return a.numel() == 0 || std::memcmp(a.contiguous().raw(), b.contiguous().raw(), a.bytes()) == 0;
}

bool is_in_dict(const InputSpec& input) {
  return input.is_state() && input.kind != InputKind::constant && input.persistent;
}

}  // namespace

std::map<std::string, Tensor> state_dict(const ProgramSignature& signature, const ProgramState& state) {
  const std::vector<Tensor> tensors = state.tensors();
  std::map<std::string, Tensor> out;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (is_in_dict(signature.inputs[i]))
      for (const std::string& path : signature.inputs[i].paths()) out.emplace(path, tensors[i].clone());
  return out;
}

void load_state_dict(std::string_view program, const ProgramSignature& signature, ProgramState& state,
                     const std::map<std::string, Tensor>& values) {
  const std::vector<Tensor> own = state.tensors();
  std::map<size_t, Tensor> next;
  std::map<std::string, Tensor> unknown = values;
  std::string problems;
  for (size_t i = 0; i < own.size(); ++i) {
    if (!is_in_dict(signature.inputs[i])) continue;
    auto first = values.end();
    bool is_known = false;
    for (const std::string& path : signature.inputs[i].paths()) {
      const auto found = values.find(path);
      if (found == values.end()) continue;
      if (found->second.dims() != own[i].dims() || found->second.dtype() != own[i].dtype())
        problems += concat("\n  ", path, ": expected ", own[i], ", got ", found->second);
      else if (first == values.end())
        next.emplace(i, (first = found)->second.detach().clone());
      else if (!is_equal(first->second.detach(), found->second.detach()))
        problems += concat("\n  ", path, ": it is one tensor with ", first->first, ", whose values are others");
      is_known = true;
      unknown.erase(path);
    }
    if (!is_known) problems += concat("\n  missing: ", signature.inputs[i].target, ", ", own[i]);
  }
  for (const auto& [path, tensor] : unknown) problems += concat("\n  unexpected: ", path, ", ", tensor);
  if (!problems.empty())
    throw ModelError("Malformed", concat("load_state_dict: the state does not fit program '", program, "':", problems));
  state.replace(std::move(next));
}

}  // namespace onemodel
