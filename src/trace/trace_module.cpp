#include "trace/trace_module.h"

#include <vector>

#include "nn/kept_modes.h"

namespace onemodel {
namespace {

// A model may also give a registered tensor's place to another.
void check_same(std::span<const nn::NamedTensor> before, std::span<const nn::NamedTensor> now) {
  for (size_t i = 0; i < before.size(); ++i) {
    if (i < now.size() && same(before[i].tensor, now[i].tensor)) continue;
    throw TraceError(
        "InPlaceMutation",
        concat("the ", before[i].kind == ConstantKind::parameter ? "parameter" : "buffer", " '", before[i].path, "', ",
               before[i].tensor,
               ", was replaced by another tensor during the trace, which has no updates: export the program "
               "instead (export_program)"));
  }
}

/// Registered tensors, each put back to its place at the end.
class KeptTensors {
 public:
  explicit KeptTensors(nn::Module& module) : places_(module.tensor_places()) {
    for (const Tensor* place : places_) tensors_.push_back(*place);
  }
  ~KeptTensors() {
    for (size_t i = 0; i < places_.size(); ++i)
      if (!same(*places_[i], tensors_[i])) *places_[i] = tensors_[i];
  }
  KeptTensors(const KeptTensors&) = delete;
  KeptTensors& operator=(const KeptTensors&) = delete;

 private:
  std::vector<Tensor*> places_;
  std::vector<Tensor> tensors_;
};

std::vector<std::string> default_names(size_t outputs) {
  if (outputs == 1) return {"output"};
  std::vector<std::string> names;
  for (size_t i = 0; i < outputs; ++i) names.push_back(concat("output_", i));
  return names;
}

}  // namespace

TracedModel trace_module(nn::Module& module, const std::vector<NamedExample>& examples,
                         std::span<const std::string> output_names) {
  Tracer tracer = Tracer::begin();
  const nn::KeptModes modes(module);
  const KeptTensors tensors(module);
  module.eval();
  const std::vector<nn::NamedTensor> state = module.named_tensors();
  for (const nn::NamedTensor& named : state) tracer.parameter(named.path, named.tensor, named.kind);
  std::vector<Tensor> inputs;
  for (const NamedExample& each : examples) inputs.push_back(tracer.input(each.name, each.tensor, each.axis_names));
  const std::vector<Tensor> outputs = module(inputs);
  check_same(state, module.named_tensors());
  return output_names.empty() ? tracer.finish(outputs, default_names(outputs.size()))
                              : tracer.finish(outputs, output_names);
}

TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names) {
  return trace_module(module, {{"input", example, {axis_names.begin(), axis_names.end()}}});
}

VerifyReport verify_module(const TracedModel& traced, nn::Module& module, std::span<const Tensor> examples,
                           const SymbolSizes& sizes) {
  const nn::KeptModes modes(module);
  module.eval();
  const auto model = [&](std::span<const Tensor> inputs) { return module(inputs); };
  return verify_trace(traced, examples, model, sizes);
}

VerifyReport verify_module(const TracedModel& traced, nn::Module& module, const Tensor& example,
                           const SymbolSizes& sizes) {
  return verify_module(traced, module, std::span(&example, 1), sizes);
}

}  // namespace onemodel
