#include "nn/layers.h"

#include <gtest/gtest.h>

#include "eager/autograd.h"
#include "nn/goldens.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

struct LayerCase {
  std::string name;
  std::function<std::shared_ptr<Module>()> make;
};

template <class M>
LayerCase layer_case(std::string name, typename M::Options options = {}) {
  return {std::move(name), [options] { return std::make_shared<M>(options); }};
}

const std::vector<LayerCase>& cases() {
  static const std::vector<LayerCase> all = {
      layer_case<Linear>("linear", {.in_features = 3, .out_features = 2}),
      layer_case<Linear>("linear_rank3", {.in_features = 3, .out_features = 2, .bias = false}),
      layer_case<Conv2d>("conv2d", {.in_channels = 4, .out_channels = 3, .kernel_size = 3}),
      layer_case<Conv2d>("conv2d_options", {.in_channels = 4,
                                            .out_channels = 6,
                                            .kernel_size = {3, 2},
                                            .stride = {2, 1},
                                            .padding = {1, 2},
                                            .dilation = {1, 2},
                                            .groups = 2}),
      layer_case<BatchNorm2d>("batch_norm2d", {.num_features = 3}),
      layer_case<BatchNorm2d>("batch_norm2d_momentum", {.num_features = 3, .eps = 1e-3, .momentum = 0.3}),
      layer_case<BatchNorm2d>("batch_norm2d_plain", {.num_features = 3, .affine = false, .track_running_stats = false}),
      {"batch_norm2d_eval",
       [] {
         auto module = std::make_shared<BatchNorm2d>(BatchNorm2dOptions{.num_features = 3, .eps = 1e-3});
         module->eval();
         return module;
       }},
      layer_case<MaxPool2d>("max_pool2d", {.kernel_size = 2}),
      layer_case<MaxPool2d>("max_pool2d_options",
                            {.kernel_size = {3, 2}, .stride = 2, .padding = 1, .ceil_mode = true}),
      layer_case<AvgPool2d>("avg_pool2d", {.kernel_size = 2}),
      layer_case<AvgPool2d>(
          "avg_pool2d_options",
          {.kernel_size = 3, .stride = Pair(2, 1), .padding = 1, .ceil_mode = true, .count_include_pad = false}),
      layer_case<GlobalAvgPool2d>("global_avg_pool2d"),
      layer_case<Flatten>("flatten"),
      layer_case<Flatten>("flatten_options", {.start_dim = 2, .end_dim = 3}),
      layer_case<ReLU>("relu"),
      layer_case<LeakyReLU>("leaky_relu", {.negative_slope = 0.2}),
      layer_case<Sigmoid>("sigmoid"),
      layer_case<Tanh>("tanh"),
      layer_case<GELU>("gelu"),
      layer_case<GELU>("gelu_tanh", {.approximate = "tanh"}),
      layer_case<Hardsigmoid>("hardsigmoid"),
      layer_case<Hardswish>("hardswish"),
      layer_case<Softmax>("softmax", {.dim = 1}),
      layer_case<LogSoftmax>("log_softmax", {.dim = -1}),
  };
  return all;
}

class LayerGolden : public testing::TestWithParam<LayerCase> {};

TEST_P(LayerGolden, ForwardBackwardAndBuffersMatchPyTorch) {
  const auto& golden = test::golden("modules", GetParam().name);
  const std::shared_ptr<Module> module = GetParam().make();
  module->load_state_dict(test::golden_tensors(golden.at("state")));
  const Tensor x = golden_tensor(golden.at("x"));
  set_requires_grad(x);
  const Tensor y = (*module)(x);
  EXPECT_TRUE(close(y.detach(), golden_tensor(golden.at("y")), 2e-6));
  backward(y, golden_tensor(golden.at("dy")));
  EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx")), 2e-6));
  for (const auto& [path, parameter, kind] : module->named_parameters())
    EXPECT_TRUE(close(grad(parameter), golden_tensor(golden.at("gradients").at(path)), 2e-6)) << path;
  const auto state = module->state_dict();
  for (const auto& [path, buffer] : test::golden_tensors(golden.at("buffers")))
    EXPECT_TRUE(close(state.at(path).cast(DType::f32), buffer, 1e-6)) << path;
}

INSTANTIATE_TEST_SUITE_P(All, LayerGolden, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Linear, NamesTheExtentItExpects) {
  Linear layer(3, 2);
  EXPECT_EQ(message_of([&] {
              layer(Tensor::zeros({4, 5}));
            }),
            "Linear: the input's last axis must have extent 3, got [4, 5]");
  EXPECT_THROW(layer(Tensor::zeros({4, 5})), ShapeError);
  EXPECT_THROW(Linear(0, 2), ArgumentError);
}

TEST(Conv2d, RejectsChannelsThatGroupsDoNotDivide) {
  EXPECT_EQ(
      message_of([] { Conv2d(Conv2dOptions{.in_channels = 4, .out_channels = 6, .kernel_size = 3, .groups = 3}); }),
      "Conv2d: in_channels 4 and out_channels 6 must be multiples of groups 3");
}

TEST(BatchNorm2d, RejectsOneValuePerChannelInTrainingMode) {
  BatchNorm2d layer(3);
  EXPECT_THROW(layer(Tensor::zeros({1, 3, 1, 1})), ShapeError);
  layer.eval();
  EXPECT_NO_THROW(layer(Tensor::zeros({1, 3, 1, 1})));
}

TEST(BatchNorm2d, RejectsOtherChannelsByName) {
  BatchNorm2d layer(3);
  EXPECT_EQ(message_of([&] {
              layer(Tensor::zeros({2, 4, 5, 5}));
            }),
            "BatchNorm2d: the input must be [batch, 3, height, width], got [2, 4, 5, 5]");
}

TEST(Layer, RejectsTwoInputs) {
  ReLU layer;
  const std::vector<Tensor> two(2, Tensor::zeros({1}));
  EXPECT_THROW(layer(std::span<const Tensor>(two)), ArgumentError);
}

}  // namespace
}  // namespace onemodel::nn
