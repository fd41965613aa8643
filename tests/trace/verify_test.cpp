// verify: sizes that a model bakes into its graph.

#include "trace/verify_trace.h"

#include <cmath>

#include "eager/functions_activation.h"
#include "support/error_text.h"
#include "trace/refusal.h"

namespace onemodel::test {
namespace {

using Names = std::vector<std::string>;

// What verify says of a model of x [n, 3] of ones, n = 5, that runs in the module 'inner'.
VerifyReport verify_of(const Model& model, const SymbolSizes& sizes = {}) {
  const auto inner = [&](const Tensor& x) {
    const ModuleScope scope("inner");
    return model(x);
  };
  const Tensor example = Tensor::full({5, 3}, 1);
  Tracer tracer = Tracer::begin();
  const Tensor y = inner(tracer.input("x", example, Names{"n", ""}));
  const TracedModel traced = tracer.finish(std::vector{y}, Names{"y"});
  return verify_trace(
      traced, std::span(&example, 1), [&](std::span<const Tensor> inputs) { return std::vector{inner(inputs[0])}; },
      sizes);
}

void expect_text(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) EXPECT_NE(text.find(part), text.npos) << "no '" << part << "' in: " << text;
}

// The output differs, and first at the node of that name.
void expect_baked(const Model& model, std::string_view node, std::initializer_list<std::string_view> parts,
                  const SymbolSizes& sizes = {}) {
  const VerifyReport report = verify_of(model, sizes);
  ASSERT_TRUE(report.first_node);
  EXPECT_EQ(report.first_node->name, node);
  EXPECT_EQ(report.first_node->module_path, "inner");
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0].name, "y");
  expect_text(to_string(report), parts);
}

TEST(Verify, SaysNothingOfAModelThatFollowsItsSizes) {
  const Model model = [](const Tensor& x) {
    const Tensor rows = reshape(x, {x.dims()[0] * 3});
    return cat({softmax(neg(reshape(rows, {x.dims()[0], 3}))), log(-x)}, 1);  // the logarithms are NaN
  };
  for (const int64_t size : {2, 4, 6, 19}) {
    const VerifyReport report = verify_of(model, {{"n", size}});
    EXPECT_TRUE(report.ok()) << to_string(report);
    EXPECT_EQ(report.sizes, (SymbolSizes{{"n", size}}));
    EXPECT_EQ(to_string(report), "");
  }
}

TEST(Verify, FindsAWrongReadingAtTheNodeThatTheWarningNames) {
  // What is meant are rows of 6, of which there are twice as many as in x.
  const auto model = [](const Tensor& x) {
    const ModuleScope scope("inner");
    return reshape(neg(x), {2 * x.dims()[0], 6});
  };
  const Tensor example = Tensor::full({6, 12}, 1);
  Tracer tracer = Tracer::begin();
  const Tensor y = model(tracer.input("x", example, Names{"n", ""}));
  const TracedModel traced = tracer.finish(std::vector{y}, Names{"y"});
  ASSERT_EQ(traced.warnings.size(), 1u);
  expect_text(traced.warnings[0], {"node 'Reshape_1' in module 'inner': reshape of [n, 12] to [12, 6]"});
  const VerifyReport report = verify_trace(
      traced, std::span(&example, 1), [&](std::span<const Tensor> inputs) { return std::vector{model(inputs[0])}; });
  ASSERT_TRUE(report.first_node);
  EXPECT_EQ(report.first_node->name, "Reshape_1");
  EXPECT_EQ(report.first_node->module_path, "inner");
}

TEST(Verify, NamesTheOutputAndTheFirstNode) {
  const VerifyReport report = verify_of([](const Tensor& x) { return neg(x * static_cast<double>(x.dims()[0])); });
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(
      to_string(report),
      "at n = 6 the graph differs from the model; a size of the example may have become a constant\n"
      "  output 'y' in module 'inner': the values differ: element 0 of float32[6, 3] is -5 in the graph, -6 in the "
      "model\n"
      "  first difference: node 'Mul_0' in module 'inner': the values differ: element 0 of float32[6, 3] is 5 in "
      "the graph, 6 in the model");
}

TEST(Verify, FindsConstantsMadeOfSizes) {
  const auto range = [](int64_t count) {
    std::vector<float> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
    return Tensor::from(std::span<const float>(values), {count});
  };
  expect_baked([&](const Tensor& x) { return relu(x) + sum(range(x.dims()[0])); }, "Add_1", {"the values differ"});
  expect_baked(
      [](const Tensor& x) {
        return cat({x, Tensor::zeros({x.dims()[0], 3})});
      },
      "Concat_0", {"the graph gives float32[11, 3], the model float32[12, 3]"});
  expect_baked([](const Tensor& x) { return select(x * x, 0, x.dims()[0] - 1); }, "Gather_1",
               {"output 'y' in module 'inner': the graph does not run", "first difference: node 'Gather_1'",
                "it does not run: Gather"},
               {{"n", 3}});
  expect_baked([](const Tensor& x) { return x * (x.dims()[0] == 5 ? std::nan("") : 1.0); }, "Mul_0",
               {"is nan in the graph, 1 in the model"});
}

// Where the trace itself sees that a size was equal in the example only, it refuses.
TEST(Verify, IsNotNeededWhereTheTraceRefuses) {
  const Model models[] = {[](const Tensor& x) {
                            return x + Tensor::zeros({x.dims()[0], 3});
                          },
                          [](const Tensor& x) {
                            return cat({x, Tensor::zeros({x.dims()[0], 3})}, 1);
                          }};
  for (const Model& model : models) {
    EXPECT_ERROR(verify_of(model), TraceError, "module 'inner'", "equal in the example only");
  }
}

TEST(Verify, FindsUnrolledLoopsAndAttributes) {
  expect_baked(
      [](const Tensor& x) {
        Tensor total = select(x, 0, 0);
        for (int64_t i = 1; i < x.dims()[0]; ++i) total = total + select(x, 0, i);
        return total;
      },
      "Gather_9", {"the graph has nothing more, the model did Gather"});
  expect_baked([](const Tensor& x) { return leaky_relu(-x, 1 / static_cast<float>(x.dims()[0])); }, "LeakyRelu_1",
               {"the graph has LeakyRelu(alpha=0.2", "the model did LeakyRelu(alpha=0.1666"});
}

TEST(Verify, ListsTheOutputsThatDifferAlone) {
  const Tensor table = sample_values({7, 2}), places = Tensor::from<int64_t>({6, 0, 3}, {3});
  const Tensor examples[] = {places, sample_values({3, 4})};
  const auto model = [&](std::span<const Tensor> inputs) {
    const Tensor rows = gather(table, inputs[0]);
    return std::vector{matmul(transpose(rows, 0, 1), inputs[1]), inputs[1] * static_cast<double>(rows.dims()[0])};
  };
  Tracer tracer = Tracer::begin();
  const Tensor inputs[] = {tracer.input("places", examples[0], Names{"n"}),
                           tracer.input("x", examples[1], Names{"n", "m"})};
  const TracedModel traced = tracer.finish(model(inputs), Names{"fine", "baked"});
  const VerifyReport report = verify_trace(traced, examples, model);
  EXPECT_EQ(report.sizes, (SymbolSizes{{"m", 5}, {"n", 6}})) << "sizes that no axis of an example has";
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0].name, "baked");
}

TEST(Verify, RefusesSizesThatCheckNothing) {
  const Model model = [](const Tensor& x) { return neg(x); };
  EXPECT_ERROR(verify_of(model, {{"m", 7}}), TraceError, "'m' is no symbol");
  EXPECT_ERROR(verify_of(model, {{"n", 5}}), TraceError, "'n' is 5 in the example", "got 5");
  EXPECT_ERROR(verify_of(model, {{"n", 1}}), TraceError, "'n'", "at least 2", "got 1");
}

TEST(Verify, PutsTheSizesBeforeAnErrorOfTheModel) {
  const Model only_five = [](const Tensor& x) {
    check(x.dims()[0] == 5, "five rows, please");
    return neg(x);
  };
  const MemoryCounters before = memory_counters();
  EXPECT_ERROR(verify_of(only_five), ArgumentError, "verify at n = 6: five rows, please");
  EXPECT_EQ(active_trace(), 0u);
  EXPECT_EQ(memory_counters().storages, before.storages);
}

TEST(Verify, RunsModulesInEvaluationMode) {
  Net net;
  const Tensor example = sample_values({4, 6});
  const std::vector<bool> modes = net.modes();
  net.decoder->model = [](const Tensor& x) { return x * static_cast<double>(x.dims()[0]); };
  const TracedModel traced = trace_module(net, example, Names{"batch", ""});
  const VerifyReport report = verify_module(traced, net, example);
  ASSERT_TRUE(report.first_node);
  EXPECT_EQ(report.first_node->module_path, "decoder");
  EXPECT_EQ(report.outputs.at(0).name, "output");
  EXPECT_EQ(net.modes(), modes);
}

}  // namespace
}  // namespace onemodel::test
