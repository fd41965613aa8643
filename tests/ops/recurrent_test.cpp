#include "ops/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

Tensor values(const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f64, seed); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One input and one hidden value: W and R by gate, and both biases.
std::vector<Tensor> scalar_operands(int64_t gates) {
  return {values({3, 1, 1}, 1), values({1, gates, 1}, 2), values({1, gates, 1}, 3), values({1, 2 * gates}, 4)};
}

struct Scalars {
  explicit Scalars(const std::vector<Tensor>& in)
      : x(in[0].to_vector<double>()),
        w(in[1].to_vector<double>()),
        r(in[2].to_vector<double>()),
        b(in[3].to_vector<double>()) {}
  double gate(size_t g, size_t t, double h) const { return w[g] * x[t] + r[g] * h + b[g] + b[w.size() + g]; }
  std::vector<double> x, w, r, b;
};

TEST(LSTM, WithPeepholesFollowsTheFormula) {
  auto in = scalar_operands(4);
  in.insert(in.end(), {Tensor(), values({1, 1, 1}, 5), values({1, 1, 1}, 6), values({1, 3}, 7)});
  const auto out = run(LSTM{}, in, 3);
  const Scalars s(in);
  const auto p = in[7].to_vector<double>();
  double h = in[5].item<double>(), c = in[6].item<double>();
  for (size_t t = 0; t < 3; ++t) {
    const double i = sigmoid(s.gate(0, t, h) + p[0] * c), f = sigmoid(s.gate(2, t, h) + p[2] * c);
    c = f * c + i * std::tanh(s.gate(3, t, h));
    h = sigmoid(s.gate(1, t, h) + p[1] * c) * std::tanh(c);
    EXPECT_NEAR(out[0].to_vector<double>()[t], h, 1e-12);
  }
  EXPECT_NEAR(out[1].item<double>(), h, 1e-12);
  EXPECT_NEAR(out[2].item<double>(), c, 1e-12);
}

TEST(GRU, AppliesTheResetGateBeforeOrAfterTheProduct) {
  const auto in = scalar_operands(3);
  const Scalars s(in);
  for (const bool after : {false, true}) {
    GRU op;
    op.linear_before_reset = after;
    const auto y = run(op, in, 1)[0].to_vector<double>();
    double h = 0;
    for (size_t t = 0; t < 3; ++t) {
      const double z = sigmoid(s.gate(0, t, h)), r = sigmoid(s.gate(1, t, h));
      const double recurrent = after ? r * (s.r[2] * h + s.b[5]) : s.r[2] * (r * h) + s.b[5];
      h = (1 - z) * std::tanh(s.w[2] * s.x[t] + s.b[2] + recurrent) + z * h;
      EXPECT_NEAR(y[t], h, 1e-12) << "linear_before_reset " << after;
    }
  }
}

// One step of RNN from 0, with W = 1: the activation of x.
double activated(const std::string& name, double x, std::vector<double> alpha = {}, std::vector<double> beta = {}) {
  RNN op;
  op.activations = name;
  op.activation_alpha = std::move(alpha);
  op.activation_beta = std::move(beta);
  const Tensor one = Tensor::full({1, 1, 1}, 1, DType::f64);
  return run(op, {Tensor::full({1, 1, 1}, x, DType::f64), one, one}).item<double>();
}

TEST(RNN, HasEveryActivationThatOnnxLists) {
  for (const double x : {-0.7, 0.2, 1.5}) {
    EXPECT_NEAR(activated("Affine", x, {3}, {0.5}), 3 * x + 0.5, 1e-12);
    EXPECT_NEAR(activated("Affine", x), x, 1e-12);
    EXPECT_NEAR(activated("leakyrelu", x, {0.3}), x < 0 ? 0.3 * x : x, 1e-12);
    EXPECT_NEAR(activated("LeakyRelu", x), x < 0 ? 0.01 * x : x, 1e-12);
    EXPECT_NEAR(activated("ThresholdedRelu", x, {0.2}), x >= 0.2 ? x : 0, 1e-12);
    EXPECT_NEAR(activated("ThresholdedRelu", x), x >= 1 ? x : 0, 1e-12);
    EXPECT_NEAR(activated("ScaledTanh", x, {2}, {0.5}), 2 * std::tanh(0.5 * x), 1e-12);
    EXPECT_NEAR(activated("HardSigmoid", x), std::fmin(std::fmax(0.2 * x + 0.5, 0), 1), 1e-12);
    EXPECT_NEAR(activated("Elu", x, {0.6}), x < 0 ? 0.6 * std::expm1(x) : x, 1e-12);
    EXPECT_NEAR(activated("Softsign", x), x / (1 + std::fabs(x)), 1e-12);
    EXPECT_NEAR(activated("Softplus", x), std::log1p(std::exp(x)), 1e-12);
  }
}

TEST(LSTM, GivesItsActivationsTheirNumbersInTurn) {
  auto in = scalar_operands(4);
  in[0] = in[0].slice(0, 0, 1).contiguous();
  LSTM op;
  op.activations = "HardSigmoid,Tanh,LeakyRelu";
  op.activation_alpha = {0.25, 0.5};
  op.activation_beta = {0.4};
  const Scalars s(in);
  const auto f = [](double x) { return std::fmin(std::fmax(0.25 * x + 0.4, 0), 1); };
  const double c = f(s.gate(0, 0, 0)) * std::tanh(s.gate(3, 0, 0));
  EXPECT_NEAR(run(op, in, 1)[0].item<double>(), f(s.gate(1, 0, 0)) * (c < 0 ? 0.5 * c : c), 1e-12);
}

// X [4, 2, 3] and weights of one direction, hidden size 2.
std::vector<Tensor> operands(int64_t gates, int64_t directions = 1) {
  return {values({4, 2, 3}, 1), values({directions, 2 * gates, 3}, 2), values({directions, 2 * gates, 2}, 3),
          values({directions, 4 * gates}, 4)};
}

TEST(LSTM, InReverseIsForwardOnTheReversedSteps) {
  auto in = operands(4);
  LSTM op;
  op.direction = "reverse";
  const auto found = run(op, in, 3);
  in[0] = in[0].slice(0, -1, -100, -1).contiguous();
  const auto expected = run(LSTM{}, in, 3);
  EXPECT_TRUE(same_bits(found[0], expected[0].slice(0, -1, -100, -1).contiguous()));
  EXPECT_TRUE(same_bits(found[2], expected[2]));
}

TEST(GRU, InBothDirectionsIsBothBesideEachOther) {
  GRU op;
  op.direction = "bidirectional";
  const auto in = operands(3, 2);
  const auto both = run(op, in, 2);
  for (int64_t d = 0; d < 2; ++d) {
    std::vector<Tensor> half = {in[0]};
    for (size_t i = 1; i < 4; ++i) half.push_back(in[i].slice(0, d, d + 1).contiguous());
    GRU one;
    one.direction = d == 0 ? "forward" : "reverse";
    const auto expected = run(one, half, 2);
    EXPECT_TRUE(same_bits(both[0].slice(1, d, d + 1).contiguous(), expected[0]));
    EXPECT_TRUE(same_bits(both[1].slice(0, d, d + 1).contiguous(), expected[1]));
  }
}

TEST(RNN, StopsAtEachRowsLength) {
  auto in = operands(1);
  in.push_back(Tensor::from<int32_t>({2, 4}, {2}));
  for (const char* direction : {"forward", "reverse"}) {
    RNN op;
    op.direction = direction;
    const auto found = run(op, in, 2);
    auto cut = std::vector<Tensor>(in.begin(), in.begin() + 4);
    cut[0] = in[0].slice(0, 0, 2).contiguous();
    const auto expected = run(op, cut, 2);
    EXPECT_TRUE(
        same_bits(found[0].slice(0, 0, 2).slice(2, 0, 1).contiguous(), expected[0].slice(2, 0, 1).contiguous()));
    EXPECT_TRUE(
        same_bits(found[0].slice(0, 2, 4).slice(2, 0, 1).contiguous(), Tensor::zeros({2, 1, 1, 2}, DType::f64)));
    EXPECT_TRUE(same_bits(found[1].slice(1, 0, 1).contiguous(), expected[1].slice(1, 0, 1).contiguous()));
  }
  in[4] = Tensor::from<int32_t>({2, 5}, {2});
  EXPECT_THROW(run(RNN{}, in, 1), ShapeError);
}

TEST(LSTM, WithTheBatchFirstIsTransposed) {
  LSTM op;
  op.layout = 1;
  auto in = operands(4);
  const auto expected = run(LSTM{}, in, 3);
  const int64_t swap[] = {1, 0, 2}, order[] = {2, 0, 1, 3};
  in[0] = in[0].permute(swap).contiguous();
  const auto found = run(op, in, 3);
  EXPECT_TRUE(same_bits(found[0], expected[0].permute(order).contiguous()));
  EXPECT_TRUE(same_bits(found[2], expected[2].permute(swap).contiguous()));
}

TEST(LSTM, InfersSymbolicShapes) {
  const Extent steps = Extent::symbol("steps"), batch = Extent::symbol("batch");
  EXPECT_EQ(Inference(LSTM{}).input({steps, batch, 3}).input({1, 8, 3}).input({1, 8, 2}).text(),
            "[steps, 1, batch, 2]");
}

}  // namespace
}  // namespace onemodel::test
