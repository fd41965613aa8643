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

}  // namespace

TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names) {
  Tracer tracer = Tracer::begin();
  const nn::KeptModes modes(module);
  const KeptTensors tensors(module);
  module.eval();
  const std::vector<nn::NamedTensor> state = module.named_tensors();
  for (const nn::NamedTensor& named : state) tracer.parameter(named.path, named.tensor, named.kind);
  const Tensor output = module(tracer.input("input", example, axis_names));
  check_same(state, module.named_tensors());
  return tracer.finish(std::vector{output}, std::vector<std::string>{"output"});
}

VerifyReport verify_module(const TracedModel& traced, nn::Module& module, const Tensor& example,
                           const SymbolSizes& sizes) {
  const nn::KeptModes modes(module);
  module.eval();
  const auto model = [&](std::span<const Tensor> inputs) { return module(inputs); };
  return verify_trace(traced, std::span(&example, 1), model, sizes);
}

}  // namespace onemodel
