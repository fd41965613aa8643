#pragma once
// Traces a module with its weights named.

#include <span>
#include <string>
#include <vector>

#include "nn/module.h"
#include "trace/verify_trace.h"

namespace onemodel {

/// The graph of `module` for one input, "input". Parameters and buffers get their state-dict
/// paths. The module is in evaluation mode meanwhile; every mode is restored, also when the trace throws.
TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names = {});

/// An input of the graph: its name, an example of its values, and its axes' names as `Tracer::input` has them.
struct NamedExample {
  std::string name;
  Tensor tensor;
  std::vector<std::string> axis_names = {};
};

/// The same for a module of any number of inputs and outputs. Without `output_names` a single output is "output", several are
/// "output_0", "output_1", ….
TracedModel trace_module(nn::Module& module, const std::vector<NamedExample>& examples,
                         std::span<const std::string> output_names = {});

/// `verify_trace` of what `trace_module` gave for `module` and `examples`; modes as there.
VerifyReport verify_module(const TracedModel& traced, nn::Module& module, std::span<const Tensor> examples,
                           const SymbolSizes& sizes = {});
VerifyReport verify_module(const TracedModel& traced, nn::Module& module, const Tensor& example,
                           const SymbolSizes& sizes = {});

}  // namespace onemodel
