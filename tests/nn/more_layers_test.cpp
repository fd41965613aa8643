// Layers of one input against PyTorch, beyond those of layers_test.cpp.

#include <gtest/gtest.h>

#include "eager/autograd.h"
#include "nn/goldens.h"
#include "nn/layers.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

constexpr double kTolerance = 1e-5;

struct LayerCase {
  std::string name;
  std::function<std::shared_ptr<Module>()> make;
};

template <class M>
LayerCase layer_case(std::string name, typename M::Options options = {}) {
  return {std::move(name), [options] { return std::make_shared<M>(options); }};
}

std::vector<LayerCase> line_cases() {
  return {
      layer_case<Conv1d>("conv1d", {.in_channels = 4,
                                    .out_channels = 6,
                                    .kernel_size = 3,
                                    .stride = 2,
                                    .padding = 1,
                                    .dilation = 2,
                                    .groups = 2}),
      layer_case<ConvTranspose1d>("conv_transpose1d", {.in_channels = 4,
                                                       .out_channels = 2,
                                                       .kernel_size = 3,
                                                       .stride = 2,
                                                       .padding = 1,
                                                       .output_padding = 1,
                                                       .groups = 2}),
      layer_case<MaxPool1d>("max_pool1d",
                            {.kernel_size = 3, .stride = 2, .padding = 1, .dilation = 2, .ceil_mode = true}),
      layer_case<AvgPool1d>("avg_pool1d", {.kernel_size = 3, .stride = 2, .padding = 1, .count_include_pad = false}),
      layer_case<BatchNorm1d>("batch_norm1d", {.num_features = 4}),
      layer_case<InstanceNorm1d>("instance_norm1d", {.num_features = 4}),
      layer_case<InstanceNorm1d>("instance_norm1d_tracked",
                                 {.num_features = 4, .affine = true, .track_running_stats = true}),
      {"instance_norm1d_eval",
       [] {
         auto module = std::make_shared<InstanceNorm1d>(
             InstanceNormOptions{.num_features = 4, .affine = true, .track_running_stats = true});
         module->eval();
         return module;
       }},
      layer_case<LayerNorm>("layer_norm", {.normalized_shape = 7}),
      layer_case<LayerNorm>("layer_norm_options", {.normalized_shape = {4, 7}, .eps = 1e-3}),
      layer_case<LayerNorm>("layer_norm_plain", {.normalized_shape = 7, .elementwise_affine = false}),
      layer_case<GroupNorm>("group_norm", {.num_groups = 2, .num_channels = 4, .eps = 1e-3}),
      layer_case<GroupNorm>("group_norm_plain", {.num_groups = 4, .num_channels = 4, .affine = false}),
      layer_case<Upsample>("upsample_linear", {.scale_factor = 1.5, .mode = "linear"}),
      layer_case<Upsample>("upsample_size", {.size = 10}),
      layer_case<Upsample>("upsample_exact", {.size = 10, .mode = "nearest-exact"}),
      layer_case<PReLU>("prelu", {.num_parameters = 4}),
      layer_case<GLU>("glu", {.dim = 1}),
  };
}

std::vector<LayerCase> image_cases() {
  return {
      layer_case<ConvTranspose2d>("conv_transpose2d", {.in_channels = 2,
                                                       .out_channels = 2,
                                                       .kernel_size = {3, 2},
                                                       .stride = {2, 1},
                                                       .padding = {1, 0},
                                                       .output_padding = {1, 0}}),
      layer_case<ConvTranspose2d>(
          "conv_transpose2d_dilation",
          {.in_channels = 2, .out_channels = 3, .kernel_size = 2, .bias = false, .dilation = {1, 2}}),
      layer_case<InstanceNorm2d>("instance_norm2d", {.num_features = 2, .affine = true}),
      layer_case<Upsample>("upsample_nearest", {.scale_factor = 2}),
      layer_case<Upsample>("upsample_bilinear", {.scale_factor = Factors{2, 1.5}, .mode = "bilinear"}),
      layer_case<Upsample>("upsample_bilinear_corners",
                           {.size = Sizes{5, 2}, .mode = "bilinear", .align_corners = true}),
      layer_case<Upsample>("upsample_bicubic", {.size = Sizes{3, 7}, .mode = "bicubic"}),
      layer_case<Upsample>("upsample_bicubic_corners", {.scale_factor = 2, .mode = "bicubic", .align_corners = true}),
      layer_case<AdaptiveAvgPool2d>("adaptive_avg_pool2d"),
      layer_case<Conv3d>(
          "conv3d",
          {.in_channels = 2, .out_channels = 2, .kernel_size = {2, 1, 3}, .stride = {1, 2, 1}, .padding = {1, 0, 1}}),
      layer_case<MaxPool3d>("max_pool3d", {.kernel_size = 2, .stride = 1, .padding = {1, 0, 1}}),
      layer_case<AvgPool3d>("avg_pool3d", {.kernel_size = {2, 3, 1}, .stride = Triple(1, 2, 1), .padding = {1, 0, 0}}),
      layer_case<BatchNorm3d>("batch_norm3d", {.num_features = 2}),
      layer_case<Upsample>("upsample_trilinear", {.size = Sizes{3, 4, 2}, .mode = "trilinear"}),
  };
}

std::vector<LayerCase> adaptive_cases() {
  return {layer_case<AdaptiveAvgPool1d>("adaptive_avg_pool1d", {.output_size = 3}),
          layer_case<AdaptiveAvgPool1d>("adaptive_avg_pool1d_one", {.output_size = 1}),
          layer_case<AdaptiveAvgPool1d>("adaptive_avg_pool1d_more", {.output_size = 10}),
          layer_case<AdaptiveAvgPool2d>("adaptive_avg_pool2d_even", {.output_size = {3, 5}}),
          layer_case<AdaptiveAvgPool2d>("adaptive_avg_pool2d_overlap", {.output_size = {4, 2}}),
          layer_case<AdaptiveAvgPool2d>("adaptive_avg_pool2d_row", {.output_size = {1, 3}}),
          layer_case<AdaptiveAvgPool2d>("adaptive_avg_pool2d_mixed", {.output_size = 3}),
          layer_case<AdaptiveAvgPool2d>("adaptive_avg_pool2d_more", {.output_size = {7, 6}})};
}

std::vector<LayerCase> activation_cases() {
  return {layer_case<SiLU>("silu"),
          layer_case<Mish>("mish"),
          layer_case<SELU>("selu"),
          layer_case<Softsign>("softsign"),
          layer_case<LogSigmoid>("log_sigmoid"),
          layer_case<ReLU6>("relu6"),
          layer_case<ELU>("elu", {.alpha = 0.5}),
          layer_case<CELU>("celu", {.alpha = 2}),
          layer_case<Softplus>("softplus", {.beta = 2}),
          layer_case<Hardtanh>("hardtanh", {.min_val = -0.5, .max_val = 0.75})};
}

class MoreLayersGolden : public testing::TestWithParam<LayerCase> {};

TEST_P(MoreLayersGolden, ForwardBackwardAndBuffersMatchPyTorch) {
  const auto& golden = test::golden("modules", GetParam().name);
  const std::shared_ptr<Module> module = GetParam().make();
  module->load_state_dict(test::golden_tensors(golden.at("state")));
  const Tensor x = golden_tensor(golden.at("x"));
  set_requires_grad(x);
  const Tensor y = (*module)(x);
  EXPECT_TRUE(close(y.detach(), golden_tensor(golden.at("y")), kTolerance));
  backward(y, golden_tensor(golden.at("dy")));
  EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx")), kTolerance));
  for (const auto& [path, parameter, kind] : module->named_parameters())
    EXPECT_TRUE(close(grad(parameter), golden_tensor(golden.at("gradients").at(path)), kTolerance)) << path;
  const auto state = module->state_dict();
  for (const auto& [path, buffer] : test::golden_tensors(golden.at("buffers")))
    EXPECT_TRUE(close(state.at(path).cast(DType::f32), buffer, kTolerance)) << path;
}

const auto kName = [](const testing::TestParamInfo<LayerCase>& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Lines, MoreLayersGolden, testing::ValuesIn(line_cases()), kName);
INSTANTIATE_TEST_SUITE_P(Images, MoreLayersGolden, testing::ValuesIn(image_cases()), kName);
INSTANTIATE_TEST_SUITE_P(AdaptivePools, MoreLayersGolden, testing::ValuesIn(adaptive_cases()), kName);
INSTANTIATE_TEST_SUITE_P(Activations, MoreLayersGolden, testing::ValuesIn(activation_cases()), kName);

TEST(RMSNorm, FollowsTheFormula) {
  RMSNorm layer({.normalized_shape = 2, .eps = 0.5});
  const Tensor x = Tensor::from({1.0f, 2.0f, -3.0f, 0.0f}, {2, 2});
  const Tensor expected = Tensor::from({0.5773503f, 1.1547005f, -1.3416408f, 0.0f}, {2, 2});
  EXPECT_TRUE(close(layer(x).detach(), expected, 1e-6));
}

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

TEST(GELU, RefusesAnotherApproximationWhenMade) {
  EXPECT_EQ(refusal<GELU>({.approximate = "sigmoid"}), "GELU: approximate must be none or tanh, got 'sigmoid'");
}

TEST(AdaptiveAvgPool, RejectsWhatDoesNotFit) {
  EXPECT_THROW(AdaptiveAvgPool1d({.output_size = 0}), ArgumentError);
  EXPECT_THROW(AdaptiveAvgPool2d({.output_size = {2, 0}}), ArgumentError);
  EXPECT_THROW(AdaptiveAvgPool1d({.output_size = 2})(Tensor::zeros({2, 6})), ShapeError);
  EXPECT_THROW(AdaptiveAvgPool2d({.output_size = 2})(Tensor::zeros({1, 2, 0, 4})), ShapeError);
}

}  // namespace
}  // namespace onemodel::nn
