#include "ops/scatter.h"

#include "ops/gather_elements.h"
#include "ops/sample.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

Tensor grid() { return Tensor::from<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3}); }

std::string run_error(const Op& op, std::initializer_list<Tensor> inputs) {
  try {
    run(op, inputs);
  } catch (const ShapeError& error) {
    return error.what();
  }
  return "";
}

TEST(GatherElements, PicksAsTheSpecificationSays) {
  EXPECT_TRUE(same_bits(run(GatherElements{.axis = 1},
                            {Tensor::from<float>({1, 2, 3, 4}, {2, 2}), Tensor::from<int64_t>({0, 0, 1, 0}, {2, 2})}),
                        Tensor::from<float>({1, 1, 4, 3}, {2, 2})));
  const Tensor expected = Tensor::from<float>({4, 8, 3, 7, 2, 3}, {2, 3});
  EXPECT_TRUE(same_bits(run(GatherElements{}, {grid(), Tensor::from<int64_t>({1, 2, 0, 2, 0, 0}, {2, 3})}), expected));
  EXPECT_TRUE(
      same_bits(run(GatherElements{}, {grid(), Tensor::from<int32_t>({-2, -1, -3, -1, -3, -3}, {2, 3})}), expected));
  EXPECT_EQ(Inference(GatherElements{}).input({batch, seq}).input({3, seq}, DType::i64).text(), "[3, seq]");
}

TEST(GatherElements, NamesIndexAndBound) {
  EXPECT_EQ(run_error(GatherElements{}, {grid(), Tensor::from<int64_t>({3}, {1, 1})}),
            "GatherElements: index 3 is out of range for an extent of 3");
}

TEST(GatherND, PicksAsTheSpecificationSays) {
  const Tensor x = Tensor::from<float>({0, 1, 2, 3}, {2, 2});
  EXPECT_TRUE(
      same_bits(run(GatherND{}, {x, Tensor::from<int64_t>({0, 0, 1, 1}, {2, 2})}), Tensor::from<float>({0, 3}, {2})));
  EXPECT_TRUE(same_bits(run(GatherND{}, {x, Tensor::from<int64_t>({1, 0}, {2, 1})}),
                        Tensor::from<float>({2, 3, 0, 1}, {2, 2})));
  const Tensor cube = Tensor::from<float>({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2});
  EXPECT_TRUE(same_bits(run(GatherND{}, {cube, Tensor::from<int64_t>({0, 1, 1, 0}, {2, 2})}),
                        Tensor::from<float>({2, 3, 4, 5}, {2, 2})));
  EXPECT_TRUE(same_bits(run(GatherND{}, {cube, Tensor::from<int64_t>({0, 1, 1, 0}, {2, 1, 2})}),
                        Tensor::from<float>({2, 3, 4, 5}, {2, 1, 2})));
  EXPECT_TRUE(same_bits(run(GatherND{.batch_dims = 1}, {cube, Tensor::from<int64_t>({1, 0}, {2, 1})}),
                        Tensor::from<float>({2, 3, 4, 5}, {2, 2})));
}

TEST(GatherND, KeepsSymbolicExtents) {
  EXPECT_EQ(Inference(GatherND{}).input({batch, seq, 8}).input({batch, 2}, DType::i64).text(), "[batch, 8]");
  EXPECT_EQ(Inference(GatherND{.batch_dims = 1}).input({batch, seq, 8}).input({batch, 3, 1}, DType::i64).text(),
            "[batch, 3, 8]");
  EXPECT_EQ(Inference(GatherND{}).input({batch, 8}).input({3, Extent::symbol("k")}, DType::i64).type().dtype,
            DType::undefined)
      << "its rank follows from k";
  EXPECT_EQ(run_error(GatherND{}, {grid(), Tensor::from<int64_t>({0, -4}, {1, 2})}),
            "GatherND: index -4 is out of range for an extent of 3");
}

TEST(ScatterElements, WritesAsTheSpecificationSays) {
  const Tensor indices = Tensor::from<int64_t>({1, 0, 2, 0, 2, 1}, {2, 3});
  const Tensor updates = Tensor::from<float>({1.0f, 1.1f, 1.2f, 2.0f, 2.1f, 2.2f}, {2, 3});
  EXPECT_TRUE(same_bits(run(ScatterElements{}, {Tensor::zeros({3, 3}), indices, updates}),
                        Tensor::from<float>({2.0f, 1.1f, 0, 1.0f, 0, 2.2f, 0, 2.1f, 1.2f}, {3, 3})));
  const Tensor row = Tensor::from<float>({1, 2, 3, 4, 5}, {1, 5}), two = Tensor::from<float>({1.1f, 2.1f}, {1, 2});
  const Tensor places = Tensor::from<int64_t>({1, 3}, {1, 2}), same = Tensor::from<int64_t>({1, -4}, {1, 2});
  EXPECT_TRUE(same_bits(run(ScatterElements{.axis = 1}, {row, places, two}),
                        Tensor::from<float>({1, 1.1f, 3, 2.1f, 5}, {1, 5})));
  const auto second = [&](const char* how) {
    return run(ScatterElements{1, how}, {row, same, two}).to_vector<float>()[1];
  };
  EXPECT_EQ(second("none"), 2.1f);
  EXPECT_FLOAT_EQ(second("add"), 5.2f);
  EXPECT_FLOAT_EQ(second("mul"), 4.62f);
  EXPECT_EQ(second("max"), 2.1f);
  EXPECT_EQ(second("min"), 1.1f);
}

TEST(ScatterElements, KeepsTheShapeOfData) {
  EXPECT_EQ(Inference(ScatterElements{}).input({batch, seq}).input({3, seq}, DType::i64).input({3, seq}).text(),
            "[batch, seq]");
  EXPECT_EQ(run_error(ScatterElements{}, {grid(), Tensor::from<int32_t>({-4}, {1, 1}), Tensor::zeros({1, 1})}),
            "ScatterElements: index -4 is out of range for an extent of 3");
}

TEST(ScatterND, WritesAsTheSpecificationSays) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6, 7, 8}, {8});
  EXPECT_TRUE(same_bits(
      run(ScatterND{}, {x, Tensor::from<int64_t>({4, 3, 1, 7}, {4, 1}), Tensor::from<float>({9, 10, 11, 12}, {4})}),
      Tensor::from<float>({1, 11, 3, 10, 9, 6, 7, 12}, {8})));
  const Tensor ones = Tensor::full({2, 2}, 1), twice = Tensor::from<int64_t>({1, 1}, {2, 1});
  const Tensor rows = Tensor::from<float>({2, 3, 5, 0.5f}, {2, 2});
  const auto row = [&](const char* how) { return run(ScatterND{how}, {ones, twice, rows}).to_vector<float>(); };
  EXPECT_EQ(row("add"), (std::vector<float>{1, 1, 8, 4.5f}));
  EXPECT_EQ(row("mul"), (std::vector<float>{1, 1, 10, 1.5f}));
  EXPECT_EQ(row("max"), (std::vector<float>{1, 1, 5, 3}));
  EXPECT_EQ(row("min"), (std::vector<float>{1, 1, 1, 0.5f}));
}

}  // namespace
}  // namespace onemodel::test
