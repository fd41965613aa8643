#pragma once
// Functions that a model brings with it.

#include <onnx.pb.h>

#include <string>
#include <unordered_set>

#include "onnx/problems.h"
#include "onnx/read_onnx.h"

namespace onemodel {

/// Puts in place of each call of one of the model's functions, in the graph and its subgraphs, the function's nodes,
/// until none is left. Values and nodes of a body are named "call/name". A node from a body carries the version of its
/// domain that the function imports as metadata `kOpsetMetadataKey`. An operator that is known without the model is
/// left alone. Problems: functions that call themselves, calls that do not fit; gives the results of these, which nobody
/// makes then. Throws ModelError(TooLarge) when more nodes or bytes would result than `options` allow.
std::unordered_set<std::string> inline_functions(onnx::ModelProto& model, const OnnxReadOptions& options,
                                                 Problems& problems);

}  // namespace onemodel
