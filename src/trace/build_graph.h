#pragma once
// From the records of a trace to its graph.

#include <span>
#include <string>

#include "trace/tracer.h"

namespace onemodel {

/// The graph of what `outputs` need. Throws TraceError(InPlaceMutation) for a constant that changed since it was used,
/// TraceError(DataDependent) for one that views a traced tensor, TraceError(UnsupportedOperation) for one over 2 GiB.
TracedModel build_graph(std::span<const TraceInput> inputs, std::span<const TraceParameter> parameters,
                        std::span<const Tensor> outputs, std::span<const std::string> names);

/// The same, and the names that tensors of the run have in the graph: `watched_names[i]` is that of `watched[i]`, empty for
/// what no output needs, and for lists of integers that are constant.
TracedModel build_graph(std::span<const TraceInput> inputs, std::span<const TraceParameter> parameters,
                        std::span<const Tensor> outputs, std::span<const std::string> names,
                        std::span<const Tensor> watched, std::vector<std::string>& watched_names);

}  // namespace onemodel
