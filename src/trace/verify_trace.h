#pragma once
// Checks a trace at other sizes: a size that was baked into the graph shows when tracing, not in production.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/second_run.h"
#include "trace/tracer.h"

namespace onemodel {

/// Where the graph and the model part.
struct Difference {
  std::string name;         // of the output, or of the node
  std::string module_path;  // of the node, or of the one that makes the output
  std::string what;         // the operator, the shape or the values
};

/// What `verify_trace` found.
struct VerifyReport {
  SymbolSizes sizes;  // of the second run
  std::vector<Difference> outputs;
  std::optional<Difference> first_node;
  bool ok() const { return outputs.empty() && !first_node; }
};

/// What differs, a line each; empty when nothing does.
std::string to_string(const VerifyReport& report);

/// A model as verify calls it: inputs and outputs in the order of the trace.
using TracedFunction = std::function<std::vector<Tensor>(std::span<const Tensor>)>;

/// Runs `model` once more, at another size of every symbol (see second_sizes), and a session of the trace on the same
/// inputs; `examples` are those of the trace. Errors: what the model throws at those sizes, with the sizes put before
/// it; TraceError as the first trace, and as second_sizes.
VerifyReport verify_trace(const TracedModel& traced, std::span<const Tensor> examples, const TracedFunction& model,
                          const SymbolSizes& sizes = {});

/// Compares `first`, run on `inputs`, with `outputs`, which the model gave for them, and node by node with `second`, the
/// trace of that run. Throws TraceError(InvalidUsage) when their numbers of outputs differ.
VerifyReport compare_traces(const Graph& first, const Graph& second, std::span<const Tensor> inputs,
                            std::span<const Tensor> outputs);

}  // namespace onemodel
