#include "ops/dropout.h"

#include <gtest/gtest.h>

#include "ops/binary.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/error_text.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

TEST(Dropout, IsTheIdentityWithAMaskOfTrue) {
  const Tensor x = sample_values({2, 3});
  const auto out = run(Dropout{}, std::vector{x, Tensor::scalar(0.9f), Tensor::scalar(false)}, 2);
  EXPECT_TRUE(same_bits(out[0], x));
  EXPECT_TRUE(same_bits(out[1], Tensor::full({2, 3}, 1, DType::boolean)));
}

TEST(Dropout, IsTheIdentityForARatioOfZero) {
  const Tensor x = sample_values({2, 3});
  const auto out = run(Dropout{}, std::vector{x, Tensor::scalar(0.0f), Tensor::scalar(true)}, 2);
  EXPECT_TRUE(same_bits(out[0], x));
  EXPECT_TRUE(same_bits(out[1], Tensor::full({2, 3}, 1, DType::boolean)));
}

TEST(Dropout, DropsTheShareAndScalesTheRest) {
  const Tensor x = sample_values({100, 100}, 1, 2);
  const auto out = run(Dropout{.seed = 11}, std::vector{x, Tensor::scalar(0.25f), Tensor::scalar(true)}, 2);
  const auto from = x.to_vector<float>(), to = out[0].to_vector<float>();
  const auto kept = out[1].to_vector<float>();
  double share = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    ASSERT_FLOAT_EQ(to[i], kept[i] == 0 ? 0 : from[i] / 0.75f);
    share += static_cast<double>(kept[i]) / 1e4;
  }
  EXPECT_NEAR(share, 0.75, 0.02);
}

TEST(Dropout, RefusesARatioThatOnlyRunningTells) {
  const Tensor x = sample_values({2, 3}), ratio = Tensor::scalar(1.0f), mode = Tensor::scalar(true);
  const Tensor inputs[] = {x, ratio, mode}, outputs[] = {Tensor::empty({2, 3})};
  EXPECT_THROW(evaluate(Dropout{}, inputs, outputs), ArgumentError);
}

TEST(Dropout, GradientNeedsTheMask) {
  const Tensor x = sample_values({2, 3}), ratio = Tensor::scalar(0.5f), mode = Tensor::scalar(true);
  const std::vector<Tensor> inputs = {x, ratio, mode};
  DirectApplier applier;
  const auto gradient = [&](const Dropout& op, std::span<const Tensor> outputs) {
    const Tensor grads[] = {Tensor::full({2, 3}, 1)};
    const bool needed[] = {true, false, false};
    GradContext context(inputs, outputs, grads, needed, applier);
    return op.vjp(context)[0].tensor();
  };
  const auto both = run(Dropout{}, inputs, 2);
  EXPECT_TRUE(close(gradient(Dropout{}, both), run(Div{}, {both[0], x}), 1e-6));
  const auto alone = run(Dropout{}, inputs, 1);
  EXPECT_ERROR(gradient(Dropout{}, alone), GradientError, "the gradient of dropping needs the output 'mask'");
}

TEST(Dropout, KeepsSymbolicShapes) { EXPECT_EQ(Inference(Dropout{}).input({Extent::symbol("n"), 4}).text(), "[n, 4]"); }

TEST(Dropout, NamesTheWrongArgument) {
  const Tensor x = sample_values({2, 3});
  EXPECT_EQ(infer_error(Dropout{}, {x, sample_values({2})}), "Dropout: 'ratio' expects one element, got shape [2]");
  EXPECT_EQ(infer_error(Dropout{}, {x, Tensor(), Tensor::scalar(1.0f)}),
            "Dropout: input 'training_mode' expects bool, got float32");
}

}  // namespace
}  // namespace onemodel::test
