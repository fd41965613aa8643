#include "trace/tracer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <algorithm>
#include <functional>

#include "eager/apply.h"
#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/functions_order.h"
#include "eager/record.h"
#include "nn/layers.h"
#include "ops/concat.h"
#include "ops/gather.h"
#include "ops/reshape.h"
#include "ops/shape.h"
#include "runtime/session.h"
#include "support/error_text.h"
#include "trace/trace_module.h"
#include "trace/trace_one.h"

namespace onemodel {
namespace {

using test::counting;
using test::expect_agrees;
using test::Names;
using test::operator_names;
using test::trace_one;

TEST(Tracer, RecordsOperatorsThatDependOnAnInput) {
  const Tensor weight = counting({3, 2});
  const auto model = [&](const Tensor& x) { return relu(matmul(x, neg(weight))); };
  const TracedModel traced = trace_one(counting({4, 3}), {"batch", ""}, model);
  EXPECT_EQ(operator_names(traced.graph), (Names{"MatMul", "Relu"}));
  EXPECT_EQ(traced.graph.inputs.size(), 1u);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.inputs[0]).type), "float32[batch, 3]");
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, 2]");
  EXPECT_EQ(traced.graph.value(traced.graph.outputs[0]).name, "y");
  expect_agrees(traced, model, {{4, 3}, {1, 3}, {9, 3}});
}

TEST(Tracer, PrunesWhatNoOutputNeeds) {
  const TracedModel traced = trace_one(counting({2, 3}), {}, [](const Tensor& x) {
    (void)exp(x * counting({3}));
    return neg(x);
  });
  EXPECT_EQ(operator_names(traced.graph), Names{"Neg"});
  EXPECT_EQ(traced.graph.values.size(), 2u) << "no constant of what was pruned";
}

TEST(Tracer, WritesIdentityForInputsAndRepeatedOutputs) {
  Tracer tracer = Tracer::begin();
  const Tensor x = tracer.input("x", counting({2, 3}));
  const Tensor y = neg(x);
  const TracedModel traced = tracer.finish(std::vector{x, y, y}, Names{"a", "b", "c"});
  EXPECT_EQ(operator_names(traced.graph), (Names{"Neg", "Identity", "Identity"}));
  Session session(traced.graph);
  const auto out = session.run(std::vector{counting({2, 3})});
  EXPECT_EQ(out[0].to_vector<float>(), counting({2, 3}).to_vector<float>());
  EXPECT_EQ(out[1].to_vector<float>(), out[2].to_vector<float>());
}

TEST(Tracer, WritesIdentityForAnAliasOfAnInput) {
  const TracedModel traced =
      trace_one(counting({4, 6}), {"batch", ""}, [](const Tensor& x) { return reshape(x, x.dims()); });
  EXPECT_EQ(operator_names(traced.graph), Names{"Identity"});
}

TEST(Tracer, TracedTensorsReportThatTheyNeedAGradient) {
  trace_one(counting({3}), {}, [](const Tensor& x) {
    const Tensor y = neg(x);
    EXPECT_TRUE(requires_grad(x) && requires_grad(y));
    EXPECT_TRUE(same(y.detach(), y));
    EXPECT_FALSE(requires_grad(neg(counting({3}))));
    return y;
  });
}

TEST(Tracer, CapturesEachViewOfAStorageOnce) {
  const Tensor a = counting({3, 3}), b = counting({3, 3});
  const TracedModel traced = trace_one(counting({3, 3}), {}, [&](const Tensor& x) {
    return x + a + a.slice(0, 0, 3) + a.transpose(0, 1) + a.transpose(1, 0) + b;
  });
  const auto constants = std::ranges::count_if(traced.graph.values, [](const Value& v) { return v.is_constant(); });
  EXPECT_EQ(constants, 3) << "a, its transpose, and b of the same values in a storage of its own";
}

TEST(Tracer, WritesNoNodeForAliases) {
  const TracedModel traced = trace_one(counting({2, 3}), {}, [](const Tensor& x) {
    return permute(slice(reshape(x.clone().detach(), {2, 3}), 0, 0, 2), {1, 0}).contiguous();
  });
  EXPECT_EQ(operator_names(traced.graph), Names{"Transpose"});
}

TEST(Tracer, LeavesNoShapeOperandBehindAnAlias) {
  const TracedModel traced =
      trace_one(counting({4, 6}), {"batch", "length"}, [](const Tensor& x) { return relu(reshape(x, x.dims())); });
  EXPECT_EQ(operator_names(traced.graph), Names{"Relu"});
}

TEST(Tracer, IsASnapshot) {
  Tensor weight = Tensor::full({3}, 2);
  const TracedModel traced = trace_one(counting({3}), {}, [&](const Tensor& x) { return mul(x, weight); });
  weight.fill(100);
  Session session(traced.graph);
  EXPECT_EQ(session.run(std::vector{Tensor::full({3}, 1)})[0].to_vector<float>(), std::vector<float>(3, 2));
}

TEST(Tracer, AllowsReadingAfterwards) {
  Tensor y;
  (void)trace_one(counting({3}), {}, [&](const Tensor& x) { return y = neg(x); });
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{8, 7, 6}));
}

// --- symbolic shapes ------------------------------------------------------------------------------------------------

TEST(SymbolicTrace, InfersOneExtentWithAConstant) {
  const auto model = [](const Tensor& x) { return flatten(x, 1); };
  const TracedModel traced = trace_one(counting({5, 3, 4}), {"batch", "", ""}, model);
  EXPECT_EQ(operator_names(traced.graph), Names{"Reshape"});
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, 12]");
  expect_agrees(traced, model, {{5, 3, 4}, {2, 3, 4}});
}

TEST(SymbolicTrace, ComputesShapesOfSeveralSymbols) {
  const auto model = [](const Tensor& x) {
    const int64_t batch = x.dims()[0], seq = x.dims()[1];
    return reshape(x, {batch, seq, 2, 4});
  };
  const TracedModel traced = trace_one(counting({5, 7, 8}), {"batch", "seq", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, seq, 2, 4]");
  const Names ops = operator_names(traced.graph);
  EXPECT_EQ(std::count(ops.begin(), ops.end(), "Shape"), 2);
  expect_agrees(traced, model, {{5, 7, 8}, {2, 3, 8}, {1, 1, 8}});
}

TEST(SymbolicTrace, JoinsAndSplitsGroups) {
  const auto model = [](const Tensor& x) {
    const int64_t batch = x.dims()[0], seq = x.dims()[1];
    const Tensor rows = relu(reshape(x, {batch * seq, 8}));
    return reshape(rows, {batch, seq * 8});
  };
  const TracedModel traced = trace_one(counting({5, 7, 8}), {"batch", "seq", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, 8*seq]");
  expect_agrees(traced, model, {{5, 7, 8}, {3, 2, 8}});
}

TEST(SymbolicTrace, KeepsAxesThroughPermuteConcatAndReduce) {
  const auto model = [](const Tensor& x) {
    const Tensor t = permute(x, Dims{1, 0, 2});
    return sum(cat(std::vector{t, t}, 1), {2}, false);
  };
  const TracedModel traced = trace_one(counting({5, 7, 8}), {"batch", "seq", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[seq, 2*batch]");
  expect_agrees(traced, model, {{5, 7, 8}, {2, 9, 8}});
}

TEST(SymbolicTrace, ReadsDerivedSizesFromTheValueThatHasThem) {
  const auto model = [](const Tensor& x) {
    const Tensor y = cat(std::vector{x, Tensor::zeros({3, 4})}, 0);
    return reshape(permute(y, Dims{1, 0}), {2, y.dims()[0], 2});
  };
  const TracedModel traced = trace_one(counting({6, 4}), {"n", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[2, n + 3, 2]");
  expect_agrees(traced, model, {{6, 4}, {2, 4}});
}

TEST(SymbolicTrace, ExpandsToSymbolicSizes) {
  const auto model = [](const Tensor& x) { return neg(expand(unsqueeze(x, {0}), {3, x.dims()[0], 4})); };
  const TracedModel traced = trace_one(counting({5, 4}), {"n", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[3, n, 4]");
  expect_agrees(traced, model, {{5, 4}, {2, 4}});
}

TEST(SymbolicTrace, ExpandsAnAxisOfOneToTheSymbolOfThatSize) {
  const auto model = [](const Tensor& x) { return expand(mean(x, {0}, true), x.dims()); };
  const TracedModel traced = trace_one(counting({5, 4}), {"n", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[n, 4]");
  ASSERT_EQ(traced.warnings.size(), 1u);
  EXPECT_NE(traced.warnings[0].find("5 at axis 0 was read as n"), std::string::npos);
  expect_agrees(traced, model, {{5, 4}, {2, 4}});
  // Of the trace before nothing is left.
  const TracedModel other = trace_one(counting({7, 4}), {"m", ""}, [](const Tensor& x) {
    return expand(mean(x, {0}, true), {5, 4});
  });
  EXPECT_EQ(concat(other.graph.value(other.graph.outputs[0]).type), "float32[5, 4]");
}

TEST(SymbolicTrace, RefusesToExpandToTheSizeOfADerivedExtent) {
  const auto model = [](const Tensor& x) {
    const Tensor twice = cat(std::vector{x, x}, 0);
    return add(expand(mean(twice, {0}, true), {10, 4}), twice);
  };
  EXPECT_ERROR(trace_one(counting({5, 4}), {"n", ""}, model), TraceError, "10 at axis 0 can be read as 10 or 2*n");
}

TEST(SymbolicTrace, WarnsOfFixedSizesEqualToASymbol) {
  const TracedModel traced = trace_one(counting({4, 3}), {"batch", ""}, [](const Tensor& x) {
    return matmul(x, counting({3, 4}));
  });
  ASSERT_EQ(traced.warnings.size(), 1u);
  EXPECT_NE(traced.warnings[0].find("batch"), std::string::npos);
  EXPECT_NE(traced.warnings[0].find("made by node 'MatMul_0';"), std::string::npos);
}

TEST(SymbolicTrace, WarnsOfReshapesThatCouldBeReadAnotherWay) {
  const ModuleScope scope("head");
  const TracedModel traced = trace_one(counting({6, 12}), {"batch", ""}, [](const Tensor& x) {
    return reshape(reshape(x, {72}), {6, 12});
  });
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, 12]");
  const auto named = [&](std::string_view part) {
    return std::ranges::count_if(traced.warnings, [&](const std::string& w) { return w.find(part) != w.npos; });
  };
  EXPECT_EQ(named("node 'Reshape_1' in module 'head': reshape of "), 1);
  EXPECT_EQ(named("[6, 12] was read as [batch, 12] (batch = 6 in the example); other readings are possible"), 1);
}

TEST(SymbolicTrace, ReshapesToATracedShape) {
  const auto model = [](const Tensor& x) {
    const Tensor shape = apply(ShapeOf{}, {x});
    const Tensor batch = apply(Gather{}, {shape, Tensor::from<int64_t>({0}, {1})});
    const Tensor target = apply(Concat{.axis = 0}, {batch, Tensor::from<int64_t>({2, -1}, {2})});
    return relu(apply(Reshape{}, {x, target}));
  };
  const TracedModel traced = trace_one(counting({5, 3, 4}), {"batch", "", ""}, model);
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, 2, 6]");
  expect_agrees(traced, model, {{5, 3, 4}, {2, 3, 4}});
}

TEST(TraceModule, NamesWeightsAndRestoresEveryMode) {
  const auto frozen = std::make_shared<nn::BatchNorm2d>(2);
  nn::Sequential model(std::make_shared<nn::Conv2d>(1, 2, 3), frozen, std::make_shared<nn::Dropout>(0.5));
  frozen->eval();
  const TracedModel traced = trace_module(model, counting({4, 1, 5, 5}), Names{"batch", "", "", ""});
  EXPECT_NE(traced.graph.find_value("0.weight"), kNone);
  EXPECT_NE(traced.graph.find_value("1.running_mean"), kNone);
  EXPECT_EQ(operator_names(traced.graph), (Names{"Conv", "BatchNormalization"}));
  EXPECT_THROW(trace_module(model, counting({4, 3, 5, 5})), ShapeError);
  EXPECT_EQ(active_trace(), 0u);
  EXPECT_TRUE(model.training());
  EXPECT_FALSE(frozen->training());
}

/// Gives the sum of its inputs, and their difference unless there is only one.
class SumAndDifference final : public nn::Module {
 public:
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    if (inputs.size() == 1) return {add(inputs[0], bias_)};
    return {add(add(inputs[0], inputs[1]), bias_), sub(inputs[0], inputs[1])};
  }
  std::string describe() const override { return "SumAndDifference()"; }

 private:
  Tensor bias_ = register_parameter("bias", counting({3}));
};

TEST(TraceModule, TakesSeveralInputsAndGivesSeveralOutputs) {
  SumAndDifference model;
  const std::vector<Tensor> examples = {counting({4, 3}), Tensor::full({1, 3}, 2)};
  const std::vector<NamedExample> named = {{"left", examples[0], {"batch", ""}}, {"right", examples[1]}};
  const TracedModel traced = trace_module(model, named);
  const auto name = [](const TracedModel& of, ValueId id) { return of.graph.value(id).name; };
  ASSERT_EQ(traced.graph.inputs.size(), 2u);
  ASSERT_EQ(traced.graph.outputs.size(), 2u);
  EXPECT_EQ(name(traced, traced.graph.inputs[1]), "right");
  EXPECT_EQ(name(traced, traced.graph.outputs[1]), "output_1");
  EXPECT_EQ(concat(traced.graph.value(traced.graph.outputs[0]).type), "float32[batch, 3]");
  EXPECT_TRUE(verify_module(traced, model, examples).ok());

  const TracedModel other = trace_module(model, named, Names{"sum", "difference"});
  EXPECT_EQ(name(other, other.graph.outputs[0]), "sum");
  EXPECT_EQ(name(trace_module(model, {named[0]}), trace_module(model, {named[0]}).graph.outputs[0]), "output");
  EXPECT_ERROR(trace_module(model, named, Names{"sum"}), TraceError, "2 outputs", "1 name");
  EXPECT_EQ(active_trace(), 0u);
}

TEST(TracedModel, GivesTheSameBitsFromBothFiles) {
  const auto model = [](const Tensor& x) { return softmax(matmul(x, counting({3, 4}))); };
  const TracedModel traced = trace_one(counting({5, 3}), {"batch", ""}, model);
  const std::string path = testing::TempDir() + "traced_model";
  traced.save(path + ".onemodel");
  traced.save_onnx(path + ".onnx");
  traced.save_onnx(path + "_beside.onnx", 0);
  EXPECT_EQ(std::filesystem::file_size(path + "_beside.onnx.data"), 3 * 4 * sizeof(float));
  const Tensor x = counting({2, 3});
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::fast}) {
    const SessionOptions options{.arithmetic = arithmetic};
    const Tensor expected = Session(traced.graph, options).run(std::vector{x}).front();
    for (const char* ending : {".onemodel", ".onnx", "_beside.onnx"})
      EXPECT_TRUE(test::same_bits(Session::load(path + ending, options).run(std::vector{x}).front(), expected));
  }
  EXPECT_THROW(Session::load(path + ".missing"), ArgumentError);
}

// All of an expanded example's elements are one: transposed or flipped, it looks the same.
TEST(Tracer, AnExpandedExampleStandsForOtherValues) {
  const Tensor example = Tensor::scalar(1.0f).expand({3, 3});
  for (const auto& [name, view] : std::initializer_list<std::pair<const char*, std::function<Tensor(const Tensor&)>>>{
           {"transpose", [](const Tensor& x) { return transpose(x, 0, 1); }},
           {"flip", [](const Tensor& x) { return flip(x, {0}); }}}) {
    Tracer tracer = Tracer::begin();
    const Tensor y = view(tracer.input("x", example));
    Session session(tracer.finish(std::span(&y, 1), std::vector<std::string>{"y"}).graph);
    const Tensor x = Tensor::from({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f, 9.0f}, {3, 3});
    EXPECT_EQ(session.run(std::span(&x, 1)).front().to_vector<float>(), view(x).to_vector<float>()) << name;
  }
}

}  // namespace
}  // namespace onemodel
