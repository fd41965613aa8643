#pragma once
// One call of a function that a model brings with it.

#include <onnx.pb.h>

#include <vector>

#include "onnx/name_pool.h"

namespace onemodel {

/// Takes every name of a value in `graph` and its subgraphs.
void take_names(const onnx::GraphProto& graph, NamePool& names);

/// The nodes of `function` as `call` has them: operands and results of the call in place of the function's, other values
/// under new names, attribute references replaced. A result that is an operand or another result is a copy of it.
/// Throws ModelError for a call that does not fit.
std::vector<onnx::NodeProto> body_of(const onnx::FunctionProto& function, const onnx::NodeProto& call, NamePool& names);

}  // namespace onemodel
