// Sessions draw other numbers in every run unless the model has a seed.

#include <gtest/gtest.h>

#include "ops/dropout.h"
#include "ops/random.h"
#include "ops/sample.h"
#include "ops/unary.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

// Neg(op(x, constants...))
Session session_of(const Op& op, const std::vector<Tensor>& constants = {}) {
  Graph graph;
  std::vector<ValueId> inputs{graph.add_input("x", {DType::f32, {Extent::symbol("n"), 8}})};
  for (const Tensor& constant : constants) inputs.push_back(graph.add_constant("c", constant));
  graph.outputs = {add(graph, Neg{}, {add(graph, op, inputs)}, "y")};
  return Session(std::move(graph));
}

Tensor run(Session& session, const Tensor& x) { return session.run(std::vector{x}).front(); }

TEST(RandomSession, DrawsAnewInEveryRun) {
  const Tensor x = Tensor::full({4, 8}, 0.5);
  const std::vector<Tensor> training{Tensor::scalar(0.5f), Tensor::scalar(true)};
  Session uniform = session_of(RandomUniformLike{}), coins = session_of(Bernoulli{}),
          dropout = session_of(Dropout{}, training);
  for (Session* session : {&uniform, &coins, &dropout}) EXPECT_FALSE(same_bits(run(*session, x), run(*session, x)));
}

TEST(RandomSession, ASeedGivesTheSameInEveryRunAndSession) {
  const Tensor x = Tensor::full({4, 8}, 0.5);
  const std::vector<Tensor> training{Tensor::scalar(0.5f), Tensor::scalar(true)};
  const auto expect_same = [&](const Op& op, const std::vector<Tensor>& constants) {
    Session first = session_of(op, constants), second = session_of(op, constants);
    const Tensor y = run(first, x);
    EXPECT_TRUE(same_bits(y, run(first, x))) << op.name();
    EXPECT_TRUE(same_bits(y, run(second, x))) << op.name();
  };
  expect_same(RandomNormalLike{.seed = 3.0f}, {});
  expect_same(Dropout{.seed = 3}, training);
}

TEST(RandomSession, ADropoutOfRatioZeroIsTheIdentity) {
  const Tensor x = sample_values({4, 8});
  Session session = session_of(Dropout{}, {Tensor::scalar(0.0f), Tensor::scalar(true)});
  const auto from = x.to_vector<float>(), to = run(session, x).to_vector<float>();
  for (size_t i = 0; i < from.size(); ++i) EXPECT_EQ(to[i], -from[i]);
}

}  // namespace
}  // namespace onemodel::test
