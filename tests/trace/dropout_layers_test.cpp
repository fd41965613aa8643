// Dropout inside of layers: what it drops and where, that a resumed run draws on, and that a trace refuses it.

#include <gtest/gtest.h>

#include <map>

#include "eager/apply.h"
#include "eager/autograd.h"
#include "nn/checkpoint.h"
#include "nn/layers.h"
#include "nn/random.h"
#include "nn/sgd.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "trace/trace_one.h"

namespace onemodel::nn {
namespace {

using test::expect_parts;
using test::same_bits;

std::vector<Tensor> call(Module& module, std::vector<Tensor> inputs) { return module(inputs); }

Tensor tensor_of(const Module& module, const std::string& path) { return module.state_dict().at(path).detach(); }

/// How many elements have each value; the values of `x` are few.
std::map<float, double> shares(const Tensor& x) {
  std::map<float, double> out;
  const std::vector<float> values = x.detach().to_vector<float>();
  for (const float value : values) out[value] += 1.0 / static_cast<double>(values.size());
  return out;
}

void expect_shares(const Tensor& x, const std::map<float, double>& expected) {
  const auto found = shares(x);
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [value, share] : expected) {
    ASSERT_TRUE(found.contains(value)) << value;
    EXPECT_NEAR(found.at(value), share, 0.03) << value;
  }
}

// Without weights from step to step, and 1 from each feature to the same one: every layer gives the inputs.
void make_identity(RNN& layer, int64_t width, int64_t layers) {
  for (int64_t i = 0; i < layers; ++i) {
    Tensor input = tensor_of(layer, concat("weight_ih_l", i));
    input.fill(0);
    for (int64_t j = 0; j < width; ++j) input.set({j, j}, 1);
    for (const char* name : {"weight_hh_l", "bias_ih_l", "bias_hh_l"}) tensor_of(layer, concat(name, i)).fill(0);
  }
}

TEST(LayerDropout, OfRecurrentLayersIsBetweenThem) {
  manual_seed(3);
  RNN layer({.input_size = 8, .hidden_size = 8, .num_layers = 3, .nonlinearity = "relu", .dropout = 0.25});
  make_identity(layer, 8, 3);
  const Tensor x = Tensor::full({60, 20, 8}, 9);
  const std::vector<Tensor> trained = call(layer, {x});
  expect_shares(trained[0], {{0, 1 - 0.75 * 0.75}, {16, 0.75 * 0.75}});  // twice between three layers
  EXPECT_TRUE(same_bits(slice(trained[1], 0, 0, 1).detach(), Tensor::full({1, 20, 8}, 9)))
      << "nothing before the first";
  EXPECT_TRUE(same_bits(slice(trained[1], 0, 2, 3).detach(), slice(trained[0], 0, 59, 60).detach()))
      << "nothing after the last";
  layer.eval();
  EXPECT_TRUE(same_bits(call(layer, {x})[0].detach(), x));
}

// Where all is dropped between, the second layer sees zeros; in evaluation nothing is.
template <class L, class O>
void expect_dropped_between() {
  O options{.input_size = 3, .hidden_size = 4, .num_layers = 2};
  const auto plain = std::make_shared<L>(options);
  options.dropout = 1;
  L layer(options);
  layer.load_state_dict(plain->state_dict());
  const Tensor x = sample_values({5, 2, 3});
  const std::vector<Tensor> trained = call(layer, {x}), expected = call(*plain, {x});
  O second{.input_size = 4, .hidden_size = 4};
  L last(second);
  std::map<std::string, Tensor> state;
  for (const char* name : {"weight_ih_l", "weight_hh_l", "bias_ih_l", "bias_hh_l"})
    state[concat(name, 0)] = tensor_of(layer, concat(name, 1));
  last.load_state_dict(state);
  EXPECT_TRUE(same_bits(trained[0].detach(), call(last, {Tensor::zeros({5, 2, 4})})[0].detach()));
  EXPECT_TRUE(same_bits(slice(trained[1], 0, 0, 1).detach(), slice(expected[1], 0, 0, 1).detach()));
  layer.eval();
  const std::vector<Tensor> evaluated = call(layer, {x});
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same_bits(evaluated[i].detach(), expected[i].detach()));
}

TEST(LayerDropout, OfEverythingBetweenLeavesZeros) {
  expect_dropped_between<RNN, RNNOptions>();
  expect_dropped_between<GRU, RecurrentOptions>();
  expect_dropped_between<LSTM, RecurrentOptions>();
}

TEST(LayerDropout, OfAttentionIsOfTheWeights) {
  manual_seed(4);
  MultiheadAttention layer({.embed_dim = 4, .num_heads = 2, .dropout = 0.25, .batch_first = true});
  tensor_of(layer, "in_proj_weight").fill(0);  // all keys alike
  tensor_of(layer, "in_proj_bias").fill(1);
  Tensor out = tensor_of(layer, "out_proj.weight");
  out.fill(0);
  for (int64_t i = 0; i < 4; ++i) out.set({i, i}, 1);
  const Tensor x = sample_values({10, 16, 4});
  const std::vector<Tensor> trained = layer.with_weights({{x, x, x}}, false);
  expect_shares(trained[1], {{0, 0.25}, {1 / 0.75f / 16, 0.75}});
  const Tensor kept = sum(trained[1], {3});  // [batch, heads, L], the share of the values, which are 1
  const Tensor heads = reshape(permute(trained[0], {0, 2, 1}), {10, 2, 2, 16});
  EXPECT_TRUE(test::close(select(heads, 2, 1).detach(), kept.detach(), 1e-5));
  layer.eval();
  const std::vector<Tensor> evaluated = layer.with_weights({{x, x, x}}, false);
  EXPECT_TRUE(same_bits(evaluated[1].detach(), Tensor::full({10, 2, 16, 16}, 1.0 / 16)));
}

// Every part gives 1 for each feature, and is dropped by itself before it is added.
template <class L>
void expect_parts_dropped(size_t inputs, const std::vector<std::string>& attentions,
                          const std::map<float, double>& expected) {
  L layer({.d_model = 8, .nhead = 2, .dim_feedforward = 8, .dropout = 0.5, .norm_first = true});
  const Tensor x = sample_values({50, 40, 8});
  const auto added = [&] { return call(layer, std::vector<Tensor>(inputs, x))[0].detach() - x; };
  std::vector<std::string> outputs = {"linear2"};
  for (const std::string& attention : attentions) outputs.push_back(attention + ".out_proj");
  for (const std::string& path : outputs) {
    tensor_of(layer, path + ".weight").fill(0);
    tensor_of(layer, path + ".bias").fill(1024);  // beside which the rounding of x + part is small
  }
  const Tensor rounded = cast(cast(added() * (1.0 / 1024) + 0.25, DType::i64), DType::f32);
  expect_shares(rounded, expected);
  // Within the feed-forward part, too: its features are 1 where they are kept.
  for (const std::string& path : outputs) tensor_of(layer, path + ".bias").fill(0);
  tensor_of(layer, "linear1.weight").fill(0);
  tensor_of(layer, "linear1.bias").fill(1024);
  for (int64_t i = 0; i < 8; ++i) tensor_of(layer, "linear2.weight").set({i, i}, 1);
  const Tensor inner = cast(cast(added() * (1.0 / 1024) + 0.25, DType::i64), DType::f32);
  expect_shares(inner, {{0, 0.75}, {4, 0.25}});
}

TEST(LayerDropout, OfTransformerLayersIsOfEveryPart) {
  manual_seed(5);
  expect_parts_dropped<TransformerEncoderLayer>(1, {"self_attn"}, {{0, 0.25}, {2, 0.5}, {4, 0.25}});
  expect_parts_dropped<TransformerDecoderLayer>(2, {"self_attn", "multihead_attn"},
                                                {{0, 0.125}, {2, 0.375}, {4, 0.375}, {6, 0.125}});
}

template <class L>
void expect_nothing_in_evaluation(size_t inputs) {
  L layer({.d_model = 8, .nhead = 2, .dim_feedforward = 6, .dropout = 0.5});
  L plain({.d_model = 8, .nhead = 2, .dim_feedforward = 6, .dropout = 0});
  plain.load_state_dict(layer.state_dict());
  const std::vector<Tensor> x(inputs, sample_values({5, 2, 8}));
  const Tensor expected = call(plain, x)[0].detach();
  EXPECT_FALSE(same_bits(call(layer, x)[0].detach(), expected));
  layer.eval();
  EXPECT_TRUE(same_bits(call(layer, x)[0].detach(), expected));
}

TEST(LayerDropout, OfTransformerLayersIsNothingInEvaluation) {
  expect_nothing_in_evaluation<TransformerEncoderLayer>(1);
  expect_nothing_in_evaluation<TransformerDecoderLayer>(2);
}

class Net final : public Module {
 public:
  Net() {
    register_module("lstm", lstm);
    register_module("encoder", encoder);
    register_module("decoder", decoder);
    register_module("attention", attention);
  }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    const Tensor x = call(*lstm, {inputs[0]})[0], y = call(*encoder, {x})[0];
    return call(*attention, {call(*decoder, {x, y})[0]});
  }
  std::string describe() const override { return "Net"; }

 private:
  static TransformerLayerOptions options() { return {.d_model = 4, .nhead = 2, .dim_feedforward = 6, .dropout = 0.3}; }
  std::shared_ptr<LSTM> lstm =
      std::make_shared<LSTM>(RecurrentOptions{.input_size = 3, .hidden_size = 4, .num_layers = 2, .dropout = 0.3});
  std::shared_ptr<TransformerEncoderLayer> encoder = std::make_shared<TransformerEncoderLayer>(options());
  std::shared_ptr<TransformerDecoderLayer> decoder = std::make_shared<TransformerDecoderLayer>(options());
  std::shared_ptr<MultiheadAttention> attention =
      std::make_shared<MultiheadAttention>(MultiheadAttentionOptions{.embed_dim = 4, .num_heads = 2, .dropout = 0.3});
};

void train(Net& net, SGD& optimizer, int steps) {
  for (int i = 0; i < steps; ++i) {
    optimizer.zero_grad();
    const Tensor y = net(sample_values({5, 2, 3}));
    backward(mean(y * y));
    optimizer.step();
  }
}

TEST(LayerDropout, IsDrawnOnByAResumedRun) {
  manual_seed(7);
  Net whole, resumed;
  SGD optimizer(whole.parameters(), {.lr = 0.1, .momentum = 0.9}), other(resumed.parameters(), {.lr = 3});
  train(whole, optimizer, 3);
  const std::vector<std::byte> saved = save_checkpoint(whole, &optimizer, &default_generator());
  train(whole, optimizer, 3);
  manual_seed(99);
  load_checkpoint(saved, resumed, &other, &default_generator());
  train(resumed, other, 3);
  for (const auto& [path, tensor] : whole.state_dict())
    EXPECT_TRUE(same_bits(tensor.detach(), tensor_of(resumed, path))) << path;
}

class Outer final : public Module {
 public:
  Outer(std::shared_ptr<Module> layer, size_t inputs) : inputs_(inputs) { layer_ = register_module("layer", layer); }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    return {call(*layer_, std::vector<Tensor>(inputs_, inputs[0]))[0]};
  }
  std::string describe() const override { return "Outer"; }

 private:
  std::shared_ptr<Module> layer_;
  size_t inputs_;
};

void expect_refused(const std::shared_ptr<Module>& layer, const std::string& path, size_t inputs = 1) {
  Outer outer(layer, inputs);
  Tracer tracer = Tracer::begin();
  const Tensor x = tracer.input("x", sample_values({5, 2, 4}));
  try {
    outer(x);
    ADD_FAILURE() << path << " was traced";
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "UnsupportedOperation");
    expect_parts(error, {"dropout", concat("module '", path, "'")});
  }
  EXPECT_NO_THROW(outer.eval(); outer(x)) << path;
}

TEST(LayerDropout, IsRefusedByATraceThatNamesTheLayer) {
  const RecurrentOptions stack{.input_size = 4, .hidden_size = 4, .num_layers = 2, .dropout = 0.5};
  const TransformerLayerOptions part{.d_model = 4, .nhead = 2, .dim_feedforward = 6, .dropout = 0.5};
  expect_refused(std::make_shared<RNN>(RNNOptions{.input_size = 4, .hidden_size = 4, .num_layers = 2, .dropout = 0.5}),
                 "layer");
  expect_refused(std::make_shared<GRU>(stack), "layer");
  expect_refused(std::make_shared<LSTM>(stack), "layer");
  expect_refused(
      std::make_shared<MultiheadAttention>(MultiheadAttentionOptions{.embed_dim = 4, .num_heads = 2, .dropout = 0.5}),
      "layer");
  expect_refused(std::make_shared<TransformerEncoderLayer>(part), "layer.self_attn");
  expect_refused(std::make_shared<TransformerDecoderLayer>(part), "layer.self_attn", 2);
}

}  // namespace
}  // namespace onemodel::nn
