// Losses and steps of optimizers, which are read as compositions, give what the ONNX text says.

#include <gtest/gtest.h>

#include <cmath>

#include "onnx/one_node.h"

namespace onemodel::test {
namespace {

const Tensor kLogs = reals({-1, -2, -3, -4, -5, -6}, {2, 3});  // [batch, classes]
const Tensor kTarget = Tensor::from<int64_t>({2, 0}, {2});
const Tensor kWeights = reals({1, 2, 3}, {3});

TEST(Functions, NegativeLogLikelihoodReduces) {
  const std::string nll = "NegativeLogLikelihoodLoss";
  const auto with = [&](const char* reduction) { return Attributes{{"reduction", std::string(reduction)}}; };
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget}, with("none")).first(), {3, 4}, {2}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget}, with("sum")).first(), {7}, {}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget}).first(), {3.5}, {}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget, kWeights}, with("none")).first(), {9, 4}, {2}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget, kWeights}).first(), {13.0 / 4}, {}));
  EXPECT_NE(Call(nll, {kLogs, kTarget}, with("most")).file.error().find("expects none, sum or mean"),
            std::string::npos);
}

TEST(Functions, NegativeLogLikelihoodIgnoresAClass) {
  const std::string nll = "NegativeLogLikelihoodLoss";
  const Attributes ignoring{{"ignore_index", int64_t{-1}}};
  const Tensor target = Tensor::from<int32_t>({-1, 1}, {2});
  EXPECT_TRUE(is(Call(nll, {kLogs, target}, ignoring).first(), {5}, {}));
  EXPECT_TRUE(is(Call(nll, {kLogs, target, kWeights}, ignoring).first(), {5}, {}));
  const Tensor infinite = reals({-INFINITY, -2, -3, -4, -5, -6}, {2, 3});
  EXPECT_TRUE(is(Call(nll, {infinite, target}, ignoring).first(), {5}, {}));
  const Attributes none{{"ignore_index", int64_t{2}}, {"reduction", std::string("none")}};
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget, kWeights}, none).first(), {0, 4}, {2}));
}

TEST(Functions, NegativeLogLikelihoodTakesPositions) {
  const Tensor logs = kLogs.reshape({1, 3, 2, 1});  // classes of position 0: -1, -3, -5
  const Tensor target = Tensor::from<int64_t>({1, 0}, {1, 2, 1});
  EXPECT_TRUE(is(Call("NegativeLogLikelihoodLoss", {logs, target}, {{"reduction", std::string("none")}}).first(),
                 {3, 2}, {1, 2, 1}));
}

TEST(Functions, SoftmaxCrossEntropyTellsLogProbabilities) {
  const Tensor scores = reals({0, std::log(3.0), 0, 0}, {2, 2}), target = Tensor::from<int64_t>({1, 0}, {2});
  const auto out = Call("SoftmaxCrossEntropyLoss", {scores, target}, {}, 2).run();
  EXPECT_TRUE(is(out[0], {(std::log(4.0 / 3) + std::log(2.0)) / 2}, {}));
  EXPECT_TRUE(is(out[1], {-std::log(4.0), std::log(0.75), -std::log(2.0), -std::log(2.0)}, {2, 2}));
}

Call optimizer(const std::string& type, const std::vector<Tensor>& operands, const Attributes& attributes,
               size_t outputs) {
  Call call(type, operands, attributes, outputs);
  call.file.last_node().set_domain("ai.onnx.preview.training");
  auto& import = *call.file.model.add_opset_import();
  import.set_domain("ai.onnx.preview.training");
  import.set_version(1);
  return call;
}

TEST(Functions, OptimizersStep) {
  const Tensor rate = Tensor::full({}, 0.5), first = Tensor::scalar(int64_t{0}), later = Tensor::scalar(int64_t{2});
  const Tensor x = reals({1}, {1}), g = reals({2}, {1}), s = reals({4}, {1}), h = reals({9}, {1});
  const auto value = [](const Tensor& tensor) { return tensor.to_vector<double>()[0]; };
  auto out = optimizer("Adagrad", {rate, later, x, g, s},
                       {{"decay_factor", 1.0}, {"norm_coefficient", 1.0}, {"epsilon", 0.0}}, 2)
                 .run();
  EXPECT_NEAR(value(out[1]), 4 + 9, 1e-6);  // the gradient is 2 + 1
  EXPECT_NEAR(value(out[0]), 1 - 0.5 / 3 * 3 / std::sqrt(13.0), 1e-6);
  const Attributes adam{{"alpha", 0.5}, {"beta", 0.75}, {"epsilon", 0.0}, {"norm_coefficient_post", 0.5}};
  out = optimizer("Adam", {rate, first, x, g, s, h}, adam, 3).run();
  EXPECT_NEAR(value(out[1]), 3, 1e-6);
  EXPECT_NEAR(value(out[2]), 7.75, 1e-6);
  EXPECT_NEAR(value(out[0]), 0.5 * (1 - 0.5 * 3 / std::sqrt(7.75)), 1e-6);
  out = optimizer("Adam", {rate, later, x, g, s, h}, adam, 3).run();
  EXPECT_NEAR(value(out[0]), 0.5 * (1 - 0.5 * std::sqrt(1 - 0.5625) / (1 - 0.25) * 3 / std::sqrt(7.75)), 1e-6);
  Attributes momentum{{"alpha", 0.5}, {"beta", 0.25}, {"norm_coefficient", 0.0}, {"mode", std::string("standard")}};
  out = optimizer("Momentum", {rate, later, x, g, s}, momentum, 2).run();
  EXPECT_NEAR(value(out[1]), 2.5, 1e-6);
  EXPECT_NEAR(value(out[0]), 1 - 1.25, 1e-6);
  momentum.back().second = std::string("nesterov");
  out = optimizer("Momentum", {rate, first, x, g, s}, momentum, 2).run();
  EXPECT_NEAR(value(out[1]), 4, 1e-6);  // beta is 1 in the first step
  EXPECT_NEAR(value(out[0]), 1 - 0.5 * (2 + 0.5 * 4), 1e-6);
  EXPECT_NE(optimizer("Adam", {rate, first, x, g, s, h, x}, adam, 3).file.error().find("expects 2 + 4 n inputs, got 7"),
            std::string::npos);
}

// As many outputs as there are tensors and states, however many the declaration allows.
TEST(Functions, OptimizersMakeNoOtherOutputs) {
  const Tensor one = Tensor::full({}, 0.5), count = Tensor::scalar(int64_t{2}), x = reals({1}, {1});
  Call call = optimizer("Adagrad", {one, count, x, x, x}, {}, 3);
  EXPECT_NE(call.file.error().find("opset 1): output 'y2' is made by nothing"), std::string::npos) << call.file.error();
  call.file.node("Neg", {"y2"}, {"z"}).output("z", {"1"}, DType::f32);
  EXPECT_EQ(call.file.error().find("problems"), std::string::npos) << call.file.error();
}

}  // namespace
}  // namespace onemodel::test
