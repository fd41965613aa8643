// Det, LRN, Shrink, MaxUnpool, Col2Im, NonMaxSuppression, TfIdfVectorizer: values worked out by hand or by others.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/col2im.h"
#include "ops/det.h"
#include "ops/lrn.h"
#include "ops/max_unpool.h"
#include "ops/non_max_suppression.h"
#include "ops/pool.h"
#include "ops/sample.h"
#include "ops/shrink.h"
#include "ops/tf_idf_vectorizer.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/error_text.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

TEST(Det, OfSmallMatrices) {
  EXPECT_EQ(run(Det{}, {Tensor::from<float>({0, 1, 2, 3}, {2, 2})}).to_vector<float>(), Floats{-2});
  const Tensor three = Tensor::from<double>({2, 0, 1, 1, 3, 2, 0, 1, 4}, {3, 3});
  EXPECT_DOUBLE_EQ(run(Det{}, {three}).item<double>(), 21);
  EXPECT_EQ(run(Det{}, {Tensor::zeros({2, 0, 0})}).to_vector<float>(), (Floats{1, 1}));
}

TEST(Det, CofactorsOfASingularMatrix) {
  const Tensor x = Tensor::from<double>({1, 2, 3, 2, 4, 6, 1, 0, 1}, {3, 3});
  EXPECT_EQ(run(Det{}, {x}).item<double>(), 0);
  EXPECT_TRUE(close(run(Cofactors{}, {x}), Tensor::from<double>({4, 4, -4, -2, -2, 2, 0, 0, 0}, {3, 3}), 1e-12));
}

TEST(LRN, IsItsDefinition) {
  const Tensor x = sample_values({2, 5, 3}, -2, 2, DType::f64);
  const LRN op{.alpha = 0.3f, .beta = 0.6f, .bias = 1.5f, .size = 4};
  const auto from = x.to_vector<double>(), to = run(op, {x}).to_vector<double>();
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t c = 0; c < 5; ++c)
      for (int64_t i = 0; i < 3; ++i) {
        const auto at = [&](int64_t channel) { return from[static_cast<size_t>((n * 5 + channel) * 3 + i)]; };
        double sum = 0;
        for (int64_t k = std::max<int64_t>(0, c - 1); k <= std::min<int64_t>(4, c + 2); ++k) sum += at(k) * at(k);
        const double expected =
            at(c) / std::pow(1.5 + static_cast<double>(op.alpha) / 4 * sum, static_cast<double>(op.beta));
        EXPECT_NEAR(to[static_cast<size_t>((n * 5 + c) * 3 + i)], expected, 1e-12);
      }
}

TEST(Shrink, HardAndSoft) {
  const Tensor x = Tensor::from<float>({-2, -1, 0, 1, 2}, {5});
  EXPECT_EQ(run(Shrink{.lambd = 1.5f}, {x}).to_vector<float>(), (Floats{-2, 0, 0, 0, 2}));
  EXPECT_EQ(run(Shrink{.bias = 1.5f, .lambd = 1.5f}, {x}).to_vector<float>(), (Floats{-0.5f, 0, 0, 0, 0.5f}));
}

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

TEST(Col2Im, AddsOverlappingBlocks) {
  const Tensor ones = Tensor::full({1, 4, 4}, 1);
  const Tensor y = run(Col2Im{}, {ones, sample_ints({3, 3}), sample_ints({2, 2})});
  EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 1, 2, 4, 2, 1, 2, 1}));
}

TEST(Col2Im, FollowsSymbols) {
  const Extent n = Extent::symbol("n");
  EXPECT_EQ(Inference(Col2Im{}).input({n, 12, 6}).ints({3, 4}).ints({2, 2}).text(), "[n, 3, 3, 4]");
}

TEST(NonMaxSuppression, LeavesOutOverlappingBoxes) {
  const Tensor boxes = Tensor::from<float>(
      {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 0, -0.1f, 1, 0.9f, 0, 10, 1, 11, 0, 10.1f, 1, 11.1f, 0, 100, 1, 101}, {1, 6, 4});
  const Tensor scores = Tensor::from<float>({0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f}, {1, 1, 6});
  const Tensor half = Tensor::scalar(0.5f);
  const auto chosen = [&](int64_t most, const Tensor& least) {
    return run(NonMaxSuppression{}, {boxes, scores, Tensor::scalar(most), half, least}).to_vector<int64_t>();
  };
  EXPECT_EQ(chosen(3, Tensor()), (Ints{0, 0, 3, 0, 0, 0, 0, 0, 5}));
  EXPECT_EQ(chosen(2, Tensor()), (Ints{0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(chosen(3, Tensor::scalar(0.4f)), (Ints{0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(chosen(0, Tensor()), Ints{});
}

TEST(NonMaxSuppression, HasASizeThatOnlyValuesTell) {
  const auto of = [] {
    return Inference(NonMaxSuppression{}).input({1, 6, 4}).input({1, 1, 6}).constant(Tensor::scalar(int64_t{3}));
  };
  EXPECT_EQ(of().text(), "[NonMaxSuppression.count, 3]");
  EXPECT_NE(of().tracing().error().find("the size of the result depends on values"), std::string::npos);
}

TEST(TfIdfVectorizer, CountsAsInTheOnnxText) {
  TfIdfVectorizer op{.max_gram_length = 2,
                     .min_gram_length = 2,
                     .mode = "TF",
                     .ngram_counts = {0, 4},
                     .ngram_indexes = {0, 1, 2, 3, 4, 5, 6},
                     .pool_int64s = {2, 3, 5, 4, 5, 6, 7, 8, 6, 7}};
  const Tensor x = Tensor::from<int32_t>({1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8}, {12});
  const auto counts = [&] { return run(op, {x}).to_vector<float>(); };
  EXPECT_EQ(counts(), (Floats{0, 0, 0, 0, 1, 1, 1}));
  op.max_skip_count = 5;
  EXPECT_EQ(counts(), (Floats{0, 0, 0, 0, 1, 3, 1}));
  op.min_gram_length = 1;
  EXPECT_EQ(counts(), (Floats{0, 3, 1, 0, 1, 3, 1}));
}

}  // namespace
}  // namespace onemodel::test
