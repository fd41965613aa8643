// Initializers that are inputs too: constants until a run feeds them.

#include "graph/optional_inputs.h"

#include <gtest/gtest.h>

#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/model_file.h"
#include "onnx/write_onnx.h"
#include "passes/pipeline.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

Tensor floats(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<int64_t>(values.size())});
}

// y = x * w + b, where w (2 by default) and b (1) may be fed.
ModelFile scaled(int64_t ir_version = 9) {
  ModelFile file(20, ir_version);
  file.input("w", {"1"}).input("x", {"n"}).input("b", {"k"});
  file.constant("w", floats({2})).constant("b", floats({1}));
  return file.node("Mul", {"x", "w"}, {"scaled"}).node("Add", {"scaled", "b"}, {"y"}).output("y");
}

std::vector<float> run(Session& session, std::vector<Feed> feeds) {
  return session.run(std::span<const Feed>(feeds))[0].to_vector<float>();
}

TEST(OptionalInput, ComesAfterTheOthersWithItsDefault) {
  const Session session(scaled().read());
  ASSERT_EQ(session.inputs().size(), 3u);
  EXPECT_EQ(session.inputs()[0].name, "x");
  EXPECT_FALSE(session.inputs()[0].initial.defined());
  EXPECT_EQ(session.inputs()[1].name, "w");
  EXPECT_TRUE(same_bits(session.inputs()[1].initial, floats({2})));
  EXPECT_EQ(concat(session.inputs()[2].shape), "[k]");
}

TEST(OptionalInput, OverridesItsDefaultWhenItIsFed) {
  Session session(scaled().read());
  const Tensor x = floats({1, 2});
  EXPECT_EQ(run(session, {{"x", x}}), (std::vector<float>{3, 5}));
  EXPECT_EQ(run(session, {{"x", x}, {"w", floats({10})}}), (std::vector<float>{11, 21}));
  EXPECT_EQ(run(session, {{"b", floats({0, 5})}, {"x", x}}), (std::vector<float>{2, 9}));
  EXPECT_EQ(run(session, {{"b", floats({0})}, {"x", x}, {"w", floats({3})}}), (std::vector<float>{3, 6}));
  EXPECT_EQ(run(session, {{"x", x}}), (std::vector<float>{3, 5}));
  const std::vector<Tensor> one{x}, two{x, floats({10})}, last{x, Tensor(), floats({0})};
  EXPECT_EQ(session.run(one)[0].to_vector<float>(), (std::vector<float>{3, 5}));
  EXPECT_EQ(session.run(two)[0].to_vector<float>(), (std::vector<float>{11, 21}));
  EXPECT_EQ(session.run(last)[0].to_vector<float>(), (std::vector<float>{2, 4}));
}

TEST(OptionalInput, IsAConstantForPassesUntilItIsFed) {
  ModelFile file;
  file.input("x", {"2"}).input("w", {"2"}).constant("w", floats({1, 4}));
  file.node("Sqrt", {"w"}, {"root"}).node("Mul", {"x", "root"}, {"y"}).output("y");
  Session session(file.read());
  EXPECT_EQ(session.prepare(std::vector{floats({1, 1})})->steps().size(), 1u);
  EXPECT_EQ(run(session, {{"x", floats({1, 1})}, {"w", floats({9, 16})}}), (std::vector<float>{3, 4}));
  EXPECT_EQ(session.plan_count(), 2u);
  EXPECT_NE(session.describe().find("fed with 'w'"), std::string::npos) << session.describe();
}

TEST(OptionalInput, IsAConstantForGoodInOldFiles) {
  Session session(scaled(3).read());
  EXPECT_EQ(session.inputs().size(), 1u);
  EXPECT_ERROR(run(session, {{"x", floats({1})}, {"w", floats({1})}}), ArgumentError, "has no input 'w'");
}

TEST(OptionalInput, IsCheckedAsOthersAre) {
  Session session(scaled().read());
  EXPECT_ERROR(run(session, {{"x", floats({1})}, {"w", floats({1, 2})}}), ShapeError, "input 'w' expects float32[1]");
  EXPECT_ERROR(run(session, {{"x", floats({1})}, {"b", Tensor::zeros({1}, DType::i64)}}), DTypeError,
               "input 'b' expects float32[k]");
  EXPECT_ERROR(run(session, {{"w", floats({1})}}), ArgumentError, "input 'x' expects float32[n], got nothing");
  EXPECT_ERROR(session.run(std::vector(4, floats({1}))), ArgumentError, "has 3 inputs ('x', 'w', 'b'), got 4");
}

TEST(OptionalInput, StaysOneInFiles) {
  const Graph graph = scaled().read();
  for (const Graph& read : {read_onnx(write_onnx(graph)), read_onemodel(write_onemodel(graph))}) {
    Session session(read);
    ASSERT_EQ(session.inputs().size(), 3u);
    EXPECT_EQ(concat(session.inputs()[2].shape), "[k]");
    EXPECT_EQ(run(session, {{"x", floats({1})}, {"w", floats({10})}}), std::vector<float>{11});
    EXPECT_EQ(run(session, {{"x", floats({1})}}), std::vector<float>{3});
  }
  EXPECT_EQ(write_onemodel(read_onemodel(write_onemodel(graph))), write_onemodel(graph));
  EXPECT_TRUE(optimize(graph).graph().optional_inputs.empty());
}

TEST(OptionalInput, DecidesShapesToo) {
  ModelFile file;
  file.input("x", {"n"}).input("shape", {"2"}, DType::i64);
  file.constant("shape", Tensor::from<int64_t>({2, -1}, {2}));
  file.node("Reshape", {"x", "shape"}, {"y"}).output("y", {"2", "?"}, DType::f32);
  Session session(file.read());
  const Tensor x = floats({1, 2, 3, 4, 5, 6});
  std::vector<Feed> feeds{{"x", x}};
  EXPECT_EQ(session.run(std::span<const Feed>(feeds))[0].dims(), (Dims{2, 3}));
  feeds.emplace_back("shape", Tensor::from<int64_t>({3, 2}, {2}));
  EXPECT_EQ(session.run(std::span<const Feed>(feeds))[0].dims(), (Dims{3, 2}));
}

// What a graph inside a node takes from around it is fed as well: y = flag ? x + w : (flag2 ? x * w : x).
TEST(OptionalInput, ReachesGraphsInsideNodes) {
  const auto give = [](ModelFile& file, const std::string& attribute, const ModelFile& graph) {
    auto& out = *file.last_node().add_attribute();
    out.set_name(attribute);
    out.set_type(onnx::AttributeProto::GRAPH);
    *out.mutable_g() = ModelFile(graph).graph();
  };
  ModelFile same, times, inner, plus, file;
  same.node("Identity", {"x"}, {"same"}).output("same");
  times.node("Mul", {"x", "w"}, {"times"}).output("times");
  inner.node("If", {"flag2"}, {"chosen"}, {}, "inner").output("chosen");
  give(inner, "then_branch", times);
  give(inner, "else_branch", same);
  plus.node("Add", {"x", "w"}, {"plus"}).output("plus");
  file.input("flag", {}, DType::boolean).input("flag2", {}, DType::boolean).input("x", {"n"}).input("w", {"1"});
  file.constant("w", floats({3})).node("If", {"flag"}, {"y"}, {}, "outer").output("y");
  give(file, "then_branch", plus);
  give(file, "else_branch", inner);
  const Graph graph = file.read();
  for (const Graph& each : {graph, read_onemodel(write_onemodel(graph)), read_onnx(write_onnx(graph))}) {
    Session session(each);
    const auto y = [&](bool flag, bool flag2, const std::vector<Feed>& more) {
      std::vector<Feed> feeds{{"flag", Tensor::scalar(flag)}, {"flag2", Tensor::scalar(flag2)}, {"x", floats({5})}};
      feeds.insert(feeds.end(), more.begin(), more.end());
      return run(session, feeds)[0];
    };
    EXPECT_EQ(y(true, true, {}), 8);
    EXPECT_EQ(y(false, true, {}), 15);
    const std::vector<Feed> fed{{"w", floats({10})}};
    EXPECT_EQ(y(true, true, fed), 15);
    EXPECT_EQ(y(false, true, fed), 50);
    EXPECT_EQ(y(false, false, fed), 5);
    EXPECT_EQ(y(true, false, {}), 8);
  }
}

// Older opsets' Upsample keeps its scales as an operand; Tile's first form needs to know them.
TEST(OptionalInput, IsAConstantForGoodWhereTheNewestFormNeedsItsValue) {
  ModelFile file(5, 9);
  file.input("x", {"2"}).input("tiles", {}, DType::i64).input("axis", {}, DType::i64);
  file.constant("tiles", Tensor::scalar(int64_t{2})).constant("axis", Tensor::scalar(int64_t{0}));
  file.node("Tile", {"x", "tiles", "axis"}, {"y"}).output("y");
  EXPECT_TRUE(file.read().optional_inputs.empty());
}

TEST(OptionalInput, ThatContradictsItsDefaultTakesTheDefaultsShape) {
  ModelFile file;
  file.input("x", {"2"}).input("w", {"7"}).constant("w", floats({1, 2}));
  file.node("Mul", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(concat(Session(file.read()).inputs()[1].shape), "[2]");
}

TEST(OptionalInput, OfABrokenGraphIsRefused) {
  Graph graph = scaled().read();
  graph.optional_inputs.push_back(graph.optional_inputs[0]);
  EXPECT_ERROR(verify(graph), ModelError, "optional input 'w' is listed twice");
  graph.optional_inputs = {{graph.outputs[0], {}}};
  EXPECT_ERROR(verify(graph), ModelError, "optional input 'y' has no value");
  graph.optional_inputs = {{99, {}}};
  EXPECT_ERROR(verify(graph), ModelError, "optional inputs: value id 99 is out of range");
}

// An input that is declared without a shape takes any: each rank is typed and planned when it is met.
TEST(SessionInputs, MayHaveAnyRank) {
  ModelFile file;
  file.input("x", {}).constant("two", floats({2})).node("Mul", {"x", "two"}, {"y"}).output("y");
  file.node("Shape", {"y"}, {"s"}).output("s");
  file.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const Graph graph = file.read();
  for (const Graph& each : {graph, read_onnx(write_onnx(graph)), read_onemodel(write_onemodel(graph))}) {
    Session session(each);
    EXPECT_FALSE(session.inputs()[0].has_rank);
    EXPECT_EQ(session.inputs()[0].dtype, DType::f32);
    for (const Dims& dims : {Dims{3}, Dims{2, 3}, Dims{3}, Dims{1, 2, 0}}) {
      const std::vector<Tensor> results = session.run(std::vector{Tensor::full(dims, 3)});
      EXPECT_TRUE(same_bits(results[0], Tensor::full(dims, 6)));
      EXPECT_EQ(results[1].to_vector<int64_t>(), dims.vector());
    }
    EXPECT_ERROR(session.run(std::vector{Tensor::full({3}, 1, DType::i32)}), DTypeError,
                 "input 'x' expects float32 of any rank, got int32[3]");
    EXPECT_ERROR(session.run(std::vector{Tensor()}), ArgumentError,
                 "input 'x' expects float32 of any rank, got nothing");
  }
}

// A list of sizes may be such an input: what it holds decides.
TEST(SessionInputs, OfAnyRankMayDecideSizes) {
  ModelFile file;
  file.input("x", {"n"}).input("to", {}, DType::i64).node("Add", {"to", "to"}, {"twice"});
  file.node("Reshape", {"x", "twice"}, {"y"}).output("y");
  file.graph().mutable_input(1)->mutable_type()->mutable_tensor_type()->clear_shape();
  Session session(file.read());
  const std::vector<int64_t> lists[] = {{1, 3}, {3, 1}, {6}};
  for (const std::vector<int64_t>& to : lists) {
    std::vector<int64_t> dims;
    int64_t count = 1;
    for (const int64_t extent : to) count *= dims.emplace_back(2 * extent);
    const Tensor y = session.run(std::vector{Tensor::zeros({count}), Tensor::from_ints(to)})[0];
    EXPECT_EQ(y.dims().vector(), dims);
  }
}

// What inference cannot tell is as the file declares it, symbols for the sizes that it leaves open.
TEST(SessionOutputs, HaveTheDeclaredShapeWhereOnlyRunningTells) {
  ModelFile file;
  file.input("x", {"n"}).input("at", {}, DType::i64);
  file.node("SequenceConstruct", {"x", "x"}, {"list"}).node("SequenceAt", {"list", "at"}, {"y"});
  file.output("y", {"?"}, DType::f32);
  const Graph graph = file.read();
  for (const Graph& each : {graph, read_onnx(write_onnx(graph)), read_onemodel(write_onemodel(graph))}) {
    Session session(each);
    EXPECT_TRUE(session.outputs()[0].has_rank);
    EXPECT_EQ(concat(session.outputs()[0].dtype, session.outputs()[0].shape), "float32[y_dim_0]");
    const std::vector<Tensor> inputs{floats({1, 2, 3}), Tensor::scalar(int64_t{1})};
    EXPECT_TRUE(same_bits(session.run(inputs)[0], inputs[0]));
  }
}

// A declaration that the run contradicts is no reason to refuse it.
TEST(SessionOutputs, MayBeOtherThanDeclared) {
  ModelFile file;
  file.input("x", {"n"}).input("at", {}, DType::i64);
  file.node("SequenceConstruct", {"x", "x"}, {"list"}).node("SequenceAt", {"list", "at"}, {"y"});
  file.node("MatMul", {"y", "y"}, {"z"}).output("y", {"?", "4", "5"}, DType::f32).output("z");
  const std::vector<Tensor> inputs{floats({1, 2}), Tensor::scalar(int64_t{1})};
  EXPECT_EQ(Session(file.read()).run(inputs)[1].item<float>(), 5);
}

// An output whose rank only running tells keeps the element type that the file declares.
TEST(SessionOutputs, OfUnknownRankTellTheirElementType) {
  ModelFile file;
  file.input("x", {"n"}).input("at", {}, DType::i64);
  file.node("SequenceConstruct", {"x", "x"}, {"list"}).node("SequenceAt", {"list", "at"}, {"y"}).output("y");
  auto& declared = *file.graph().mutable_output(0)->mutable_type()->mutable_tensor_type();
  declared.set_elem_type(onnx::TensorProto::FLOAT);
  const Graph graph = file.read();
  for (const Graph& each : {graph, read_onnx(write_onnx(graph)), read_onemodel(write_onemodel(graph))}) {
    const ValueInfo info = Session(each).outputs()[0];
    EXPECT_EQ(info.dtype, DType::f32);
    EXPECT_FALSE(info.has_rank);
  }
}

}  // namespace
}  // namespace onemodel::test
