#include "nn/ctc_loss.h"

#include <gtest/gtest.h>

#include <limits>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "nn/goldens.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

using test::close;
using test::golden_tensor;

void expect_golden(const std::string& name, CtcLossOptions options) {
  const auto& golden = test::golden("losses", name);
  const auto inputs = golden.at("input_lengths").get<std::vector<int64_t>>();
  const auto targets = golden.at("target_lengths").get<std::vector<int64_t>>();
  for (const std::string reduction : {"mean", "sum", "none"}) {
    const Tensor x = golden_tensor(golden.at("x"));
    set_requires_grad(x);
    const Tensor target = golden_tensor(golden.at("target"), DType::i64);
    options.reduction = reduction;
    const Tensor loss = ctc_loss(log_softmax(x, 2), target, inputs, targets, options);
    EXPECT_TRUE(close(loss.detach(), golden_tensor(golden.at(reduction)), 1e-5)) << reduction;
    backward(sum(loss));
    EXPECT_TRUE(close(grad(x), golden_tensor(golden.at("dx_" + reduction)), 1e-5)) << reduction;
  }
}

TEST(CtcLoss, MatchesPyTorch) {
  expect_golden("ctc_loss", {});
  expect_golden("ctc_loss_joined", {});
  expect_golden("ctc_loss_options", {.blank = 3, .zero_infinity = true});
}

TEST(CtcLoss, OfATargetThatDoesNotFitIsInfiniteOrNothing) {
  const Tensor logits = Tensor::zeros({2, 1, 3}), target = Tensor::from<int64_t>({1, 1}, {1, 2});
  const int64_t inputs[] = {2}, targets[] = {2};  // 1 1 needs a blank between
  const Tensor x = log_softmax(logits, 2);
  EXPECT_EQ(ctc_loss(x, target, inputs, targets, {.reduction = "sum"}).item<float>(),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ(ctc_loss(x, target, inputs, targets, {.reduction = "sum", .zero_infinity = true}).item<float>(), 0);
  set_requires_grad(logits);
  backward(ctc_loss(log_softmax(logits, 2), target, inputs, targets));
  EXPECT_EQ(grad(logits).to_vector<float>(), std::vector<float>(6, 0));
}

TEST(CtcLoss, RejectsWhatDoesNotFit) {
  const Tensor x = Tensor::zeros({2, 1, 3}), target = Tensor::from<int64_t>({1, 3}, {1, 2});
  const int64_t one[] = {1}, two[] = {2}, three[] = {3};
  EXPECT_THROW(ctc_loss(x, target, two, two), ArgumentError) << "class 3 of 3";
  EXPECT_THROW(ctc_loss(x, target, three, one), ArgumentError);
  EXPECT_THROW(ctc_loss(x, target, two, one, {.blank = 3}), ArgumentError);
  EXPECT_THROW(ctc_loss(x, Tensor::zeros({2, 1}), two, one), ShapeError);
  EXPECT_THROW(ctc_loss(x, Tensor::from<int64_t>({1, 2}, {2}), two, one), ShapeError) << "2 labels, 1 used";
}

}  // namespace
}  // namespace onemodel::nn
