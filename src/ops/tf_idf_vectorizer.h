#pragma once
// TfIdfVectorizer: how often sequences of a pool occur.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X[length] or X[rows, length] of int32, int64 or, with a pool of strings, string gives float32[columns] or [rows, columns], where columns is the
/// largest of ngram_indexes plus 1: how often each sequence of the pool occurs (TF), weights where it does (IDF), or
/// the product (TFIDF). The pool is one of integers or one of strings. Errors: lists that do not fit each
/// other, lengths out of order, an unknown mode.
struct TfIdfVectorizer {
  int64_t max_gram_length = 1, max_skip_count = 0, min_gram_length = 1;
  std::string mode;
  std::vector<int64_t> ngram_counts, ngram_indexes, pool_int64s;
  Tensor pool_strings;
  std::vector<double> weights;
  static constexpr auto fields() {
    using A = TfIdfVectorizer;
    return std::tuple{
        required_field("max_gram_length", &A::max_gram_length, "longest sequence that is counted"),
        required_field("max_skip_count", &A::max_skip_count, "most items left out between two of a sequence"),
        required_field("min_gram_length", &A::min_gram_length, "shortest sequence that is counted"),
        required_field("mode", &A::mode, "TF, IDF or TFIDF"),
        required_field("ngram_counts", &A::ngram_counts, "where in the pool the sequences of 1, 2, … items begin"),
        required_field("ngram_indexes", &A::ngram_indexes, "the column of each sequence of the pool"),
        field("pool_int64s", &A::pool_int64s, "the items of all sequences"),
        field("pool_strings", &A::pool_strings, "the items when they are strings"),
        field("weights", &A::weights, "a factor for each column; 1 when absent")};
  }
  static constexpr Input inputs[] = {{"X", "rows of integers or strings"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{
      .name = "TfIdfVectorizer", .doc = "how often sequences of a pool occur", .since = 9, .takes_stored = true};
  static constexpr NotDifferentiable vjp{"a count is not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
