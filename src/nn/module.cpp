#include "nn/module.h"

#include <algorithm>

#include "core/write_watch.h"
#include "eager/autograd.h"
#include "eager/call_log.h"
#include "eager/record.h"

namespace onemodel::nn {
namespace {

std::string join(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

}  // namespace

std::vector<Tensor> Module::operator()(std::span<const Tensor> inputs) {
  return called(inputs, [&] { return forward(inputs); });
}

std::vector<Tensor> Module::called(std::span<const Tensor> inputs, const std::function<std::vector<Tensor>()>& run) {
  const ModuleScope scope(name_);
  CallLog* log = call_log();
  std::string path = log ? log->path_of(this) : std::string();
  if (path.empty()) return run();  // nothing is captured, or this is what is
  const CallLog::Scope call(*log, std::move(path), inputs);
  std::vector<Tensor> outputs = run();
  log->finish(outputs);
  return outputs;
}

Tensor Module::operator()(const Tensor& input) {
  std::vector<Tensor> outputs = (*this)(std::span(&input, 1));
  check(outputs.size() == 1, describe(), ": one output was expected, got ", outputs.size());
  return std::move(outputs.front());
}

void Module::train(bool mode) {
  training_ = mode;
  for (const auto& [name, module] : modules_) module->train(mode);
}

void Module::collect(const std::string& prefix, std::vector<NamedTensor>& out) const {
  for (const auto& entry : tensors_) out.push_back({join(prefix, entry->name), entry->tensor, entry->kind});
  for (const auto& [name, module] : modules_) module->collect(join(prefix, name), out);
}

std::vector<NamedTensor> Module::named_tensors() const {
  std::vector<NamedTensor> all, out;
  collect("", all);
  for (NamedTensor& named : all) {
    const auto is_same = [&](const NamedTensor& seen) { return same(seen.tensor, named.tensor); };
    if (std::none_of(out.begin(), out.end(), is_same)) out.push_back(std::move(named));
  }
  return out;
}

std::vector<NamedTensor> Module::named_parameters() const {
  std::vector<NamedTensor> out = named_tensors();
  std::erase_if(out, [](const NamedTensor& named) { return named.kind != ConstantKind::parameter; });
  return out;
}

std::vector<Tensor> Module::parameters() const {
  std::vector<Tensor> out;
  for (NamedTensor& named : named_parameters()) out.push_back(std::move(named.tensor));
  return out;
}

std::vector<Tensor*> Module::tensor_places() {
  std::vector<Tensor*> out;
  for (const auto& [path, module] : named_modules())
    for (const auto& entry : module->tensors_) out.push_back(&entry->tensor);
  return out;
}

std::vector<std::pair<std::string, Module*>> Module::named_modules() {
  std::vector<std::pair<std::string, Module*>> out = {{"", this}};
  for (const auto& [name, module] : modules_)
    for (const auto& [path, below] : module->named_modules())
      out.emplace_back(path.empty() ? name : join(name, path), below);
  return out;
}

std::map<std::string, Tensor> Module::state_dict() const {
  std::vector<NamedTensor> all;
  collect("", all);
  std::map<std::string, Tensor> out;
  for (NamedTensor& named : all)
    if (named.kind != ConstantKind::non_persistent_buffer) out.emplace(named.path, std::move(named.tensor));
  return out;
}

std::string Module::state_problems(const std::map<std::string, Tensor>& state, bool strict) const {
  const std::map<std::string, Tensor> own = state_dict();
  std::string missing, unexpected, shapes;
  for (const auto& [path, tensor] : own) {
    const auto found = state.find(path);
    if (found == state.end())
      missing += concat("\n  missing: ", path, ", ", tensor);
    else if (found->second.dims() != tensor.dims())
      shapes += concat("\n  shape of ", path, ": expected ", tensor.dims(), ", got ", found->second.dims());
    else if ((found->second.dtype() == DType::string) != (tensor.dtype() == DType::string))
      shapes += concat("\n  dtype of ", path, ": expected ", tensor, ", got ", found->second);
  }
  for (const auto& [path, tensor] : state)
    if (!own.contains(path)) unexpected += concat("\n  unexpected: ", path, ", ", tensor);
  return strict ? missing + unexpected + shapes : shapes;
}

void Module::load_state_dict(const std::map<std::string, Tensor>& state, bool strict) {
  const std::string problems = state_problems(state, strict);
  check_state("load_state_dict", describe(), problems);
  for (auto& [path, tensor] : state_dict())
    if (const auto found = state.find(path); found != state.end()) tensor.copy_from(found->second);
}

void check_state(std::string_view function, std::string_view owner, std::string_view problems) {
  if (!problems.empty())
    throw ModelError("Malformed", concat(function, ": the state does not fit ", owner, ':', problems));
}

void Module::zero_grad() const {
  for (const Tensor& parameter : parameters()) onemodel::zero_grad(parameter);
}

void Module::check_name(std::string_view name) const {
  check(!name.empty() && name.find('.') == std::string_view::npos, "module: the name '", name,
        "' is empty or has a dot, which separates the parts of a path");
  const auto taken = [&](const auto& tensor) { return tensor->name == name; };
  const auto used = [&](const auto& module) { return module.first == name; };
  check(std::none_of(tensors_.begin(), tensors_.end(), taken) && std::none_of(modules_.begin(), modules_.end(), used),
        "module: the name '", name, "' is registered twice");
}

Tensor& Module::add_tensor(std::string name, Tensor tensor, ConstantKind kind) {
  check_name(name);
  check(tensor.defined(), "module: the tensor registered as '", name, "' is undefined");
  check_distinct(tensor, concat("module: '", name, "'"));
  return tensors_.emplace_back(std::make_unique<Entry>(std::move(name), std::move(tensor), kind))->tensor;
}

Tensor& Module::register_parameter(std::string name, Tensor tensor) {
  Tensor& registered = add_tensor(std::move(name), std::move(tensor), ConstantKind::parameter);
  set_requires_grad(registered);
  return registered;
}

Tensor& Module::register_buffer(std::string name, Tensor tensor, bool persistent) {
  return add_tensor(std::move(name), std::move(tensor),
                    persistent ? ConstantKind::buffer : ConstantKind::non_persistent_buffer);
}

void Module::add_module(std::string name, std::shared_ptr<Module> module) {
  check_name(name);
  check(module != nullptr, "module: the module registered as '", name, "' is null");
  for (const auto& [path, below] : module->named_modules())
    check(below != this, "module: registering '", name, "' would put a module inside itself");
  if (module->name_.empty()) module->name_ = name;
  modules_.emplace_back(std::move(name), std::move(module));
}

const Tensor& Module::tensor(std::string_view name) const {
  for (const auto& entry : tensors_)
    if (entry->name == name) return entry->tensor;
  throw ArgumentError(concat(describe(), ": nothing is registered as '", name, "'"));
}

}  // namespace onemodel::nn
