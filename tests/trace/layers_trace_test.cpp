// Traces of layers with symbolic axes: the session agrees with the eager model at other sizes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "eager/apply.h"
#include "eager/functions_attention.h"
#include "eager/functions_joining.h"
#include "eager/functions_norm.h"
#include "eager/functions_order.h"
#include "nn/layers.h"
#include "ops/sample.h"
#include "support/error_text.h"
#include "support/graphs.h"
#include "trace/trace_one.h"
#include "trace/verify_trace.h"

namespace onemodel {
namespace {

using test::Names;
using test::OneToOne;
using test::operator_names;
using test::trace_one;

Tensor values(const Dims& dims) { return sample_values(dims); }
Tensor indices(const Dims& dims) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < numel(dims); ++i) out.push_back(i * 3 % 5);
  return Tensor::from(std::span<const int64_t>(out), dims);
}

// Traces at `example`, and compares every bit in exact arithmetic at the other sizes.
Graph expect_agrees(const Tensor& example, const Names& axes, const OneToOne& model, std::initializer_list<Dims> sizes,
                    Tensor (*make)(const Dims&) = values) {
  const TracedModel traced = trace_one(example, axes, model);
  test::expect_agrees(traced, model, sizes, make);
  return traced.graph;
}

TEST(LayerTrace, RecurrentLayersKeepBatchAndSteps) {
  const nn::RecurrentOptions options = {
      .input_size = 3, .hidden_size = 4, .num_layers = 2, .batch_first = true, .bidirectional = true};
  nn::LSTM lstm(options);
  nn::GRU gru(options);
  const auto first = [](nn::Module& module) {
    return [&module](const Tensor& x) { return module(std::span<const Tensor>(&x, 1)).front(); };
  };
  expect_agrees(values({2, 5, 3}), {"batch", "steps", ""}, first(lstm), {{2, 5, 3}, {3, 7, 3}, {1, 1, 3}});
  expect_agrees(values({2, 5, 3}), {"batch", "steps", ""}, first(gru), {{2, 5, 3}, {3, 7, 3}, {1, 1, 3}});
}

// What a session gives for rows of their own lengths is what the layer gives, in every bit.
TEST(LayerTrace, LengthsAreAnInputOfTheirOwn) {
  nn::LSTM lstm({.input_size = 3, .hidden_size = 4, .num_layers = 2, .batch_first = true, .bidirectional = true});
  nn::Module& module = lstm;
  const auto lengths = [](std::initializer_list<int64_t> values) { return sample_ints(values); };
  Tracer tracer = Tracer::begin();
  const Tensor inputs[] = {tracer.input("x", values({2, 5, 3}), Names{"batch", "steps", ""}),
                           tracer.input("lengths", lengths({3, 5}), Names{"batch"})};
  const TracedModel traced = tracer.finish(module(std::span<const Tensor>(inputs)), Names{"y", "h", "c"});
  Session session(traced.graph, {.arithmetic = Arithmetic::exact});
  set_eager_arithmetic(Arithmetic::exact);
  for (const std::vector<Tensor>& given :
       {std::vector{values({2, 5, 3}), lengths({5, 2})}, std::vector{values({4, 7, 3}), lengths({0, 7, 3, 1})},
        std::vector{values({1, 1, 3}), lengths({1})}}) {
    const std::vector<Tensor> expected = module(std::span<const Tensor>(given)), got = session.run(given);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(test::same_bits(got[i], expected[i].detach())) << i;
  }
  set_eager_arithmetic(Arithmetic::fast);
}

TEST(LayerTrace, LastStatesAreOutputsToo) {
  nn::GRU gru({.input_size = 3, .hidden_size = 4});
  const Graph graph =
      expect_agrees(values({5, 2, 3}), {"steps", "batch", ""},
                    [&](const Tensor& x) { return static_cast<nn::Module&>(gru)(std::span<const Tensor>(&x, 1))[1]; },
                    {{5, 2, 3}, {9, 1, 3}});
  EXPECT_EQ(operator_names(graph), Names{"GRU"}) << "the weights' order is a constant";
}

TEST(LayerTrace, TransformerLayersKeepBatchAndSteps) {
  nn::TransformerEncoderLayer layer({.d_model = 8, .nhead = 2, .dim_feedforward = 12, .batch_first = true});
  layer.eval();
  expect_agrees(
      values({3, 5, 8}), {"batch", "steps", ""},
      [&](const Tensor& x) { return static_cast<nn::Module&>(layer)(std::span<const Tensor>(&x, 1)).front(); },
      {{3, 5, 8}, {2, 7, 8}, {1, 1, 8}});
}

TEST(LayerTrace, TransformersKeepBatchAndSteps) {
  nn::Transformer model({.d_model = 8,
                         .nhead = 2,
                         .num_encoder_layers = 2,
                         .num_decoder_layers = 2,
                         .dim_feedforward = 12,
                         .batch_first = true});
  model.eval();
  nn::Module& module = model;
  Tracer tracer = Tracer::begin();
  const Tensor inputs[] = {tracer.input("src", values({3, 5, 8}), Names{"batch", "steps", ""}),
                           tracer.input("tgt", values({3, 4, 8}), Names{"batch", "length", ""})};
  const TracedModel traced = tracer.finish(module(std::span<const Tensor>(inputs)), Names{"y"});
  Session session(traced.graph, {.arithmetic = Arithmetic::exact});
  set_eager_arithmetic(Arithmetic::exact);
  for (const auto& [batch, steps, length] : {std::tuple{3, 5, 4}, std::tuple{2, 7, 3}, std::tuple{1, 1, 6}}) {
    const std::vector<Tensor> given = {values({batch, steps, 8}), values({batch, length, 8})};
    const Tensor expected = module(std::span<const Tensor>(given)).front().detach();
    EXPECT_TRUE(test::same_bits(session.run(given).front(), expected)) << batch << ", " << steps << ", " << length;
  }
  set_eager_arithmetic(Arithmetic::fast);
  const auto path = [&](const char* part) {
    return std::ranges::any_of(traced.graph.nodes, [&](const Node& node) { return node.module_path == part; });
  };
  EXPECT_TRUE(path("encoder.layers.1.self_attn") && path("decoder.layers.0.multihead_attn") && path("decoder.norm"));
}

// An axis that unbatched inputs lack is put there and taken away, whatever else is symbolic.
TEST(LayerTrace, LayersWithoutABatchKeepTheirSizes) {
  nn::Conv1d conv({.in_channels = 3, .out_channels = 2, .kernel_size = 2});
  nn::Unflatten cut({.dim = 1, .unflattened_size = {2, -1}});
  nn::AdaptiveMaxPool1d pool({.output_size = 1});
  expect_agrees(values({3, 7}), {"", "length"}, [&](const Tensor& x) { return conv(x); }, {{3, 7}, {3, 4}});
  expect_agrees(values({2, 6, 3}), {"batch", "", "length"}, [&](const Tensor& x) { return cut(x); },
                {{2, 6, 3}, {3, 6, 5}});
  expect_agrees(values({2, 3, 6}), {"batch", "", "length"}, [&](const Tensor& x) { return pool(x); },
                {{2, 3, 6}, {1, 3, 7}});
}

TEST(LayerTrace, CausalAttentionFollowsTheSteps) {
  const OneToOne model = [](const Tensor& x) { return scaled_dot_product_attention(x, x, x, {}, {.is_causal = true}); };
  expect_agrees(values({2, 3, 5, 4}), {"batch", "", "steps", ""}, model, {{2, 3, 5, 4}, {1, 3, 9, 4}, {4, 3, 1, 4}});
}

// [batch * heads, L, S] for each head of each row: the first axis is a multiple of the symbol.
TEST(LayerTrace, AMaskForEveryHeadFollowsTheBatch) {
  nn::MultiheadAttention layer({.embed_dim = 8, .num_heads = 2, .batch_first = true});
  const auto attend = [&](const Tensor& x, const Tensor& mask) {
    const Tensor inputs[] = {x, x, x, Tensor(), mask};
    return static_cast<nn::Module&>(layer)(std::span<const Tensor>(inputs)).front();
  };
  const auto seen = [](const Dims& dims) { return less(values(dims), Tensor::full({}, 0.3, DType::f32)); };
  for (const int64_t batch : {3, 2}) {  // 2: as many rows as heads
    Tracer tracer = Tracer::begin();
    const Tensor x = tracer.input("x", values({batch, 5, 8}), Names{"batch", "steps", ""});
    const Tensor mask = tracer.input("mask", seen({2 * batch, 5, 5}), Names{"2*batch", "steps", "steps"});
    const TracedModel traced = tracer.finish(std::vector{attend(x, mask)}, Names{"y"});
    EXPECT_EQ(concat(traced.graph.value(traced.graph.inputs[1]).type), "bool[2*batch, steps, steps]");
    for (const int64_t other : {3, 4, 1}) {
      const std::vector<Tensor> inputs = {values({other, 7, 8}), seen({2 * other, 7, 7})};
      set_eager_arithmetic(Arithmetic::exact);
      const Tensor expected = attend(inputs[0], inputs[1]);
      set_eager_arithmetic(Arithmetic::fast);
      Session session(traced.graph, {.arithmetic = Arithmetic::exact, .optimize = false});
      EXPECT_TRUE(test::same_bits(session.run(inputs).front(), expected)) << other;
    }
    const Tensor examples[] = {values({batch, 5, 8}), seen({2 * batch, 5, 5})};
    const VerifyReport report = verify_trace(
        traced, examples, [&](std::span<const Tensor> inputs) { return std::vector{attend(inputs[0], inputs[1])}; });
    EXPECT_TRUE(report.ok()) << to_string(report);
    EXPECT_EQ(report.sizes.size(), 2u) << to_string(report.sizes);
  }
}

TEST(LayerTrace, AttentionScalesByAWidthThatIsFollowed) {
  const OneToOne model = [](const Tensor& x) { return scaled_dot_product_attention(x, x, x); };
  const TracedModel traced = trace_one(values({2, 5, 4}), {"batch", "", "width"}, model);
  for (const Dims& dims : {Dims{2, 5, 4}, Dims{3, 5, 9}}) {
    const Tensor x = values(dims);
    EXPECT_TRUE(test::close(Session(traced.graph).run(std::vector{x}).front(), model(x), 1e-5)) << concat(dims);
  }
}

TEST(LayerTrace, BatchNormWithoutRunningStatisticsUsesThoseOfTheBatch) {
  nn::BatchNorm2d plane(nn::BatchNorm2dOptions{.num_features = 3, .track_running_stats = false});
  nn::BatchNorm1d line(nn::BatchNorm2dOptions{.num_features = 3, .affine = false, .track_running_stats = false});
  plane.eval(), line.eval();
  expect_agrees(values({4, 3, 5, 6}), {"batch", "", "height", "width"}, [&](const Tensor& x) { return plane(x); },
                {{4, 3, 5, 6}, {2, 3, 7, 2}, {1, 3, 2, 3}});
  expect_agrees(values({4, 3}), {"batch", ""}, [&](const Tensor& x) { return line(x); }, {{4, 3}, {7, 3}});
}

TEST(LayerTrace, AttentionIsThePatternThatIsFused) {
  Tracer tracer = Tracer::begin();
  const Tensor q = tracer.input("q", values({2, 3, 5, 4})), k = tracer.input("k", values({2, 3, 6, 4}));
  const Tensor mask = tracer.input("mask", values({2, 5, 6}));
  const Tensor y = scaled_dot_product_attention(q, k, k, mask);
  const TracedModel traced = tracer.finish(std::vector{y}, Names{"y"});
  EXPECT_EQ(operator_names(traced.graph),
            (Names{"Transpose", "MatMul", "Mul", "Unsqueeze", "Add", "Softmax", "MatMul"}));
}

// An added mask has no operators of its own for rows that leave nothing: they are NaN in every session as they are eagerly.
TEST(LayerTrace, AQueryThatAnAddedMaskLeavesNothingIsNaNInEverySession) {
  const auto attend = [](const Tensor& q, const Tensor& k, const Tensor& mask) {
    return scaled_dot_product_attention(q, k, k, mask);
  };
  Tensor mask = values({5, 6});
  mask.select(0, 2).fill(-INFINITY);
  mask.set({3, 1}, -INFINITY);
  const Tensor q = values({2, 3, 5, 4}), k = values({2, 3, 6, 4});
  set_eager_arithmetic(Arithmetic::exact);
  const Tensor expected = attend(q, k, mask);
  set_eager_arithmetic(Arithmetic::fast);
  for (const float each : slice(expected, 2, 2, 3).to_vector<float>()) EXPECT_TRUE(std::isnan(each));
  for (const float each : slice(expected, 2, 3, 5).to_vector<float>()) EXPECT_FALSE(std::isnan(each));
  for (const bool is_input : {true, false}) {
    Tracer tracer = Tracer::begin();
    const Tensor traced_q = tracer.input("q", q), traced_k = tracer.input("k", k);
    const Tensor y = attend(traced_q, traced_k, is_input ? tracer.input("mask", Tensor::zeros({5, 6})) : mask);
    const TracedModel traced = tracer.finish(std::vector{y}, Names{"y"});
    EXPECT_EQ(operator_names(traced.graph), (Names{"Transpose", "MatMul", "Mul", "Add", "Softmax", "MatMul"}));
    std::vector<Tensor> inputs = {q, k};
    if (is_input) inputs.push_back(mask);
    Session exact(traced.graph, {.arithmetic = Arithmetic::exact, .optimize = false}), fast(traced.graph);
    EXPECT_TRUE(test::same_tensors(exact.run(inputs), {expected})) << is_input;
    EXPECT_TRUE(test::same_tensors(fast.run(inputs), {expected}, 1e-5)) << is_input;
    EXPECT_NE(to_string(*fast.prepare(inputs)).find("[simd.attention]"), std::string::npos);
  }
}

// Rows of the mask that leave nothing are known when the session runs only.
TEST(LayerTrace, AQueryThatSeesNothingGetsZerosInEverySession) {
  Tracer tracer = Tracer::begin();
  const Tensor q = tracer.input("q", values({2, 3, 5, 4})), k = tracer.input("k", values({2, 3, 6, 4}));
  const Tensor traced_mask = tracer.input("mask", Tensor::full({5, 6}, 1, DType::boolean));
  const Tensor y = scaled_dot_product_attention(q, k, k, traced_mask);
  const TracedModel traced = tracer.finish(std::vector{y}, Names{"y"});
  Tensor mask = Tensor::full({5, 6}, 1, DType::boolean);
  mask.select(0, 2).fill(0);
  mask.set({3, 1}, 0);
  const std::vector<Tensor> inputs = {values({2, 3, 5, 4}), values({2, 3, 6, 4}), mask};
  set_eager_arithmetic(Arithmetic::exact);
  const Tensor expected = scaled_dot_product_attention(inputs[0], inputs[1], inputs[1], mask);
  set_eager_arithmetic(Arithmetic::fast);
  EXPECT_TRUE(test::same_bits(slice(expected, 2, 2, 3), Tensor::zeros({2, 3, 1, 4})));
  EXPECT_TRUE(test::same_bits(Session(traced.graph, {.arithmetic = Arithmetic::exact}).run(inputs).front(), expected));
  Session fast(traced.graph);
  EXPECT_TRUE(test::close(fast.run(inputs).front(), expected, 1e-5));
  const std::string plan = to_string(*fast.prepare(inputs));
  EXPECT_NE(plan.find("[simd.attention]"), std::string::npos) << plan;
}

// The fast session has one node for the attention, and agrees with the eager model.
void expect_fused(const Tensor& example, const Names& axes, const OneToOne& model, std::initializer_list<Dims> sizes) {
  Tracer tracer = Tracer::begin();
  const Tensor output = model(tracer.input("x", example, axes));
  Session session(tracer.finish(std::vector{output}, Names{"y"}).graph);
  for (const Dims& dims : sizes) {
    const Tensor x = values(dims);
    EXPECT_TRUE(test::close(session.run(std::vector{x}).front(), model(x).detach(), 1e-5)) << concat(dims);
    const std::string plan = to_string(*session.prepare(std::vector{x}));
    EXPECT_NE(plan.find("[simd.attention]"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("Softmax"), std::string::npos) << plan;
  }
}

TEST(LayerTrace, AttentionIsFusedInFastSessions) {
  const Names axes = {"batch", "", "steps", ""};
  const std::initializer_list<Dims> sizes = {{2, 4, 5, 6}, {1, 4, 9, 6}, {3, 4, 1, 6}, {2, 4, 140, 6}};
  const auto with = [](const AttentionOptions& options) -> OneToOne {
    return [options](const Tensor& x) {
      const Tensor k = options.enable_gqa ? slice(x, 1, 0, 2) : x;
      return scaled_dot_product_attention(x, k, k, {}, options);
    };
  };
  expect_fused(values({2, 4, 5, 6}), axes, with({}), sizes);
  expect_fused(values({2, 4, 5, 6}), axes, with({.is_causal = true}), sizes);
  expect_fused(values({2, 4, 5, 6}), axes, with({.is_causal = true, .enable_gqa = true}), sizes);
  expect_fused(values({2, 4, 5, 6}), {"batch", "", "", ""},
               [](const Tensor& x) {
                 const Tensor mask = less(slice(x, 1, 0, 1), Tensor::full({}, 0.5, DType::f32));
                 return scaled_dot_product_attention(x, x, x, slice(mask, 3, 0, 5));
               },
               {{2, 4, 5, 6}, {1, 4, 5, 6}});
}

TEST(LayerTrace, TransformerLayersAreFusedInFastSessions) {
  nn::TransformerEncoderLayer encoder({.d_model = 8, .nhead = 2, .dim_feedforward = 12, .batch_first = true});
  nn::TransformerDecoderLayer decoder({.d_model = 8, .nhead = 2, .dim_feedforward = 12});
  encoder.eval(), decoder.eval();
  const std::initializer_list<Dims> sizes = {{3, 5, 8}, {2, 7, 8}, {1, 1, 8}};
  expect_fused(
      values({3, 5, 8}), {"batch", "steps", ""},
      [&](const Tensor& x) { return static_cast<nn::Module&>(encoder)(std::span<const Tensor>(&x, 1)).front(); },
      sizes);
  expect_fused(
      values({3, 5, 8}), {"steps", "batch", ""},
      [&](const Tensor& x) {
        const Tensor both[] = {x, x};
        return static_cast<nn::Module&>(decoder)(std::span<const Tensor>(both)).front();
      },
      sizes);
}

TEST(LayerTrace, NormsAndResamplingKeepEverySize) {
  const Names axes = {"batch", "", "h", "w"};
  nn::GroupNorm group({.num_groups = 2, .num_channels = 4});
  nn::InstanceNorm2d instance({.num_features = 4, .affine = true});
  nn::Upsample up({.scale_factor = 2, .mode = "bilinear"}), half({.scale_factor = 0.5});
  for (nn::Module* module : std::initializer_list<nn::Module*>{&group, &instance, &up, &half}) {
    module->eval();
    expect_agrees(values({2, 4, 6, 5}), axes, [&](const Tensor& x) { return (*module)(x); },
                  {{2, 4, 6, 5}, {1, 4, 3, 8}, {3, 4, 2, 2}});
  }
}

TEST(LayerTrace, GroupNormTellsItsChannelsFromTheSizesBehind) {
  // 15 columns are three times the symbol, 10 channels twice its example size.
  const OneToOne model = [](const Tensor& x) { return group_norm(cat(std::vector{x, x, x}, 2), 2); };
  expect_agrees(values({1, 10, 5}), {"", "", "n"}, model, {{1, 10, 5}, {1, 10, 2}});
}

TEST(LayerTrace, EmbeddingsAndLayerNormKeepEverySize) {
  nn::Embedding embedding({.num_embeddings = 5, .embedding_dim = 4, .padding_idx = 0});
  nn::LayerNorm norm({.normalized_shape = 4});
  nn::RMSNorm root({.normalized_shape = 4});
  const Graph graph = expect_agrees(
      indices({2, 3}), {"batch", "steps"}, [&](const Tensor& x) { return root(norm(embedding(x))); },
      {{2, 3}, {4, 7}, {1, 1}}, indices);
  EXPECT_EQ(operator_names(graph)[0], "Gather");
  EXPECT_EQ(operator_names(graph)[1], "LayerNormalization");
}

TEST(LayerTrace, RefusesAFixedSizeForASymbolicAxis) {
  Tracer tracer = Tracer::begin();
  const Tensor x = tracer.input("x", values({1, 2, 6}), Names{"", "", "length"});
  try {
    nn::Upsample({.size = 9})(x);
    FAIL();
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "SymbolicShape");
  }
}

TEST(LayerTrace, AdaptivePoolsKeepTheBatchAndAxesOfOneWindow) {
  nn::AdaptiveAvgPool2d overlap({.output_size = {4, 2}}), even({.output_size = {3, 5}}), rows({.output_size = {4, 1}});
  nn::AdaptiveAvgPool1d line({.output_size = 3});
  expect_agrees(values({2, 3, 6, 5}), {"batch", "", "", ""}, [&](const Tensor& x) { return overlap(x); },
                {{2, 3, 6, 5}, {1, 3, 6, 5}, {4, 3, 6, 5}});
  const Graph graph = expect_agrees(values({2, 3, 6, 5}), {"batch", "", "", ""},
                                    [&](const Tensor& x) { return even(x); }, {{2, 3, 6, 5}, {4, 3, 6, 5}});
  EXPECT_EQ(operator_names(graph), Names{"AveragePool"});
  expect_agrees(values({2, 3, 6, 5}), {"batch", "", "", "width"}, [&](const Tensor& x) { return rows(x); },
                {{2, 3, 6, 5}, {1, 3, 6, 9}});
  expect_agrees(values({2, 3, 7}), {"batch", "", ""}, [&](const Tensor& x) { return line(x); }, {{2, 3, 7}, {4, 3, 7}});
}

TEST(LayerTrace, AdaptivePoolsFollowASymbolicAxisThatTheyDivide) {
  nn::Upsample twice({.scale_factor = 2});
  nn::AdaptiveAvgPool1d halves({.output_size = 2});
  expect_agrees(values({2, 3, 5}), {"batch", "", "length"}, [&](const Tensor& x) { return halves(twice(x)); },
                {{2, 3, 5}, {1, 3, 8}, {4, 3, 1}});
}

TEST(LayerTrace, AdaptivePoolsRefuseASymbolicAxisThatTheyMayNotDivide) {
  Tracer tracer = Tracer::begin();
  const Tensor x = tracer.input("x", values({1, 2, 6, 4}), Names{"", "", "", "width"});
  try {
    nn::AdaptiveAvgPool2d({.output_size = 2})(x);
    FAIL();
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "SymbolicShape");
    EXPECT_STREQ(error.what(),
                 "adaptive_avg_pool2d: axis 3 of float32[1, 2, 6, width] is not always a multiple of output_size 2; "
                 "leave the axis without a name, or pool it to 1");
  }
}

TEST(LayerTrace, AttentionWeightsAreAnOutput) {
  nn::MultiheadAttention attention({.embed_dim = 8, .num_heads = 2, .batch_first = true});
  attention.eval();
  for (const bool average : {true, false})
    expect_agrees(values({3, 5, 8}), {"batch", "steps", ""},
                  [&](const Tensor& x) { return attention.with_weights(std::span(&x, 1), average)[1]; },
                  {{3, 5, 8}, {2, 7, 8}});
}

TEST(LayerTrace, AConvolutionThatKeepsASizeKeepsItsFactors) {
  const Tensor weight = values({2, 2, 1, 1});
  expect_agrees(values({3, 5, 2}), {"h", "w", ""},
                [&](const Tensor& x) {
                  const int64_t h = x.dims()[0], w = x.dims()[1];
                  const Tensor flat = conv2d(reshape(permute(x, {2, 0, 1}), {1, 2, h * w, 1}), weight);
                  return reshape(flat, {2, h, w});
                },
                {{3, 5, 2}, {7, 1, 2}, {2, 4, 2}});
}

TEST(LayerTrace, VarianceFollowsTheCount) {
  for (const Dims& axes : {Dims{0}, Dims{}, Dims{0, 2}}) {
    const OneToOne model = [&](const Tensor& x) { return var(x, axes) + onemodel::std(x, axes, 2); };
    expect_agrees(values({3, 2, 5}), {"n", "", "m"}, model, {{3, 2, 5}, {7, 2, 4}, {4, 2, 9}});
  }
  const TracedModel traced = trace_one(values({4}), {"n"}, [](const Tensor& x) { return var(x, {}, 3); });
  Session session(traced.graph);
  for (const int64_t n : {3, 2})
    EXPECT_EQ(session.run(std::vector{values({n})})[0].item<float>(), std::numeric_limits<float>::infinity()) << n;
}

TEST(LayerTrace, OrderFollowsTheSizes) {
  expect_agrees(values({3, 5}), {"n", "m"}, [](const Tensor& x) { return flip(x, {0, 1}); }, {{3, 5}, {1, 4}, {6, 2}});
  expect_agrees(values({3, 5}), {"n", "m"}, [](const Tensor& x) { return sort(x, 0).values; }, {{3, 5}, {7, 2}});
  expect_agrees(values({3, 5}), {"n", "m"}, [](const Tensor& x) { return cast(argmax(x), DType::f32); },
                {{3, 5}, {7, 2}});
  expect_agrees(values({3, 6}), {"n", ""}, [](const Tensor& x) { return nn::GLU({.dim = 1}).run(x); },
                {{3, 6}, {7, 6}});
  expect_agrees(values({3, 5}), {"n", ""},
                [](const Tensor& x) {
                  return cat({chunk(x, 3, 1)[2], chunk(x, 3, 1)[0]}, 1);
                },
                {{3, 5}, {2, 5}});
  expect_agrees(values({3, 4, 4}), {"n", "", ""}, [](const Tensor& x) { return cumsum(tril(x) + triu(x, 1), 0); },
                {{3, 4, 4}, {2, 4, 4}});
  EXPECT_ERROR(trace_one(values({4, 5}), {"n", ""}, [](const Tensor& x) { return chunk(x, 2, 0)[0]; }), TraceError,
               "Split: cuts a symbolic extent, n, into ");
}

TEST(LayerTrace, AddedStepsOfAttentionFollowTheBatch) {
  nn::MultiheadAttention attention(
      {.embed_dim = 4, .num_heads = 2, .add_bias_kv = true, .add_zero_attn = true, .batch_first = true});
  attention.eval();
  expect_agrees(values({2, 5, 4}), {"batch", "steps", ""},
                [&](const Tensor& x) { return static_cast<nn::Module&>(attention)(x); },
                {{2, 5, 4}, {3, 7, 4}, {1, 1, 4}});
}

TEST(LayerTrace, PaddingOfConvolutionsFollowsTheSizes) {
  nn::Conv2d same({.in_channels = 2, .out_channels = 3, .kernel_size = {4, 3}, .padding = "same"});
  nn::Conv2d circular(
      {.in_channels = 2, .out_channels = 3, .kernel_size = 3, .padding = {2, 1}, .padding_mode = "circular"});
  for (nn::Module* layer : {static_cast<nn::Module*>(&same), static_cast<nn::Module*>(&circular)})
    expect_agrees(values({2, 2, 5, 7}), {"n", "", "h", "w"}, [&](const Tensor& x) { return (*layer)(x); },
                  {{2, 2, 5, 7}, {1, 2, 8, 3}});
}

}  // namespace
}  // namespace onemodel
