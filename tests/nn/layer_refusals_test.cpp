// What layers refuse, and the functions that they are, beyond what golden_modules_test.cpp compares.

#include <gtest/gtest.h>

#include <limits>

#include "eager/functions_norm.h"
#include "nn/layers.h"
#include "ops/sample.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

template <class M>
std::string refusal(const typename M::Options& options) {
  try {
    M layer(options);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Upsample, RefusesOptionsWhenMade) {
  EXPECT_EQ(refusal<Upsample>({}), "Upsample: either size or scale_factor must be given, got neither");
  EXPECT_EQ(refusal<Upsample>({.size = 3, .scale_factor = 2}),
            "Upsample: either size or scale_factor must be given, got both");
  EXPECT_EQ(refusal<Upsample>({.size = 3, .mode = "area"}),
            "Upsample: mode must be nearest, nearest-exact, linear, bilinear, trilinear or bicubic, got 'area'");
  EXPECT_EQ(refusal<Upsample>({.size = 3, .align_corners = true}), "Upsample: align_corners is not for mode 'nearest'");
  EXPECT_EQ(refusal<Upsample>({.size = Sizes{3, 0}}), "Upsample: size must be 1 or more, got 0");
  EXPECT_EQ(refusal<Upsample>({.scale_factor = -2}), "Upsample: scale_factor must be positive, got -2");
}

TEST(Upsample, RefusesAFactorThatLeavesNothing) {
  EXPECT_THROW(Upsample({.scale_factor = 0.1})(Tensor::zeros({1, 1, 3})), ArgumentError);
  EXPECT_EQ(Upsample({.scale_factor = 0.5})(Tensor::zeros({1, 1, 3})).dims(), (Dims{1, 1, 1}));
}

TEST(Pools, RefusePaddingOfMoreThanHalfAWindow) {
  const Tensor x = Tensor::zeros({1, 1, 8, 8}), line = Tensor::zeros({1, 1, 8});
  EXPECT_THROW(MaxPool2d({.kernel_size = 3, .padding = 2})(x), ArgumentError);
  EXPECT_THROW(MaxPool2d({.kernel_size = {3, 5}, .padding = {1, 3}})(x), ArgumentError);
  EXPECT_THROW(AvgPool2d({.kernel_size = 3, .padding = 2})(x), ArgumentError);
  EXPECT_THROW(MaxPool1d({.kernel_size = 3, .padding = 2})(line), ArgumentError);
  EXPECT_THROW(AvgPool1d({.kernel_size = 3, .padding = -1})(line), ArgumentError);
  EXPECT_NO_THROW(MaxPool2d({.kernel_size = 3, .padding = 2, .dilation = 2})(x));
}

TEST(Pools, RefuseExtentsOutOfRangeWhenMade) {
  EXPECT_EQ(refusal<MaxPool1d>({.kernel_size = 0}), "MaxPool1d: kernel_size must be at least 1, got 0");
  EXPECT_EQ(refusal<MaxPool2d>({.kernel_size = 2, .stride = 0}), "MaxPool2d: stride must be at least 1, got 0");
  EXPECT_EQ(refusal<MaxPool3d>({.kernel_size = 2, .dilation = {1, 0, 1}}),
            "MaxPool3d: dilation must be at least 1, got 0");
  EXPECT_EQ(refusal<AvgPool1d>({.kernel_size = 2, .padding = -1}), "AvgPool1d: padding must be at least 0, got -1");
  EXPECT_EQ(refusal<AvgPool2d>({.kernel_size = {2, 0}}), "AvgPool2d: kernel_size must be at least 1, got 0");
  EXPECT_EQ(refusal<AvgPool3d>({.kernel_size = 2, .stride = 0}), "AvgPool3d: stride must be at least 1, got 0");
}

TEST(BatchNorm, WithoutMomentumKeepsTheMeansOfAllBatches) {
  BatchNorm1d layer({.num_features = 1, .momentum = std::nullopt});
  EXPECT_EQ(layer.describe(),
            "BatchNorm1d(num_features=1, eps=1e-05, momentum=null, affine=true, track_running_stats=true)");
  const float means[] = {1, 4, 10};
  for (const float mean : means) layer(Tensor::from<float>({mean - 3, mean + 3}, {2, 1}));  // variance 18
  const std::map<std::string, Tensor> state = layer.state_dict();
  EXPECT_FLOAT_EQ(state.at("running_mean").item<float>(), 5);
  EXPECT_FLOAT_EQ(state.at("running_var").item<float>(), 18);
  EXPECT_EQ(state.at("num_batches_tracked").item<int64_t>(), 3);

  BatchNorm1d resumed({.num_features = 1, .momentum = std::nullopt});
  resumed.load_state_dict(state);
  resumed(Tensor::from<float>({-2, 0}, {2, 1}));
  EXPECT_FLOAT_EQ(resumed.state_dict().at("running_mean").item<float>(), 3.5f);
  EXPECT_FLOAT_EQ(resumed.state_dict().at("running_var").item<float>(), 14);
  resumed.eval();
  resumed(Tensor::from<float>({100}, {1, 1}));
  EXPECT_EQ(resumed.state_dict().at("num_batches_tracked").item<int64_t>(), 4);

  BatchNorm1d untracked({.num_features = 1, .momentum = std::nullopt, .track_running_stats = false});
  EXPECT_TRUE(test::close(untracked(Tensor::from<float>({-1, 3}, {2, 1})), Tensor::from<float>({-1, 1}, {2, 1}), 1e-4));
}

TEST(Layers, RefuseNumbersThatNothingCanBeMadeOfWhenMade) {
  EXPECT_THROW(LayerNorm({.normalized_shape = 3, .eps = -1}), ArgumentError);
  EXPECT_THROW(RMSNorm({.normalized_shape = 3, .eps = -1}), ArgumentError);
  EXPECT_THROW(GroupNorm({.num_groups = 1, .num_channels = 3, .eps = -1}), ArgumentError);
  EXPECT_THROW(BatchNorm1d({.num_features = 3, .eps = -1}), ArgumentError);
  EXPECT_THROW(BatchNorm2d({.num_features = 3, .eps = -1}), ArgumentError);
  EXPECT_THROW(InstanceNorm2d({.num_features = 3, .eps = -1}), ArgumentError);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal<BatchNorm1d>({.num_features = 3, .momentum = nan}),
            "BatchNorm1d: momentum must be finite, got nan");
  EXPECT_EQ(refusal<BatchNorm2d>({.num_features = 3, .momentum = nan}),
            "BatchNorm2d: momentum must be finite, got nan");
  EXPECT_THROW(Hardtanh({.min_val = 1, .max_val = 1}), ArgumentError);
  EXPECT_THROW(CELU({.alpha = 0}), ArgumentError);
}

TEST(Layers, RefuseAMissingInput) {
  Linear layer(2, 2);
  EXPECT_THROW(layer(Tensor()), ArgumentError);
  MultiheadAttention attention({.embed_dim = 4, .num_heads = 2});
  EXPECT_THROW(static_cast<Module&>(attention)(Tensor()), ArgumentError);
  LSTM lstm({.input_size = 2, .hidden_size = 2});
  EXPECT_THROW(static_cast<Module&>(lstm)(Tensor()), ArgumentError);
}

TEST(GELU, RefusesAnotherApproximationWhenMade) {
  EXPECT_EQ(refusal<GELU>({.approximate = "sigmoid"}), "GELU: approximate must be none or tanh, got 'sigmoid'");
}

TEST(AdaptiveAvgPool, RejectsWhatDoesNotFit) {
  EXPECT_THROW(AdaptiveAvgPool1d({.output_size = 0}), ArgumentError);
  EXPECT_THROW(AdaptiveAvgPool2d({.output_size = {2, 0}}), ArgumentError);
  EXPECT_THROW(AdaptiveAvgPool1d({.output_size = 2})(Tensor::zeros({6})), ShapeError);
  EXPECT_THROW(AdaptiveAvgPool2d({.output_size = 2})(Tensor::zeros({1, 2, 0, 4})), ShapeError);
}

TEST(Conv, RefusesPaddingsWhenMade) {
  const ConvOptions<int64_t> line = {.in_channels = 1, .out_channels = 1, .kernel_size = 3};
  auto strided = line, word = line, mode = line;
  strided.stride = 2;
  strided.padding = "same";
  word.padding = "full";
  mode.padding_mode = "edge";
  EXPECT_EQ(refusal<Conv1d>(strided), "Conv1d: padding 'same' needs a stride of 1, got 2");
  EXPECT_EQ(refusal<Conv1d>(word), "Conv1d: padding must be numbers, same or valid, got 'full'");
  EXPECT_EQ(refusal<Conv1d>(mode), "Conv1d: padding_mode must be zeros, reflect, replicate or circular, got 'edge'");
  EXPECT_EQ(
      Conv1d(line).describe(),
      "Conv1d(in_channels=1, out_channels=1, kernel_size=3, stride=1, padding=0, dilation=1, groups=1, bias=true, "
      "padding_mode=\"zeros\")");
  word.padding = "same";
  EXPECT_NE(Conv1d(word).describe().find("padding=\"same\""), std::string::npos);
}

TEST(Conv, NamesTheRankItExpects) {
  ConvTranspose3d layer({.in_channels = 2, .out_channels = 1, .kernel_size = 1});
  try {
    layer(Tensor::zeros({2, 3, 3}));
    ADD_FAILURE();
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(),
                 "ConvTranspose3d: the input must be [batch, channels, depth, height, width] or without the batch, got "
                 "[2, 3, 3]");
  }
}

TEST(Conv, IsTheFunction) {
  const auto expect_same = [](Module& layer, const Tensor& x, const auto& function) {
    const auto state = layer.state_dict();
    EXPECT_TRUE(test::same_bits(layer(x).detach(), function(state.at("weight").detach(), state.at("bias").detach())));
  };
  const Tensor line = sample_values({2, 4, 7}), volume = sample_values({1, 2, 4, 3, 3});
  Conv1d conv1({.in_channels = 4, .out_channels = 6, .kernel_size = 3, .stride = 2, .padding = 1, .groups = 2});
  expect_same(conv1, line, [&](auto w, auto b) { return conv1d(line, w, b, 2, 1, 1, 2); });
  ConvTranspose1d transposed1(
      {.in_channels = 4, .out_channels = 2, .kernel_size = 3, .stride = 2, .output_padding = 1});
  expect_same(transposed1, line, [&](auto w, auto b) { return conv_transpose1d(line, w, b, 2, 0, 1); });
  Conv3d conv3({.in_channels = 2, .out_channels = 2, .kernel_size = {2, 1, 3}, .padding = {1, 0, 1}});
  expect_same(conv3, volume, [&](auto w, auto b) { return conv3d(volume, w, b, 1, {1, 0, 1}); });
  ConvTranspose3d transposed3(
      {.in_channels = 2, .out_channels = 4, .kernel_size = 2, .stride = {2, 1, 1}, .padding = {0, 1, 0}, .groups = 2});
  expect_same(transposed3, volume, [&](auto w, auto b) {
    return conv_transpose3d(volume, w, b, {2, 1, 1}, {0, 1, 0}, 0, 2);
  });
}

}  // namespace
}  // namespace onemodel::nn
