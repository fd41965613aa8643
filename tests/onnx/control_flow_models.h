#pragma once
// Models with an If, a Loop and a Scan, and runs of them that have to agree.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/model_file.h"
#include "onnx/write_onnx.h"
#include "runtime/session.h"
#include "support/compare.h"

namespace onemodel::test {

inline Tensor floats(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<int64_t>(values.size())});
}

/// Gives the last node of `file` a graph.
inline ModelFile& body(ModelFile& file, const std::string& attribute, ModelFile graph) {
  auto& out = *file.last_node().add_attribute();
  out.set_name(attribute);
  out.set_type(onnx::AttributeProto::GRAPH);
  *out.mutable_g() = graph.graph();
  return file;
}

/// y = flag ? x + 1 : (x * x, two of them)
inline ModelFile choice() {
  ModelFile twice, plus, file;
  twice.node("Mul", {"x", "x"}, {"square"})
      .node("Concat", {"square", "square"}, {"z"}, {{"axis", int64_t{0}}})
      .output("z");
  plus.node("Add", {"x", "one"}, {"z"}).output("z");
  file.input("flag", {}, DType::boolean).input("x", {"n"}).constant("one", Tensor::scalar(1.f));
  file.node("If", {"flag"}, {"y"}, {}, "choice").output("y");
  body(file, "then_branch", plus);
  return body(file, "else_branch", twice);
}

/// Appends i to a list as long as i < limit; also gives 10 * i each time.
inline ModelFile growing() {
  ModelFile step, file;
  step.input("i", {}, DType::i64).input("go", {}, DType::boolean).input("list", {"?"}, DType::i64);
  step.constant("axis", Tensor::from_ints(std::array<int64_t, 1>{0}));
  step.constant("ten", Tensor::scalar(int64_t{10}));
  step.node("Unsqueeze", {"i", "axis"}, {"entry"});
  step.node("Concat", {"list", "entry"}, {"longer"}, {{"axis", int64_t{0}}});
  step.node("Less", {"i", "limit"}, {"more"});
  step.node("Mul", {"i", "ten"}, {"tens"});
  step.output("more", {}, DType::boolean).output("longer", {"?"}, DType::i64).output("tens", {}, DType::i64);
  file.input("most", {}, DType::i64).input("limit", {}, DType::i64).input("start", {"k"}, DType::i64);
  file.node("Loop", {"most", "", "start"}, {"list", "tens"}, {}, "grow");
  file.output("list", {"?"}, DType::i64).output("tens", {"?"}, DType::i64);
  return body(file, "body", step);
}

/// Running sums of the rows of x, from the last to the first; sums are stacked along axis 1.
inline ModelFile backward_sums() {
  ModelFile step, file;
  step.input("sum", {"2"}).input("row", {"2"});
  step.node("Add", {"sum", "row"}, {"next"})
      .node("Identity", {"next"}, {"slice"})
      .output("next", {"2"})
      .output("slice", {"2"});
  file.input("x", {"rows", "2"}).constant("zero", floats({0, 0}));
  file.node("Scan", {"zero", "x"}, {"total", "sums"},
            {{"num_scan_inputs", int64_t{1}},
             {"scan_input_directions", std::vector<int64_t>{1}},
             {"scan_output_axes", std::vector<int64_t>{1}}});
  file.output("total", {"2"}).output("sums", {"2", "rows"});
  return body(file, "body", step);
}

inline Graph through_onnx(const Graph& graph) { return read_onnx(write_onnx(graph)); }
inline Graph through_onemodel(const Graph& graph) { return read_onemodel(write_onemodel(graph)); }

/// Runs the model as read, and as written and read again in both formats, in both arithmetics: all give the same.
inline std::vector<Tensor> run_everywhere(const Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> expected = Session(graph).run(inputs);
  for (const Graph& other : {through_onnx(graph), through_onemodel(graph), through_onnx(through_onemodel(graph))}) {
    for (const Arithmetic arithmetic : {Arithmetic::fast, Arithmetic::exact}) {
      const auto results = Session(other, {.arithmetic = arithmetic}).run(inputs);
      EXPECT_EQ(results.size(), expected.size());
      for (size_t i = 0; i < results.size(); ++i) EXPECT_TRUE(close(results[i], expected[i], 1e-6)) << i;
    }
  }
  return expected;
}

}  // namespace onemodel::test
