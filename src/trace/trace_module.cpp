#include "trace/trace_module.h"

#include <vector>

#include "nn/kept_modes.h"

namespace onemodel {
TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names) {
  Tracer tracer = Tracer::begin();
  const nn::KeptModes modes(module);
  module.eval();
  for (const nn::NamedTensor& named : module.named_tensors()) tracer.parameter(named.path, named.tensor, named.kind);
  const Tensor output = module(tracer.input("input", example, axis_names));
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
