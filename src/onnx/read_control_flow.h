#pragma once
// If, Loop and Scan nodes of a file.

#include <onnx.pb.h>

#include <string>
#include <vector>

#include "graph/control_flow.h"

namespace onemodel {

/// A node of a file that runs graphs, in today's form. The graphs are still the file's.
struct ControlFlow {
  Op op;
  std::vector<std::string> inputs;  // without captures
  std::vector<onnx::GraphProto*> bodies;

  /// Whether a body takes the value of that name from around it.
  bool reads(const std::string& name) const;
};

/// `node` is an If, a Loop or a Scan of `opset`. Throws ModelError(Malformed) for attributes and operands that do not fit.
ControlFlow control_flow_from_onnx(onnx::NodeProto& node, int64_t opset);

}  // namespace onemodel
