#include "ops/max_unpool.h"

#include <gtest/gtest.h>

#include "ops/pool.h"
#include "ops/sample.h"
#include "support/direct_applier.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

TEST(MaxUnpool, UndoesMaxPool) {
  const Tensor x = sample_values({2, 3, 4, 6});
  const MaxPool pool{.kernel_shape = {2, 3}, .strides = {2, 3}};
  const auto pooled = run(pool, std::vector{x}, 2);
  const MaxUnpool op{.kernel_shape = {2, 3}, .strides = {2, 3}};
  const Tensor y = run(op, {pooled[0], pooled[1]});
  EXPECT_EQ(y.dims(), x.dims());
  const auto values = y.to_vector<float>(), from = x.to_vector<float>();
  size_t kept = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    kept += values[i] != 0;
    EXPECT_TRUE(values[i] == 0 || values[i] == from[i]);
  }
  EXPECT_EQ(kept, static_cast<size_t>(pooled[0].numel()));
}

TEST(MaxUnpool, StandsAtTheBeginningOfALargerShape) {
  const Tensor x = Tensor::from<float>({5, 6, 7, 8}, {1, 1, 2, 2});
  const Tensor places = Tensor::from<int64_t>({5, 7, 13, 15}, {1, 1, 2, 2});
  const MaxUnpool op{.kernel_shape = {2, 2}, .strides = {2, 2}};
  EXPECT_EQ(run(op, {x, places, sample_ints({1, 1, 5, 5})}).to_vector<float>(),
            (Floats{0, 0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 8, 0, 0, 0, 0, 0, 0}));
  EXPECT_ERROR(run(op, {x, Tensor::from<int64_t>({5, 16, 13, 15}, {1, 1, 2, 2})}), ShapeError,
               "MaxUnpool: place 16 is out of range for shape [1, 1, 4, 4] of 16 elements");
}

TEST(MaxPool, GivesColumnMajorPlaces) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {1, 1, 2, 3});
  const auto place = [&](int64_t order) {
    return run(MaxPool{.kernel_shape = {1, 1}, .storage_order = order}, std::vector{x}, 2)[1].to_vector<int64_t>();
  };
  EXPECT_EQ(place(0), (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(place(1), (Ints{0, 2, 4, 1, 3, 5}));
}

}  // namespace
}  // namespace onemodel::test
