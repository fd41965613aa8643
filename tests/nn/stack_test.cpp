// Stacks of layers, losses as modules, and dropout of channels: what the goldens cannot show.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "eager/functions.h"
#include "nn/layers.h"
#include "nn/random.h"
#include "ops/sample.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::same_bits;

const TransformerLayerOptions kSmall = {.d_model = 4, .nhead = 2, .dim_feedforward = 3, .dropout = 0};

TEST(TransformerEncoder, CopiesTheLayerThatItIsGiven) {
  TransformerEncoderLayer layer(kSmall);
  TransformerEncoder encoder(layer, 2, std::make_shared<LayerNorm>(LayerNormOptions{.normalized_shape = {4}}));
  const auto state = encoder.state_dict();
  EXPECT_EQ(state.size(), 2 * layer.state_dict().size() + 2);
  for (const auto& [path, tensor] : layer.state_dict()) {
    EXPECT_TRUE(same_bits(state.at("layers.1." + path).detach(), tensor.detach())) << path;
    EXPECT_NE(state.at("layers.1." + path).raw_as<float>(), tensor.raw_as<float>()) << path;
  }
  EXPECT_TRUE(state.contains("norm.bias"));
  EXPECT_THROW(TransformerEncoder(layer, 0), ArgumentError);
}

TEST(Transformer, HasWeightsOfItsOwnInEachLayer) {
  Transformer model({.d_model = 4, .nhead = 2, .num_encoder_layers = 2, .num_decoder_layers = 1, .dim_feedforward = 3});
  const auto state = model.state_dict();
  const Tensor& weight = state.at("encoder.layers.0.linear1.weight");
  EXPECT_FALSE(same_bits(weight.detach(), state.at("encoder.layers.1.linear1.weight").detach()));
  const float bound = std::sqrt(6.0f / 7);
  for (const float value : weight.detach().to_vector<float>()) EXPECT_LE(std::abs(value), bound);
  EXPECT_TRUE(state.contains("decoder.layers.0.multihead_attn.in_proj_weight"));
  EXPECT_TRUE(state.contains("decoder.norm.weight"));
}

TEST(Transformer, TheCausalMaskIsMinusInfinityAboveTheDiagonal) {
  const float none = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(generate_square_subsequent_mask(3).to_vector<float>(),
            (std::vector<float>{0, none, none, 0, 0, none, 0, 0, 0}));
}

TEST(LossModules, AreTheFunctionsWithTheirOptions) {
  const Tensor x = sample_values({4, 3}), y = sample_values({4, 3}) * 0.5;
  const Tensor classes = Tensor::from<int64_t>({2, 0, 1, 2}, {4}), weight = Tensor::from({0.5f, 2.0f, 0.75f}, {3});
  const auto expect = [](const Tensor& got, const Tensor& wanted) { EXPECT_TRUE(same_bits(got, wanted)); };
  expect(MSELoss()(x, y), mse_loss(x, y));
  expect(L1Loss({.reduction = "sum"})(x, y), l1_loss(x, y, {.reduction = "sum"}));
  expect(SmoothL1Loss({.beta = 0.5})(x, y), smooth_l1_loss(x, y, {.beta = 0.5}));
  expect(HuberLoss({.delta = 0.5})(x, y), huber_loss(x, y, {.delta = 0.5}));
  expect(KLDivLoss({.log_target = true})(x, y), kl_div(x, y, {.log_target = true}));
  expect(BCELoss()(sigmoid(x), sigmoid(y)), binary_cross_entropy(sigmoid(x), sigmoid(y)));
  expect(BCEWithLogitsLoss({.pos_weight = weight})(x, y),
         binary_cross_entropy_with_logits(x, y, {.pos_weight = weight}));
  expect(NLLLoss({.weight = weight})(log_softmax(x), classes), nll_loss(log_softmax(x), classes, {.weight = weight}));
  expect(CrossEntropyLoss({.label_smoothing = 0.25})(x, classes), cross_entropy(x, classes, {.label_smoothing = 0.25}));
  CTCLoss ctc({.blank = 1});
  const Tensor steps = log_softmax(sample_values({6, 2, 4}));
  const Tensor labels = Tensor::from<int64_t>({2, 3, 0, 2}, {2, 2}), six = Tensor::from<int64_t>({6, 5}, {2});
  const Tensor two = Tensor::from<int64_t>({2, 1}, {2}), inputs[] = {steps, labels, six, two};
  const int64_t lengths[] = {6, 5}, counts[] = {2, 1};
  expect(static_cast<Module&>(ctc)(std::span<const Tensor>(inputs)).front(),
         ctc_loss(steps, labels, lengths, counts, {.blank = 1}));
}

TEST(LossModules, HoldTheirWeightsAsBuffers) {
  const Tensor weight = Tensor::from({0.5f, 2.0f, 0.75f}, {3});
  CrossEntropyLoss loss({.weight = weight.clone()});
  EXPECT_EQ(loss.state_dict().size(), 1u);
  EXPECT_TRUE(loss.parameters().empty());
  loss.load_state_dict({{"weight", weight * 2}});
  const Tensor x = sample_values({2, 3}), y = Tensor::from<int64_t>({2, 0}, {2});
  EXPECT_TRUE(same_bits(loss(x, y), cross_entropy(x, y, {.weight = weight * 2})));
  EXPECT_THROW(static_cast<Module&>(loss)(x), ArgumentError);
}

TEST(CtcLoss, TakesOneSequenceWithoutABatch) {
  const Tensor steps = log_softmax(sample_values({6, 4})), labels = Tensor::from<int64_t>({2, 3}, {2});
  const int64_t length[] = {6}, count[] = {2};
  for (const std::string reduction : {"mean", "sum", "none"}) {
    const Tensor one = ctc_loss(steps, labels, length, count, {.reduction = reduction});
    EXPECT_EQ(one.rank(), 0u);
    const Tensor batch = ctc_loss(unsqueeze(steps, {1}), labels, length, count, {.reduction = reduction});
    EXPECT_TRUE(same_bits(reshape(one, {1}), reshape(batch, {1})));
  }
}

// How many runs of `row` elements are 0; all others are `scaled`.
size_t dropped_rows(const Tensor& y, int64_t row, float scaled) {
  const std::vector<float> values = y.contiguous().to_vector<float>();
  size_t dropped = 0;
  for (size_t i = 0; i < values.size(); i += static_cast<size_t>(row)) {
    const std::set<float> seen(values.begin() + static_cast<ptrdiff_t>(i),
                               values.begin() + static_cast<ptrdiff_t>(i) + static_cast<ptrdiff_t>(row));
    EXPECT_EQ(seen.size(), 1u) << "a channel is dropped as a whole";
    EXPECT_TRUE(*seen.begin() == 0 || *seen.begin() == scaled) << *seen.begin();
    dropped += *seen.begin() == 0;
  }
  return dropped;
}

TEST(ChannelDropout, DropsWholeChannelsAndScalesTheOthers) {
  manual_seed(4);
  Dropout1d line(DropoutOptions{0.25});
  Dropout2d image(DropoutOptions{0.25});
  Dropout3d volume(DropoutOptions{0.25});
  const auto ones = [](const Dims& dims) { return Tensor::full(dims, 1); };
  const auto expect = [](size_t dropped, double of) { EXPECT_NEAR(static_cast<double>(dropped) / of, 0.25, 0.1); };
  expect(dropped_rows(line(ones({20, 30, 3})), 3, 1 / 0.75f), 600);
  expect(dropped_rows(line(ones({600, 3})), 3, 1 / 0.75f), 600);
  expect(dropped_rows(image(ones({20, 30, 2, 3})), 6, 1 / 0.75f), 600);
  expect(dropped_rows(image(ones({20, 30, 3})), 3, 1 / 0.75f), 600);
  expect(dropped_rows(volume(ones({20, 30, 2, 2, 3})), 12, 1 / 0.75f), 600);
  expect(dropped_rows(volume(ones({600, 2, 2, 3})), 12, 1 / 0.75f), 600);
  EXPECT_THROW(line(ones({3})), ShapeError);
  EXPECT_THROW(Dropout2d(DropoutOptions{1.5}), ArgumentError);
}

TEST(Pads, NameWhatDoesNotFit) {
  try {
    ReflectionPad2d layer(PadOptions{{1, 2, 3}});
    ADD_FAILURE();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "ReflectionPad2d: padding must be one number or 4, got 3");
  }
}

TEST(RecurrentCells, NameWhatDoesNotFit) {
  LSTMCell cell({.input_size = 3, .hidden_size = 2});
  const auto refusal = [&](std::vector<Tensor> inputs) -> std::string {
    try {
      static_cast<Module&>(cell)(std::span<const Tensor>(inputs));
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(refusal({Tensor::zeros({2, 4})}), "LSTMCell: the input must be [batch, 3] or [3], got [2, 4]");
  EXPECT_EQ(refusal({Tensor::zeros({2, 3}), Tensor::zeros({1, 2})}), "LSTMCell: state 0 must be [2, 2], got [1, 2]");
  EXPECT_EQ(refusal({Tensor::zeros({3}), Tensor(), Tensor::zeros({2})}), "nothing was thrown");
}

}  // namespace
}  // namespace onemodel::nn
