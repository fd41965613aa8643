#include "nn/clip_grad.h"

#include <gtest/gtest.h>

#include <limits>

#include "eager/autograd.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;

// Two leaves with gradients (3, 0) and (0, 4): together of norm 5.
std::vector<Tensor> leaves() {
  std::vector<Tensor> out = {Tensor::zeros({2}), Tensor::zeros({2}), Tensor::zeros({1})};
  set_grad(out[0], Tensor::from({3.0f, 0.0f}, {2}));
  set_grad(out[1], Tensor::from({0.0f, -4.0f}, {2}));
  return out;
}

TEST(ClipGradNorm, ScalesAllGradientsTogether) {
  const auto parameters = leaves();
  EXPECT_NEAR(clip_grad_norm(parameters, 1), 5, 1e-12);
  EXPECT_TRUE(close(grad(parameters[0]), Tensor::from({0.6f, 0.0f}, {2}), 1e-6));
  EXPECT_TRUE(close(grad(parameters[1]), Tensor::from({0.0f, -0.8f}, {2}), 1e-6));
  EXPECT_FALSE(grad(parameters[2]).defined());
}

TEST(ClipGradNorm, LeavesSmallGradientsAloneAndTakesOtherNorms) {
  const auto parameters = leaves();
  EXPECT_NEAR(clip_grad_norm(parameters, 7, 1), 7, 1e-12);
  EXPECT_NEAR(clip_grad_norm(parameters, 6), 5, 1e-6);
  EXPECT_NEAR(clip_grad_norm(parameters, 2, std::numeric_limits<double>::infinity()), 4, 1e-6);
  EXPECT_TRUE(close(grad(parameters[1]), Tensor::from({0.0f, -2.0f}, {2}), 1e-5));
  EXPECT_THROW(clip_grad_norm(parameters, -1), ArgumentError);
}

TEST(ClipGradValue, BoundsEachElement) {
  const auto parameters = leaves();
  clip_grad_value(parameters, 2);
  EXPECT_TRUE(close(grad(parameters[0]), Tensor::from({2.0f, 0.0f}, {2}), 0));
  EXPECT_TRUE(close(grad(parameters[1]), Tensor::from({0.0f, -2.0f}, {2}), 0));
}

}  // namespace
}  // namespace onemodel::nn
