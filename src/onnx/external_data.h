#pragma once
// Weights in files beside the model.

#include <onnx.pb.h>

#include <string>
#include <vector>

#include "onnx/problems.h"
#include "onnx/read_onnx.h"

namespace onemodel {

/// The files that the model's tensors name, graphs inside nodes included: each once, in the order of use.
std::vector<std::string> external_files(onnx::ModelProto& model);

/// Puts what tensors name into them. Errors name the tensor and the file; without `read` every such tensor is one.
void fill_external_data(onnx::ModelProto& model, const ReadExternal& read, Problems& problems);

}  // namespace onemodel
