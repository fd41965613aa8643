#include "ops/dropout.h"

#include <gtest/gtest.h>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

TEST(Dropout, IsTheIdentityWithAMaskOfTrue) {
  const Tensor x = sample_values({2, 3});
  const auto out = run(Dropout{}, std::vector{x, Tensor::scalar(0.9f), Tensor::scalar(false)}, 2);
  EXPECT_TRUE(same_bits(out[0], x));
  EXPECT_TRUE(same_bits(out[1], Tensor::full({2, 3}, 1, DType::boolean)));
}

TEST(Dropout, RefusesTraining) {
  const Tensor x = sample_values({2, 3}), ratio = Tensor::scalar(0.5f), mode = Tensor::scalar(true);
  EXPECT_NE(infer_error(Dropout{}, {x, ratio, mode}).find("Dropout: training_mode=true is not supported"),
            std::string::npos);
  const Tensor inputs[] = {x, ratio, mode}, outputs[] = {Tensor::empty({2, 3})};
  EXPECT_THROW(evaluate(Dropout{}, inputs, outputs), ArgumentError) << "a mode that is known only when running";
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
