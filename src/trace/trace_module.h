#pragma once
// Traces a module with its weights named.

#include <span>
#include <string>

#include "nn/module.h"
#include "trace/verify_trace.h"

namespace onemodel {

/// The graph of `module` for one input, "input", and one output, "output". Parameters and buffers get their state-dict
/// paths. The module is in evaluation mode meanwhile; every mode is restored, also when the trace throws.
TracedModel trace_module(nn::Module& module, const Tensor& example, std::span<const std::string> axis_names = {});

/// `verify_trace` of what `trace_module` gave for `module` and `example`; modes as there.
VerifyReport verify_module(const TracedModel& traced, nn::Module& module, const Tensor& example,
                           const SymbolSizes& sizes = {});

}  // namespace onemodel
