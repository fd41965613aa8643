#include "runtime/session.h"

#include <gtest/gtest.h>

#include "kernels/thread_pool.h"
#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/expand.h"
#include "ops/gather.h"
#include "ops/matmul.h"
#include "ops/pool.h"
#include "ops/reduce.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "ops/softmax.h"
#include "ops/unary.h"
#include "runtime/profiler.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

// probabilities = Softmax(Relu(x w1 + b1) w2 + b2)
Graph classifier(Extent batch = kBatch) {
  Graph graph;
  graph.name = "classifier";
  const auto weights = [&](const Dims& dims, uint64_t seed) {
    return graph.add_constant("w", sample_values(dims, -1, 1, DType::f32, seed), ConstantKind::parameter);
  };
  const ValueId x = graph.add_input("x", {DType::f32, {std::move(batch), 8}});
  const ValueId hidden = add(graph, Add{}, {add(graph, MatMul{}, {x, weights({8, 16}, 1)}, "fc1"), weights({16}, 2)});
  const ValueId active = add(graph, Relu{}, {hidden}, "active");
  const ValueId logits =
      add(graph, Add{}, {add(graph, MatMul{}, {active, weights({16, 3}, 3)}, "fc2"), weights({3}, 4)}, "logits");
  graph.outputs = {add(graph, Softmax{}, {logits}, "probabilities")};
  return graph;
}

Graph convolutional() {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 3, 12, 12}});
  const ValueId w = graph.add_constant("w", sample_values({8, 3, 3, 3}, -0.5, 0.5));
  const ValueId conv = add(graph, Relu{}, {add(graph, Conv{.pads = {1, 1, 1, 1}}, {x, w})});
  const ValueId pool = add(graph, MaxPool{.kernel_shape = {2, 2}, .strides = {2, 2}}, {conv});
  graph.outputs = {add(graph, Softmax{}, {add(graph, Flatten{}, {pool})}, "y")};
  return graph;
}

std::vector<Tensor> one(Tensor tensor) { return {std::move(tensor)}; }

TEST(Session, TellsItsInputsAndOutputs) {
  const Session session(classifier());
  EXPECT_EQ(session.name(), "classifier");
  ASSERT_EQ(session.inputs().size(), 1u);
  EXPECT_EQ(session.inputs()[0].name, "x");
  EXPECT_EQ(session.inputs()[0].dtype, DType::f32);
  EXPECT_EQ(concat(session.inputs()[0].shape), "[batch, 8]");
  EXPECT_EQ(session.outputs()[0].name, "probabilities");
  EXPECT_EQ(concat(session.outputs()[0].shape), "[batch, 3]");
}

TEST(Session, GivesTheValuesOfTheGraph) {
  for (const Graph& graph : {classifier(), convolutional()}) {
    const std::vector<Tensor> inputs = random_inputs(graph);
    EXPECT_TRUE(same_tensors(Session(graph).run(inputs), evaluate_graph(graph, inputs), 1e-5));
  }
}

TEST(Session, ExactArithmeticGivesTheBitsOfThePortableKernels) {
  for (const Graph& graph : {classifier(), convolutional()}) {
    Session session(graph, {.arithmetic = Arithmetic::exact});
    for (int64_t batch : {1, 4}) {
      const std::vector<Tensor> inputs = random_inputs(graph, {{"batch", batch}});
      EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(graph, inputs)));
    }
  }
}

TEST(Session, ExactArithmeticIsTheSameOnOneAndTwoThreads) {
  const Graph graph = convolutional();
  const std::vector<Tensor> inputs = random_inputs(graph, {{"batch", 4}});
  Session session(graph, {.arithmetic = Arithmetic::exact});
  const std::vector<Tensor> on_one = session.run(inputs);
  set_threads(2);
  const std::vector<Tensor> on_two = session.run(inputs);
  set_threads(1);
  EXPECT_TRUE(same_tensors(on_one, on_two));
}

TEST(Session, FastArithmeticRunsOnTwoThreads) {
  const Graph graph = convolutional();
  const std::vector<Tensor> inputs = random_inputs(graph, {{"batch", 4}});
  Session session(graph);
  set_threads(2);
  EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(graph, inputs), 1e-5));
  set_threads(1);
}

TEST(Session, SymbolicSizesTakeSeveralShapes) {
  const Graph graph = classifier();
  Session session(graph);
  for (int64_t batch : {1, 5, 1, 2, 5, 0}) {
    const std::vector<Tensor> inputs = random_inputs(graph, {{"batch", batch}});
    EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(graph, inputs), 1e-5)) << batch;
  }
  EXPECT_EQ(session.plan_count(), 4u);
}

TEST(Session, KeepsThePlansUsedLast) {
  const Graph graph = classifier();
  Session session(graph, {.plan_cache = 2});
  const auto prepare = [&](int64_t batch) { return session.prepare(random_inputs(graph, {{"batch", batch}})); };
  const auto one = prepare(1), two = prepare(2);
  EXPECT_EQ(prepare(1), one);
  const auto three = prepare(3);  // in place of two
  EXPECT_EQ(session.plan_count(), 2u);
  EXPECT_EQ(prepare(1), one);
  EXPECT_EQ(prepare(3), three);
  EXPECT_NE(prepare(2), two);
}

TEST(Session, PlansShareTheScratchMemory) {
  const Graph graph = classifier();
  Session session(graph);
  const auto bytes = [&](int64_t batch) {
    return session.prepare(random_inputs(graph, {{"batch", batch}}))->arena_bytes();
  };
  const size_t small = bytes(2), large = bytes(64);
  EXPECT_LT(small, large);
  EXPECT_EQ(session.arena_bytes(), large);
  const std::vector<Tensor> inputs = random_inputs(graph, {{"batch", 2}});
  EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(graph, inputs), 1e-5));
}

TEST(Session, FixedSizesArePlannedAtOnce) {
  EXPECT_EQ(Session(classifier(4)).plan_count(), 1u);
  EXPECT_EQ(Session(classifier()).plan_count(), 0u);
}

TEST(Session, ResultsStayWhatTheyAreAfterLaterRuns) {
  Graph graph = classifier();
  graph.outputs.push_back(graph.inputs[0]);
  Session session(graph);
  const std::vector<Tensor> first_inputs = random_inputs(graph, {}, 1);
  const std::vector<Tensor> first = session.run(first_inputs), expected = {first[0].clone(), first[1].clone()};
  session.run(random_inputs(graph, {}, 2));
  session.run(random_inputs(graph, {{"batch", 9}}, 3));
  EXPECT_TRUE(same_tensors(first, expected));
  EXPECT_NE(first[1].storage(), first_inputs[0].storage());
}

TEST(Session, WritesIntoGivenOutputs) {
  Graph graph = classifier();
  graph.outputs.push_back(graph.find_value("logits"));
  Session session(graph);
  const std::vector<Tensor> inputs = random_inputs(graph);
  const Tensor target = Tensor::empty({3, 3});
  std::vector<Tensor> outputs{target, Tensor()};
  session.run(inputs, std::span(outputs));
  EXPECT_TRUE(same(outputs[0], target));
  EXPECT_TRUE(same_tensors(outputs, evaluate_graph(graph, inputs), 1e-5));
}

TEST(Session, RefusesOutputsThatDoNotFit) {
  Graph graph = classifier();
  graph.outputs.push_back(graph.find_value("logits"));
  Session session(graph);
  const std::vector<Tensor> inputs = random_inputs(graph);
  const auto run_into = [&](Tensor a, Tensor b) {
    std::vector<Tensor> outputs{std::move(a), std::move(b)};
    session.run(inputs, std::span(outputs));
  };
  const Tensor fits = Tensor::empty({3, 3});
  EXPECT_ERROR(run_into(Tensor::empty({3, 4}), {}), ShapeError,
               "output 'probabilities' is float32[3, 3], got float32[3, 4]");
  EXPECT_ERROR(run_into(Tensor::empty({3, 3}, DType::f64), {}), DTypeError, "is float32[3, 3], got float64[3, 3]");
  EXPECT_ERROR(run_into(fits.transpose(0, 1), {}), ArgumentError, "expects a contiguous tensor");
  EXPECT_ERROR(run_into(fits, fits), ArgumentError, "output 'logits' shares storage");
}

TEST(Session, TakesInputsThatAreNotContiguous) {
  const Graph graph = classifier();
  const Tensor x = random_inputs(graph)[0];
  EXPECT_TRUE(same_tensors(Session(graph).run(one(with_reversed_axes(x))), Session(graph).run(one(x))));
}

TEST(Session, FeedsByName) {
  Graph graph;
  const ValueId a = graph.add_input("a", {DType::f32, {2}}), b = graph.add_input("b", {DType::f32, {2}});
  graph.outputs = {add(graph, Sub{}, {a, b}, "y")};
  Session session(graph);
  const Tensor x = Tensor::from({5.f, 7.f}, {2}), y = Tensor::from({1.f, 2.f}, {2});
  const std::vector<Feed> feeds{{"b", y}, {"a", x}};
  EXPECT_EQ(session.run(feeds)[0].to_vector<float>(), (std::vector<float>{4, 5}));
}

TEST(Session, ErrorsNameModelInputExpectedAndGot) {
  Session session(classifier());
  const Tensor x = Tensor::zeros({2, 8});
  const auto feed = [&](std::vector<Feed> feeds) { session.run(feeds); };
  EXPECT_ERROR(feed({}), ArgumentError, "model 'classifier': input 'x' expects float32[batch, 8], got nothing");
  EXPECT_ERROR(feed({{"x", x}, {"z", x}}), ArgumentError, "model 'classifier' has no input 'z' (inputs: 'x')");
  EXPECT_ERROR(feed({{"x", x}, {"x", x}}), ArgumentError, "input 'x' is fed twice");
  EXPECT_ERROR(session.run(std::vector<Tensor>{x, x}), ArgumentError, "model 'classifier' has 1 inputs ('x'), got 2");
  EXPECT_ERROR(session.run(one(Tensor())), ArgumentError, "input 'x' expects float32[batch, 8], got nothing");
  EXPECT_ERROR(session.run(one(Tensor::zeros({2, 8}, DType::i64))), DTypeError,
               "input 'x' expects float32[batch, 8], got int64[2, 8]");
  EXPECT_ERROR(session.run(one(Tensor::zeros({8}))), ShapeError, "got float32[8] (rank 1, expected 2)");
  EXPECT_ERROR(session.run(one(Tensor::zeros({2, 7}))), ShapeError, "got float32[2, 7] (axis 1 is 7, expected 8)");
  EXPECT_EQ(session.plan_count(), 0u);
}

TEST(Session, OneSymbolHasOneSize) {
  Graph graph;
  graph.name = "pair";
  const ValueId a = graph.add_input("a", {DType::f32, {kBatch, 2}}),
                b = graph.add_input("b", {DType::f32, {kBatch, 2}});
  graph.outputs = {add(graph, Add{}, {a, b}, "y")};
  Session session(graph);
  EXPECT_ERROR(session.run(std::vector<Tensor>{Tensor::zeros({3, 2}), Tensor::zeros({1, 2})}), ShapeError,
               "model 'pair': size 'batch' is 3 at axis 0 of input 'a' but 1 at axis 0 of input 'b'");
}

TEST(Session, InputsThatDecideShapesBelongToTheSignature) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2, 6}}), sizes = graph.add_input("sizes", {DType::i64, {2}});
  graph.outputs = {add(graph, Reshape{}, {x, sizes}, "y")};
  Session session(graph);
  const auto dims = [&](std::initializer_list<int64_t> values) {
    return session.run(std::vector<Tensor>{Tensor::zeros({2, 6}), Tensor::from(values, {2})})[0].dims();
  };
  EXPECT_EQ(dims({3, 4}), (Dims{3, 4}));
  EXPECT_EQ(dims({-1, 2}), (Dims{6, 2}));
  EXPECT_EQ(dims({3, 4}), (Dims{3, 4}));
  EXPECT_EQ(session.plan_count(), 2u);
}

TEST(Session, TakesListsOfAnyLengthThatDecideRanks) {
  const Extent count = Extent::symbol("count");
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {2, 3}}), axes = graph.add_input("axes", {DType::i64, {count}});
  const ValueId kept = add(graph, ReduceSum{}, {x, axes}, "kept");
  const ValueId sum = add(graph, ReduceSum{.keepdims = false}, {x, axes}, "sum");
  graph.outputs = {kept, add(graph, Neg{}, {sum}, "y")};
  EXPECT_EQ(graph.value(kept).type.shape.rank(), 2u);
  EXPECT_EQ(graph.value(sum).type.dtype, DType::undefined);
  Session session(std::move(graph));
  const Tensor values = Tensor::from({0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f}, {2, 3});
  for (int again = 0; again < 2; ++again) {
    const auto rows = session.run(std::vector{values, sample_ints({1})});
    EXPECT_TRUE(same_bits(rows[0], Tensor::from({3.0f, 12.0f}, {2, 1})));
    EXPECT_TRUE(same_bits(rows[1], Tensor::from({-3.0f, -12.0f}, {2})));
    EXPECT_TRUE(same_bits(session.run(std::vector{values, sample_ints({0, -1})})[1], Tensor::scalar(-15.0f)));
  }
}

TEST(Session, TakesTargetsOfAnyLength) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {Extent::symbol("n"), 2}});
  const ValueId shape = graph.add_input("shape", {DType::i64, {Extent::symbol("rank")}});
  const ValueId starts = graph.add_input("starts", {DType::i64, {Extent::symbol("cuts")}});
  const ValueId ends = graph.add_input("ends", {DType::i64, {Extent::symbol("cuts")}});
  const ValueId cut = add(graph, Slice{}, {x, starts, ends}, "cut");
  EXPECT_EQ(graph.value(cut).type.shape.rank(), 2u);
  graph.outputs = {add(graph, Reshape{}, {cut, shape}, "y"), add(graph, Expand{}, {cut, shape}, "z")};
  Session session(std::move(graph));
  const Tensor values = Tensor::from({0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f}, {3, 2});
  const auto run = [&](const Tensor& of, const Tensor& target, const Tensor& from, const Tensor& to) {
    return session.run(std::vector{of, target, from, to});
  };
  const auto all = run(values, sample_ints({1, 3, 2}), sample_ints({}), sample_ints({}));
  EXPECT_TRUE(same_bits(all[0], values.reshape({1, 3, 2})));
  EXPECT_TRUE(same_bits(all[1], values.reshape({1, 3, 2})));
  const auto row = run(values, sample_ints({1, 2}), sample_ints({1}), sample_ints({2}));
  EXPECT_TRUE(same_bits(row[0], Tensor::from({2.0f, 3.0f}, {1, 2})));
}

TEST(Session, ErrorsOfKernelsNameNodeAndModule) {
  Graph graph;
  const ValueId i = graph.add_input("i", {DType::i64, {kBatch}});
  const ValueId table = graph.add_constant("table", sample_values({3, 2}));
  graph.outputs = {graph.add_node(Gather{}, {table, i}, "lookup", 1, "embedding")[0]};
  Session session(graph);
  EXPECT_ERROR(session.run(one(Tensor::from<int64_t>({0, 7}, {2}))), ShapeError, "node 'lookup' (Gather) in embedding",
               "index 7 is out of range for an extent of 3");
  EXPECT_EQ(session.run(one(Tensor::from<int64_t>({2, 0}, {2})))[0].dims(), (Dims{2, 2}));
}

TEST(Session, CanBeCancelledBetweenSteps) {
  Session session(classifier());
  int asked = 0;
  const RunOptions options{.cancelled = [&] { return ++asked == 2; }};
  EXPECT_ERROR(session.run(one(Tensor::zeros({2, 8})), options), CancelledError, "before step 1 of 3", "node 'fc2'");
  EXPECT_EQ(session.run(one(Tensor::zeros({2, 8}))).size(), 1u);
}

TEST(Session, ProfilesEachStep) {
  Session session(classifier());
  Profiler profiler;
  for (int64_t batch : {2, 3, 2}) session.run(one(Tensor::zeros({batch, 8})), {.profiler = &profiler});
  ASSERT_EQ(profiler.entries().size(), 3u);
  EXPECT_EQ(profiler.entries()[0].node, "fc1");
  EXPECT_EQ(profiler.entries()[0].op, "FusedMatMul");
  EXPECT_EQ(profiler.entries()[0].runs, 3);
  EXPECT_NE(to_string(profiler).find("fc1"), std::string::npos);
}

TEST(Session, GivesIntermediates) {
  const Graph graph = classifier();
  Session session(graph, {.intermediates = {"active"}});
  ASSERT_EQ(session.outputs().size(), 2u);
  EXPECT_EQ(session.outputs()[1].name, "active");
  EXPECT_EQ(session.run(random_inputs(graph))[1].dims(), (Dims{3, 16}));
  EXPECT_ERROR(Session(graph, {.intermediates = {"nothing"}}), ArgumentError,
               "model 'classifier' has no value 'nothing'");
}

TEST(Session, AConstantIsAnOutputToo) {
  Graph graph;
  graph.add_input("x", {DType::f32, {2}});
  graph.outputs = {graph.add_constant("c", sample_values({3}))};
  Session session(graph);
  const std::vector<Tensor> inputs = random_inputs(graph);
  EXPECT_TRUE(same_tensors(session.run(inputs), evaluate_graph(graph, inputs)));
}

TEST(Session, RefusesOptionsOutOfRange) {
  EXPECT_ERROR(Session(classifier(), {.plan_cache = 0}), ArgumentError, "plan_cache expects at least 1");
}

TEST(Session, DescribesPatchesAndPlans) {
  const Session session(classifier(2));
  const std::string text = session.describe();
  for (const char* part :
       {"model 'classifier'", "patch fuse_bias_into_matmul", "plan for [2, 8]", "[xnn.fully_connected]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Session, LeavesNoMemoryBehind) {
  const MemoryCounters before = memory_counters();
  {
    const Graph graph = classifier();
    Session session(graph);
    for (int64_t batch : {1, 2, 3}) session.run(random_inputs(graph, {{"batch", batch}}));
    Session moved = std::move(session);
    EXPECT_ERROR(moved.run(one(Tensor())), ArgumentError, "got nothing");
  }
  EXPECT_EQ(memory_counters().storages, before.storages);
  EXPECT_EQ(memory_counters().bytes, before.bytes);
}

TEST(Session, KeepsNoReferenceToInputsAndOutputs) {
  Session session(classifier());
  session.run(one(Tensor::zeros({2, 8})));
  const MemoryCounters before = memory_counters();
  session.run(one(Tensor::zeros({2, 8})));
  EXPECT_EQ(memory_counters().storages, before.storages);
}

TEST(Session, WeightsThatKernelsPackedAreNotKeptTwice) {
  const MemoryCounters before = memory_counters();
  const Session session(classifier(2));
  const size_t scratch = session.arena_bytes();
  EXPECT_LE(memory_counters().bytes - before.bytes, static_cast<int64_t>(scratch));
}

}  // namespace
}  // namespace onemodel::test
