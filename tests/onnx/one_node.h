#pragma once
// Models of one node, and comparisons of what they give.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "onnx/model_file.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

/// Inputs "a", "b", … of the given tensors' types, outputs "y0", "y1", …
struct Call {
  Call(const std::string& type, const std::vector<Tensor>& operands, const Attributes& attributes = {},
       size_t outputs = 1, int64_t opset = 24)
      : file(opset), inputs() {
    Names names, results;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      names.push_back(operands[i].defined() ? name : "");
      if (!operands[i].defined()) continue;
      Names dims;
      for (const int64_t extent : operands[i].dims()) dims.push_back(concat(extent));
      file.input(name, dims, operands[i].dtype());
      inputs.push_back(operands[i]);
    }
    for (size_t i = 0; i < outputs; ++i) results.push_back(concat("y", i));
    file.node(type, names, results, attributes, "n");
    for (const std::string& name : results) file.output(name);
  }
  std::vector<Tensor> run() const { return evaluate_graph(file.read(), inputs); }
  Tensor first() const { return run()[0]; }
  ModelFile file;
  std::vector<Tensor> inputs;
};

inline Tensor reals(const Reals& values, const Dims& dims) {
  return Tensor::from(std::span<const double>(values), dims).cast(DType::f32);
}

inline testing::AssertionResult is(const Tensor& got, const Reals& values, const Dims& dims, double tolerance = 1e-6) {
  return close(got, reals(values, dims), tolerance);
}

}  // namespace onemodel::test
