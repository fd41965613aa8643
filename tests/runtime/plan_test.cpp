#include "runtime/plan.h"

#include <gtest/gtest.h>

#include <map>

#include "core/generator.h"
#include "ops/binary.h"
#include "ops/concat.h"
#include "ops/gather.h"
#include "ops/matmul.h"
#include "ops/reshape.h"
#include "ops/sample.h"
#include "ops/shape.h"
#include "ops/softmax.h"
#include "ops/transpose.h"
#include "ops/unary.h"
#include "runtime/session.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent kBatch = Extent::symbol("batch");

Plan plan_for(const Graph& graph, std::vector<Dims> dims) {
  Signature signature{.dims = std::move(dims), .values = {}};
  signature.values.resize(graph.inputs.size());
  return make_plan(unoptimized(graph), std::move(signature));
}

std::string kernels(const Plan& plan) {
  std::string out;
  for (const Step& step : plan.steps()) out += concat(out.empty() ? "" : " ", step.op.name());
  return out;
}

// A chain and branches of element-wise operators, products and views over matrices of one of two sizes.
Graph random_graph(Generator& random) {
  Graph graph;
  std::vector<ValueId> values{graph.add_input("a", {DType::f32, {kBatch, 4}}),
                              graph.add_input("b", {DType::f32, {kBatch, 4}})};
  const auto any = [&] { return values[static_cast<size_t>(random.below(values.size()))]; };
  const ValueId w = graph.add_constant("w", sample_values({4, 4}, -0.5, 0.5));
  for (int i = 0; i < 14; ++i) {
    switch (random.below(6)) {
      case 0: values.push_back(add(graph, Add{}, {any(), any()})); break;
      case 1: values.push_back(add(graph, Sigmoid{}, {any()})); break;
      case 2: values.push_back(add(graph, MatMul{}, {any(), w})); break;
      case 3: values.push_back(add(graph, Identity{}, {any()})); break;
      case 4: {
        const ValueId flat = add(graph, Reshape{}, {any(), ints(graph, {-1})});
        values.push_back(add(graph, Reshape{}, {flat, ints(graph, {-1, 4})}));
        break;
      }
      default: values.push_back(add(graph, Softmax{}, {any()})); break;
    }
  }
  for (int i = 0; i < 3; ++i) graph.outputs.push_back(any());
  return graph;
}

// Keeps, for every byte of the arena, which slot's elements it holds, and fails when a step reads others.
void expect_no_overlap(const Plan& plan) {
  constexpr size_t kScratch = SIZE_MAX;
  std::vector<size_t> holds(plan.arena_bytes(), kScratch);
  const auto in_arena = [&](int32_t id) { return id != Step::kAbsent && plan.slot(id).home == Slot::arena; };
  std::map<size_t, size_t> writer_at;  // offset of a buffer -> the step that wrote it last
  const auto steps = plan.steps();
  for (size_t s = 0; s < steps.size(); ++s) {
    const auto workspace = holds.begin() + static_cast<std::ptrdiff_t>(steps[s].workspace_offset);
    std::fill_n(workspace, steps[s].workspace_bytes, kScratch);
    for (int32_t id : steps[s].outputs) {
      if (!in_arena(id)) continue;
      std::fill_n(holds.begin() + static_cast<std::ptrdiff_t>(plan.slot(id).offset), plan.slot(id).bytes(), s);
      writer_at[plan.slot(id).offset] = s;
    }
    for (int32_t id : steps[s].inputs) {
      if (!in_arena(id)) continue;
      const auto begin = holds.begin() + static_cast<std::ptrdiff_t>(plan.slot(id).offset);
      const size_t writer = writer_at.at(plan.slot(id).offset);
      EXPECT_NE(writer, s) << "reads what it writes";
      EXPECT_TRUE(std::all_of(begin, begin + static_cast<std::ptrdiff_t>(plan.slot(id).bytes()),
                              [&](size_t holder) { return holder == writer; }))
          << "step " << s << " of " << to_string(plan);
    }
  }
}

TEST(Plan, EvaluatesShapeArithmetic) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, Extent::symbol("length"), 6}});
  const ValueId shape = add(graph, ShapeOf{}, {x});
  const ValueId head = add(graph, Gather{}, {shape, ints(graph, {0, 1})});
  const ValueId target = add(graph, Concat{}, {head, ints(graph, {2, 3})});
  const ValueId parts = add(graph, Reshape{}, {x, target});
  graph.outputs = {add(graph, Transpose{{0, 2, 1, 3}}, {parts}, "y")};
  const Plan plan = plan_for(graph, {{2, 5, 6}});
  EXPECT_EQ(kernels(plan), "Transpose");
  EXPECT_EQ(plan.slot(plan.outputs()[0]).dims, (Dims{2, 2, 5, 3}));
}

TEST(Plan, ValuesThatKeepTheElementsShareMemory) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  const ValueId a = add(graph, Exp{}, {x});
  const ValueId b = add(graph, Reshape{}, {a, ints(graph, {-1, 3, 2})});
  graph.outputs = {add(graph, Softmax{}, {b}, "y")};
  const Plan plan = plan_for(graph, {{4, 6}});
  EXPECT_EQ(kernels(plan), "Exp Softmax");
  EXPECT_EQ(plan.slot(plan.steps()[0].outputs[0]).offset, plan.slot(plan.steps()[1].inputs[0]).offset);
}

TEST(Plan, AnOutputThatIsAnInputIsCopied) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  graph.outputs = {add(graph, Flatten{.axis = 0}, {x}, "y")};
  const Plan plan = plan_for(graph, {{4, 6}});
  ASSERT_EQ(plan.steps().size(), 1u);
  EXPECT_EQ(plan.steps()[0].kernel_name, "copy");
}

TEST(Plan, OutputsOfOneMemoryAreWrittenOnceAndCopied) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  const ValueId a = add(graph, Exp{}, {x}, "a");
  graph.outputs = {a, add(graph, Reshape{}, {a, ints(graph, {-1})}, "b"), a};
  const Plan plan = plan_for(graph, {{4, 6}});
  EXPECT_EQ(kernels(plan), "Exp Identity Identity");
  EXPECT_EQ(plan.arena_bytes(), 0u);
}

TEST(Plan, LeavesOutWhatNoOutputNeeds) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  add(graph, Exp{}, {x});
  graph.outputs = {add(graph, Neg{}, {x}, "y")};
  EXPECT_EQ(kernels(plan_for(graph, {{4, 6}})), "Neg");
}

TEST(Plan, ErrorsNameTheNodeAndItsModule) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  const ValueId sum =
      graph.add_node(Add{}, {x, graph.add_constant("c", sample_values({4, 1}))}, "sum", 1, "encoder.0")[0];
  graph.outputs = {sum};
  EXPECT_ERROR(plan_for(graph, {{3, 6}}), ShapeError, "node 'sum' (Add) in encoder.0", "do not broadcast");
}

TEST(Plan, RefusesShapesThatOnlyARunTells) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  const ValueId sizes = graph.add_input("sizes", {DType::i64, {2}});
  graph.outputs = {add(graph, Reshape{}, {x, sizes}, "y")};
  EXPECT_ERROR(plan_for(graph, {{2, 6}, {2}}), ShapeError, "(Reshape)", "known only while running");
  EXPECT_EQ(inputs_that_decide_shapes(graph), (std::vector<bool>{false, true}));
}

TEST(Plan, LiveBuffersNeverOverlap) {
  Generator random(5);
  for (int round = 0; round < 40; ++round) {
    const Graph graph = random_graph(random);
    expect_no_overlap(plan_for(graph, {{3, 4}, {3, 4}}));
    for (Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::fast}) {
      Session session(graph, {.arithmetic = arithmetic, .optimize = round % 2 == 0});
      const std::vector<Tensor> inputs = random_inputs(graph);
      EXPECT_TRUE(
          same_tensors(session.run(inputs), evaluate_graph(graph, inputs), arithmetic == Arithmetic::exact ? 0 : 1e-5))
          << to_string(graph) << session.describe();
    }
  }
}

TEST(Plan, PrintsEachStep) {
  Graph graph;
  const ValueId x = graph.add_input("x", {DType::f32, {kBatch, 6}});
  const ValueId w = graph.add_input("w", {DType::f32, {6, 2}});
  const ValueId product = graph.add_node(MatMul{}, {x, w}, "fc", 1, "head")[0];
  graph.outputs = {add(graph, Softmax{}, {product}, "y")};
  const std::string text = to_string(plan_for(graph, {{4, 6}, {6, 2}}));
  for (const char* part :
       {"plan for [4, 6] [6, 2]: 2 steps, arena 64 B", "fc = MatMul [simd.batch_matmul]", "float32[4, 2] 32 B, arena+0",
        "not xnn.fully_connected: B is not constant", "# head", "output 0"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

}  // namespace
}  // namespace onemodel::test
