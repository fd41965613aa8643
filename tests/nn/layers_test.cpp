#include "nn/layers.h"

#include <gtest/gtest.h>

#include <functional>

namespace onemodel::nn {
namespace {

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
