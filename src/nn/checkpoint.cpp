#include "nn/checkpoint.h"

#include "format/safetensors.h"

namespace onemodel::nn {
namespace {

constexpr std::string_view kOptimizer = "optimizer.";
constexpr std::string_view kSchedule = "schedule.";
constexpr std::string_view kGenerator = "generator";

Tensor pack(const Generator::State& state) { return Tensor::from({state.seed, state.offset}, {2}); }

std::string generator_problems(const std::map<std::string, Tensor>& state, const std::string& name) {
  const auto found = state.find(name);
  if (found == state.end()) return concat("\n  missing: ", name);
  const Tensor& tensor = found->second;
  if (tensor.dims() == Dims{2} && tensor.dtype() == DType::u64) return {};
  return concat("\n  ", name, ": expected uint64[2], got ", tensor);
}

}  // namespace

std::vector<std::byte> save_checkpoint(const Module& module, const Optimizer* optimizer, const Generator* generator,
                                       const Schedule* schedule) {
  std::map<std::string, Tensor> all = module.state_dict();
  for (const auto& [path, tensor] : all)
    check(!path.starts_with(kOptimizer) && !path.starts_with(kSchedule) && path != kGenerator,
          "save_checkpoint: the module's own '", path,
          "' would collide with the state of the optimizer, schedule or generator");
  const auto add = [&](std::string_view prefix, const std::map<std::string, Tensor>& state) {
    for (const auto& [name, tensor] : state) all.emplace(concat(prefix, name), tensor);
  };
  if (optimizer) add(kOptimizer, optimizer->state_dict());
  if (schedule) add(kSchedule, schedule->state_dict());
  if (generator) all.emplace(kGenerator, pack(generator->state()));
  return write_safetensors(all);
}

void load_checkpoint(std::span<const std::byte> bytes, Module& module, Optimizer* optimizer, Generator* generator,
                     Schedule* schedule) {
  std::map<std::string, Tensor> module_state, optimizer_state, schedule_state, rest;
  for (auto& [name, tensor] : read_safetensors(bytes)) {
    if (name.starts_with(kOptimizer))
      optimizer_state.emplace(name.substr(kOptimizer.size()), tensor);
    else if (name.starts_with(kSchedule))
      schedule_state.emplace(name.substr(kSchedule.size()), tensor);
    else
      (name == kGenerator ? rest : module_state).emplace(name, tensor);
  }
  const std::string generator_name(kGenerator);
  std::string problems = module.state_problems(module_state);
  if (optimizer) problems += optimizer->state_problems(optimizer_state);
  if (schedule) problems += schedule->state_problems(schedule_state);
  if (generator) problems += generator_problems(rest, generator_name);
  check_state("load_checkpoint", module.describe(), problems);

  module.load_state_dict(module_state);
  if (schedule) schedule->load_state_dict(schedule_state);
  // After the schedule, which sets rates: they may have been set by hand since.
  if (optimizer) optimizer->load_state_dict(optimizer_state);
  if (generator) {
    const auto values = rest.at(generator_name).to_vector<uint64_t>();
    generator->set_state({values[0], values[1]});
  }
}

}  // namespace onemodel::nn
