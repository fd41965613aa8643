#pragma once
// ONNX models built by hand.

#include <onnx.pb.h>

#include <string>
#include <vector>

#include "onnx/read_onnx.h"
#include "ops/attribute.h"

namespace onemodel::test {

using Names = std::vector<std::string>;

/// A ModelProto in the making. Dimensions are given as text: "3" is a number, "?" unknown, anything else a name.
class ModelFile {
 public:
  explicit ModelFile(int64_t opset = 20, int64_t ir_version = 9);

  ModelFile& input(const std::string& name, const Names& dims, DType dtype = DType::f32);
  /// Without dims: no type.
  ModelFile& output(const std::string& name, const Names& dims = {}, DType dtype = DType::undefined);
  ModelFile& constant(const std::string& name, const Tensor& value);
  ModelFile& node(const std::string& type, const Names& inputs, const Names& outputs,
                  const std::vector<std::pair<std::string, AttributeValue>>& attributes = {},
                  const std::string& name = {});

  onnx::GraphProto& graph() { return *model.mutable_graph(); }
  onnx::NodeProto& last_node() { return *graph().mutable_node(graph().node_size() - 1); }
  onnx::TensorProto& add_initializer(const std::string& name, const Dims& dims, int32_t data_type);
  std::vector<std::byte> bytes() const;
  Graph read(const OnnxReadOptions& options = {}) const { return read_onnx(bytes(), options); }
  /// "Kind: message" of the error that reading throws; empty when it throws none.
  std::string error(const OnnxReadOptions& options = {}) const;

  onnx::ModelProto model;
};

}  // namespace onemodel::test
