#pragma once
// What the graphs of one .onnx file share while it is read.

#include <onnx.pb.h>

#include <map>
#include <string>
#include <unordered_set>

#include "onnx/problems.h"
#include "onnx/read_onnx.h"

namespace onemodel {

class ExternalTensors;

struct FileScope {
  Problems problems;
  std::unordered_set<std::string> lost;  // values that nobody makes, which is a problem already
  std::map<std::string, int64_t> opsets;
  int64_t ir_version = 0;
  ExternalTensors* external = nullptr;
};

/// Notes the versions of IR and opsets; those that are not supported are problems. Throws ModelError(TooLarge).
void read_versions(const onnx::ModelProto& model, const OnnxReadOptions& options, FileScope& scope);

}  // namespace onemodel
