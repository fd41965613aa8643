#include "ops/select_rows.h"

#include "ops/sample.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6);

TEST(NonZero, ListsPlaces) {
  EXPECT_TRUE(same_bits(run(NonZero{}, {Tensor::from<bool>({true, false, true, true}, {2, 2})}),
                        Tensor::from<int64_t>({0, 1, 1, 0, 0, 1}, {2, 3})));
  EXPECT_EQ(run(NonZero{}, {Tensor::zeros({2, 3})}).dims(), (Dims{2, 0}));
  EXPECT_EQ(Inference(NonZero{}).tracing().input({batch, 2}).error(),
            "TraceError: NonZero: the size of the result depends on values");
}

TEST(Compress, KeepsAsTheSpecificationSays) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {3, 2});
  const auto kept = [&](const Op& op, std::initializer_list<bool> condition) {
    return run(op, {x, Tensor::from<bool>(condition, {static_cast<int64_t>(condition.size())})});
  };
  EXPECT_TRUE(same_bits(kept(Compress{.axis = 0}, {false, true, true}), Tensor::from<float>({3, 4, 5, 6}, {2, 2})));
  EXPECT_TRUE(same_bits(kept(Compress{.axis = 1}, {false, true}), Tensor::from<float>({2, 4, 6}, {3, 1})));
  EXPECT_TRUE(same_bits(kept(Compress{}, {false, true, false, false, true}), Tensor::from<float>({2, 5}, {2})));
  EXPECT_EQ(Inference(Compress{.axis = 1}).input({batch, 3}).input({3}, DType::boolean).text(),
            "[batch, Compress.count]");
}

TEST(Unique, FindsAsTheSpecificationSays) {
  const std::vector<Tensor> x = {Tensor::from<float>({2, 1, 1, 3, 4, 3}, {6})};
  auto out = run(Unique{.sorted = false}, x, 4);
  EXPECT_TRUE(same_bits(out[0], Tensor::from<float>({2, 1, 3, 4}, {4})));
  EXPECT_TRUE(same_bits(out[1], sample_ints({0, 1, 3, 4})));
  EXPECT_TRUE(same_bits(out[2], sample_ints({0, 1, 1, 2, 3, 2})));
  EXPECT_TRUE(same_bits(out[3], sample_ints({1, 2, 2, 1})));
  out = run(Unique{}, x, 4);
  EXPECT_TRUE(same_bits(out[0], Tensor::from<float>({1, 2, 3, 4}, {4})));
  EXPECT_TRUE(same_bits(out[1], sample_ints({1, 0, 3, 4})));
  EXPECT_TRUE(same_bits(out[2], sample_ints({1, 0, 0, 2, 3, 2})));
}

TEST(Unique, ComparesEntriesAlongAnAxis) {
  const std::vector<Tensor> rows = {Tensor::from<float>({1, 0, 0, 1, 0, 0, 2, 3, 4}, {3, 3})};
  auto out = run(Unique{.axis = 0}, rows, 4);
  EXPECT_TRUE(same_bits(out[0], Tensor::from<float>({1, 0, 0, 2, 3, 4}, {2, 3})));
  EXPECT_TRUE(same_bits(out[2], sample_ints({0, 0, 1})));
  const std::vector<Tensor> columns = {Tensor::from<float>({1, 1, 0, 1, 1, 0, 2, 2, 1, 2, 2, 1}, {4, 3})};
  out = run(Unique{.axis = 1}, columns, 4);
  EXPECT_TRUE(same_bits(out[0], Tensor::from<float>({0, 1, 0, 1, 1, 2, 1, 2}, {4, 2})));
  EXPECT_TRUE(same_bits(out[3], sample_ints({1, 2})));
}

}  // namespace
}  // namespace onemodel::test
