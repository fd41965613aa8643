#include "trace/trace_module.h"

#include <vector>

namespace onemodel {
namespace {

class EvaluationMode {
 public:
  explicit EvaluationMode(nn::Module& module) : modules_(module.named_modules()) {
    for (const auto& [path, each] : modules_) modes_.push_back(each->training());
    module.eval();
  }
  // Parents first: `train` sets all below it too.
  ~EvaluationMode() {
    for (size_t i = 0; i < modules_.size(); ++i) modules_[i].second->train(modes_[i]);
  }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  std::vector<std::pair<std::string, nn::Module*>> modules_;
  std::vector<bool> modes_;
};

}  // namespace

TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names) {
  Tracer tracer = Tracer::begin();
  const EvaluationMode mode(module);
  for (const nn::NamedTensor& named : module.named_tensors()) tracer.parameter(named.path, named.tensor, named.kind);
  const Tensor output = module(tracer.input("input", example, axis_names));
  return tracer.finish(std::vector{output}, std::vector<std::string>{"output"});
}

VerifyReport verify_module(const TracedModel& traced, nn::Module& module, const Tensor& example,
                           const SymbolSizes& sizes) {
  const EvaluationMode mode(module);
  const auto model = [&](std::span<const Tensor> inputs) { return module(inputs); };
  return verify_trace(traced, std::span(&example, 1), model, sizes);
}

}  // namespace onemodel
