#include "ops/tf_idf_vectorizer.h"

#include <gtest/gtest.h>

#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

using Floats = std::vector<float>;

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
