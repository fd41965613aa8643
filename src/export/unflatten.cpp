#include "export/unflatten.h"

#include <algorithm>

#include "eager/autograd.h"

namespace onemodel {
namespace {

bool is_below(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && path.size() > root.size() && path[root.size()] == '.');
}

}  // namespace

/// Puts the modules of a plan together.
class TreeBuilder {
 public:
  using Modules = std::map<std::string, std::shared_ptr<nn::Module>>;
  TreeBuilder(const ExportedProgram& program, std::shared_ptr<const CallPlan> plan, const Modules& replacements)
      : program_(program), plan_(std::move(plan)), replacements_(replacements) {}

  std::shared_ptr<ProgramModule> build() {
    check_replacements();
    std::shared_ptr<ProgramModule> root = at("");
    for (size_t i = 0; i < plan_->owners.size(); ++i) add_state(i);
    for (const ModuleCall& call : plan_->calls) place(call.path);
    attach();
    for (const auto& [path, module] : own_) module->called_.insert(modules_.begin(), modules_.end());
    return root;
  }

 private:
  bool is_replaced(std::string_view path) const {
    return std::ranges::any_of(replacements_, [&](const auto& each) { return is_below(path, each.first); });
  }

  void check_replacements() const {
    for (const auto& [path, module] : replacements_) {
      const auto is_called = [&path = path](const ModuleCall& call) { return !call.path.empty() && call.path == path; };
      check(module && std::ranges::any_of(plan_->calls, is_called), "unflatten: '", path,
            "' has no call that a replacement could take");
      for (size_t c = 0; c < plan_->calls.size(); ++c) {
        const CallBody& body = plan_->bodies[c];
        if (plan_->calls[c].path == path && body.outputs.size() > body.recorded_outputs)
          throw ArgumentError(concat("unflatten: '", path, "' cannot be replaced: its value '",
                                     plan_->graph.value(body.outputs.back()).name, "' is used outside of it"));
        if (is_below(plan_->calls[c].path, path)) continue;
        for (const size_t i : body.state)
          check(!is_below(plan_->owners[i], path), "unflatten: '", path, "' cannot be replaced: its '",
                program_.signature.inputs[i].target, "' is used outside of it");
      }
    }
  }

  std::shared_ptr<ProgramModule> at(const std::string& path) {
    auto& module = own_[path];
    if (!module) module = std::make_shared<ProgramModule>(plan_, path);
    return module;
  }

  void add_state(size_t i) {
    const InputSpec& input = program_.signature.inputs[i];
    const std::string& owner = plan_->owners[i];
    if (is_replaced(owner) && !owner.empty()) return;
    place(owner);
    ProgramModule& module = *at(owner);
    const Tensor tensor = program_.state->tensor(i).clone();
    const std::string name = input.target.substr(owner.empty() ? 0 : owner.size() + 1);
    if (input.kind == InputKind::parameter) {
      module.register_parameter(name, tensor);
      set_requires_grad(tensor, program_.trainable && !input.frozen);
    } else if (input.kind == InputKind::buffer) {
      module.register_buffer(name, tensor, input.persistent);
    }
    module.state_[i] = tensor;
    own_.at("")->state_[i] = tensor;
  }

  // The module of that path and those around it.
  void place(const std::string& path) {
    if (modules_.contains(path)) return;
    const auto replacement = replacements_.find(path);
    if (replacement == replacements_.end() && is_replaced(path) && !path.empty()) return;
    modules_[path] =
        replacement == replacements_.end() ? std::static_pointer_cast<nn::Module>(at(path)) : replacement->second;
    order_.push_back(path);
    if (const size_t dot = path.rfind('.'); dot != std::string::npos) place(path.substr(0, dot));
  }

  void attach() {
    for (const std::string& path : order_) {
      if (path.empty()) continue;
      const size_t dot = path.rfind('.');
      const std::string parent = dot == std::string::npos ? "" : path.substr(0, dot);
      at(parent)->add_module(path.substr(dot == std::string::npos ? 0 : dot + 1), modules_.at(path));
    }
  }

  const ExportedProgram& program_;
  std::shared_ptr<const CallPlan> plan_;
  const Modules& replacements_;
  std::map<std::string, std::shared_ptr<ProgramModule>> own_;
  Modules modules_;
  std::vector<std::string> order_;
};

std::shared_ptr<ProgramModule> program_module(const ExportedProgram& program) {
  return TreeBuilder(program, plan_calls(program, false), {}).build();
}

std::shared_ptr<ProgramModule> unflatten(const ExportedProgram& program,
                                         const std::map<std::string, std::shared_ptr<nn::Module>>& replacements) {
  return TreeBuilder(program, plan_calls(program), replacements).build();
}

}  // namespace onemodel
