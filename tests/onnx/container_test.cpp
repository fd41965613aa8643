// Sequences and optionals: read from files, run, written again.

#include "graph/container_ops.h"

#include <gtest/gtest.h>

#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "onnx/model_file.h"
#include "onnx/write_onnx.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

Tensor floats(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<int64_t>(values.size())});
}
Tensor number(int64_t value) { return Tensor::scalar(value); }

// A graph input that is a sequence of float32, or an optional one.
ModelFile& sequence_input(ModelFile& file, const std::string& name, bool optional = false) {
  auto& input = *file.graph().add_input();
  input.set_name(name);
  auto* type = input.mutable_type();
  if (optional) type = type->mutable_optional_type()->mutable_elem_type();
  type->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(1);
  return file;
}

std::vector<Tensor> sequence_of(const Item& item) { return item.sequence ? *item.sequence : std::vector<Tensor>{}; }

void expect_same(const Item& a, const Item& b) {
  ASSERT_EQ(a.sequence != nullptr, b.sequence != nullptr);
  ASSERT_EQ(a.tensor.defined(), b.tensor.defined());
  if (a.tensor.defined()) {
    EXPECT_TRUE(same_bits(a.tensor, b.tensor));
  }
  const auto left = sequence_of(a), right = sequence_of(b);
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) EXPECT_TRUE(same_bits(left[i], right[i])) << i;
}

// As read, and through both formats.
std::vector<Item> run(const ModelFile& file, const std::vector<Item>& inputs) {
  const Graph graph = file.read();
  const std::vector<Item> expected = Session(graph).run_items(inputs);
  for (const Graph& other : {read_onnx(write_onnx(graph)), read_onemodel(write_onemodel(graph))}) {
    const std::vector<Item> results = Session(other).run_items(inputs);
    EXPECT_EQ(results.size(), expected.size());
    for (size_t i = 0; i < results.size(); ++i) expect_same(results[i], expected[i]);
  }
  return expected;
}

const std::vector<Tensor> kThree{floats({1}), floats({2, 3}), floats({4, 5, 6})};

TEST(Containers, HoldStrings) {
  const auto texts = [](std::vector<std::string> list) {
    return Tensor::from(std::span<const std::string>(list), {static_cast<int64_t>(list.size())});
  };
  ModelFile file;
  file.input("x", {"n"}, DType::string);
  file.node("StringNormalizer", {"x"}, {"kept"}, {{"stopwords", texts({"the"})}});
  file.node("StringConcat", {"kept", "x"}, {"pairs"});
  file.node("SplitToSequence", {"pairs"}, {"parts"}, {{"keepdims", int64_t{0}}});
  file.node("ConcatFromSequence", {"parts"}, {"y"}, {{"axis", int64_t{0}}, {"new_axis", int64_t{1}}});
  file.output("parts").output("y");
  const auto results = run(file, {texts({"cat", "dog"})});
  ASSERT_EQ(sequence_of(results[0]).size(), 2u);
  EXPECT_EQ(sequence_of(results[0])[1].item<std::string>(), "dogdog");
  EXPECT_EQ(results[1].tensor.to_vector<std::string>(), (std::vector<std::string>{"catcat", "dogdog"}));
  EXPECT_EQ(run(file, {texts({"The"})})[1].tensor.to_vector<std::string>(), std::vector<std::string>{"The"});
}

TEST(Containers, SequencesAreBuiltAndTakenApart) {
  ModelFile file;
  sequence_input(file, "s").input("x", {"n"}).input("at", {}, DType::i64);
  file.node("SequenceInsert", {"s", "x", "at"}, {"more"}).node("SequenceErase", {"more"}, {"less"});
  file.node("SequenceAt", {"less", "at"}, {"y"}).node("SequenceLength", {"less"}, {"length"});
  file.node("Neg", {"y"}, {"negative"});
  file.output("less").output("y").output("length").output("negative");
  const auto results = run(file, {kThree, floats({7}), number(1)});
  expect_same(results[0], std::vector<Tensor>{kThree[0], floats({7}), kThree[1]});
  EXPECT_TRUE(same_bits(results[1].tensor, floats({7})));
  EXPECT_EQ(results[2].tensor.item<int64_t>(), 3);
  EXPECT_TRUE(same_bits(results[3].tensor, floats({-7})));
  expect_same(run(file, {kThree, floats({7}), number(-1)})[0], std::vector<Tensor>{kThree[0], kThree[1], floats({7})});
}

TEST(Containers, ATensorIsSplitAndJoined) {
  ModelFile file;
  file.input("x", {"n", "2"}).constant("two", number(2));
  file.node("SplitToSequence", {"x", "two"}, {"parts"})
      .node("ConcatFromSequence", {"parts"}, {"same"}, {{"axis", int64_t{0}}});
  file.node("SplitToSequence", {"x"}, {"rows"}, {{"keepdims", int64_t{0}}});
  file.node("ConcatFromSequence", {"rows"}, {"turned"}, {{"axis", int64_t{-1}}, {"new_axis", int64_t{1}}});
  file.output("parts").output("same").output("turned");
  const Tensor x = Tensor::from({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {3, 2});
  const auto results = run(file, {x});
  expect_same(results[0],
              std::vector<Tensor>{Tensor::from({1.f, 2.f, 3.f, 4.f}, {2, 2}), Tensor::from({5.f, 6.f}, {1, 2})});
  EXPECT_TRUE(same_bits(results[1].tensor, x));
  EXPECT_TRUE(same_bits(results[2].tensor, Tensor::from({1.f, 3.f, 5.f, 2.f, 4.f, 6.f}, {2, 3})));
}

TEST(Containers, AGraphRunsForEachTensorOfASequence) {
  ModelFile file, body;
  body.input("one", {"?"})
      .input("all", {"1"})
      .node("Add", {"one", "all"}, {"sum"})
      .node("Mul", {"sum", "outer"}, {"z"})
      .output("z");
  sequence_input(file, "s").input("x", {"1"}).input("outer", {"1"});
  file.node("SequenceMap", {"s", "x"}, {"y"}).output("y");
  auto& attribute = *file.last_node().add_attribute();
  attribute.set_name("body");
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = body.graph();
  const auto results = run(file, {kThree, floats({1}), floats({10})});
  expect_same(results[0], std::vector<Tensor>{floats({20}), floats({30, 40}), floats({50, 60, 70})});
  expect_same(run(file, {std::vector<Tensor>{}, floats({1}), floats({10})})[0], std::vector<Tensor>{});
}

TEST(Containers, AnOptionalHoldsAValueOrNothing) {
  ModelFile file;
  sequence_input(file, "maybe", true);
  file.node("OptionalHasElement", {"maybe"}, {"there"}).node("Identity", {"maybe"}, {"same"});
  file.output("there").output("same");
  EXPECT_TRUE(run(file, {kThree})[0].tensor.item<bool>());
  expect_same(run(file, {kThree})[1], kThree);
  EXPECT_FALSE(run(file, {Item()})[0].tensor.item<bool>());
  EXPECT_TRUE(run(file, {Item()})[1].is_nothing());
  ModelFile get;
  sequence_input(get, "maybe", true);
  get.node("OptionalGetElement", {"maybe"}, {"s"}, {}, "get").node("SequenceLength", {"s"}, {"y"}).output("y");
  EXPECT_EQ(run(get, {kThree})[0].tensor.item<int64_t>(), 3);
  Session session(get.read());
  EXPECT_ERROR(session.run_items(std::vector<Item>{Item()}), ArgumentError,
               "node 'get' (OptionalGetElement): the optional holds nothing");
}

// As a tensor of that declaration is checked; without one it has any rank.
TEST(Containers, AnOptionalTensorHasTheDeclaredRank) {
  ModelFile file;
  auto& input = *file.input("x", {"2", "n"}).graph().mutable_input(0);
  const onnx::TypeProto declared = input.type();
  *input.mutable_type()->mutable_optional_type()->mutable_elem_type() = declared;
  file.node("OptionalHasElement", {"x"}, {"there"}).node("Identity", {"x"}, {"same"}).output("there").output("same");
  const auto feed = [](const Graph& graph, const Dims& dims) {
    return Session(graph).run_items(std::vector<Item>{Tensor::zeros(dims)})[0].tensor.item<bool>();
  };
  const Graph graph = file.read();
  for (const Graph& each : {graph, read_onnx(write_onnx(graph)), read_onemodel(write_onemodel(graph))}) {
    EXPECT_TRUE(feed(each, {2, 3}));
    EXPECT_ERROR(feed(each, {2}), ShapeError,
                 "input 'x' expects float32[2, n] or nothing, got float32[2] (rank 1, expected 2)");
    EXPECT_ERROR(feed(each, {3, 3}), ShapeError, "input 'x' expects float32[2, n] or nothing", "(axis 0 is 3");
    EXPECT_FALSE(Session(each).run_items(std::vector<Item>{Item()})[0].tensor.item<bool>());
  }
  input.mutable_type()->mutable_optional_type()->mutable_elem_type()->mutable_tensor_type()->clear_shape();
  EXPECT_TRUE(feed(file.read(), {2}));
}

// The attribute of a node without an operand says nothing of a rank.
TEST(Containers, NothingIsWrittenWithTheTypeThatItWasGiven) {
  ModelFile file;
  file.node("Optional", {}, {"o"}).node("OptionalHasElement", {"o"}, {"there"}).output("there").output("o");
  auto& attribute = *file.graph().mutable_node(0)->add_attribute();
  attribute.set_name("type");
  attribute.set_type(onnx::AttributeProto::TYPE_PROTO);
  attribute.mutable_tp()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
  const std::vector<std::byte> bytes = write_onnx(file.read());
  onnx::ModelProto written;
  ASSERT_TRUE(written.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  const onnx::TypeProto& type = written.graph().node(0).attribute(0).tp();
  EXPECT_EQ(type.tensor_type().elem_type(), onnx::TensorProto::INT64);
  EXPECT_FALSE(type.tensor_type().has_shape());
  const Graph again = read_onnx(bytes);
  EXPECT_EQ(again.value(again.outputs[1]).type.dtype, DType::i64);
  EXPECT_FALSE(run(file, {})[0].tensor.item<bool>());
}

TEST(Containers, ErrorsSayWhatWasExpectedAndGot) {
  ModelFile file;
  sequence_input(file, "s").input("at", {}, DType::i64).node("SequenceAt", {"s", "at"}, {"y"}, {}, "pick").output("y");
  Session session(file.read());
  const std::vector<Item> outside{kThree, number(3)}, tensor{floats({1}), number(0)}, few{kThree};
  EXPECT_ERROR(session.run_items(outside), ArgumentError,
               "node 'pick' (SequenceAt): 'position' expects -3 to 2, got 3");
  EXPECT_ERROR(session.run_items(tensor), DTypeError, "input 's' expects a sequence of float32, got float32[1]");
  EXPECT_ERROR(session.run_items(few), ArgumentError, "has 2 inputs ('s', 'at'), got 1");
  const std::vector<Item> mixed{std::vector<Tensor>{floats({1}), number(1)}, number(0)};
  EXPECT_ERROR(session.run_items(mixed), DTypeError, "input 's' expects a sequence of float32, got int64[]");

  ModelFile add;
  sequence_input(add, "s").node("Neg", {"s"}, {"y"}, {}, "negate").output("y");
  EXPECT_NE(add.error().find("node 'negate' (Neg"), std::string::npos) << add.error();
  EXPECT_NE(add.error().find("takes tensors only"), std::string::npos) << add.error();
}

// A node then has no output of its own.
TEST(Containers, NamesThatAreTakenAreToldOnce) {
  ModelFile twice, given, unnamed;
  twice.input("x", {"n"}).node("SequenceConstruct", {"x"}, {"s"}, {}, "a").node("SequenceConstruct", {"x"}, {"s"});
  EXPECT_NE(twice.output("s").error().find("output 's' is also made by node 'a'"), std::string::npos) << twice.error();
  EXPECT_EQ(twice.error().find("problems"), std::string::npos) << twice.error();
  given.input("x", {"n"}).node("SequenceEmpty", {}, {"x"}).output("x");
  EXPECT_NE(given.error().find("output 'x' is also a graph input"), std::string::npos) << given.error();
  EXPECT_EQ(given.error().find("problems"), std::string::npos) << given.error();
  sequence_input(unnamed, "s").node("Split", {"s"}, {"", "y"}, {{"num_outputs", int64_t{2}}}).output("y");
  EXPECT_NE(unnamed.error().find("takes tensors only"), std::string::npos) << unnamed.error();
}

TEST(Containers, ModelsThatGiveSequencesAreRunWithItems) {
  ModelFile file;
  file.input("x", {"n"}).node("SequenceConstruct", {"x", "x"}, {"y"}).output("y");
  Session session(file.read());
  EXPECT_EQ(session.outputs()[0].holds, Holds::sequence);
  EXPECT_EQ(session.outputs()[0].dtype, DType::f32);
  const std::vector<Tensor> inputs{floats({1})};
  EXPECT_ERROR(session.run(inputs), ArgumentError, "output 'y' is no tensor: use run_items");
}

}  // namespace
}  // namespace onemodel::test
