#pragma once
// Traces a module with its weights named.

#include <span>
#include <string>

#include "nn/module.h"
#include "trace/tracer.h"

namespace onemodel {

/// The graph of `module` for one input, "input", and one output, "output". Parameters and buffers get their state-dict
/// paths. The module is in evaluation mode meanwhile; every mode is restored, also when the trace throws.
TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names = {});

}  // namespace onemodel
