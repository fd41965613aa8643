#include "ops/tf_idf_vectorizer.h"

#include <algorithm>

#include "kernels/portable/ngrams.h"
#include "ops/declare.h"

namespace onemodel {
namespace {

int64_t columns_of(const TfIdfVectorizer& op) { return *std::ranges::max_element(op.ngram_indexes) + 1; }

// Equal strings have equal handles.
std::vector<int64_t> numbers_of(const Tensor& x) {
  if (x.dtype() != DType::string) return x.to_vector<int64_t>();
  const Tensor rows = x.contiguous();
  const auto* handles = rows.raw_as<uint32_t>();
  return {handles, handles + rows.numel()};
}

std::vector<int64_t> pool_of(const TfIdfVectorizer& op) {
  return op.pool_strings.defined() ? numbers_of(op.pool_strings) : op.pool_int64s;
}

// Calls `f(items)` with every sequence of the pool in order.
template <class F>
void each_ngram(const TfIdfVectorizer& op, std::span<const int64_t> pool, const F& f) {
  for (size_t i = 0; i < op.ngram_counts.size(); ++i) {
    const size_t size = i + 1;
    const auto end = i + 1 < op.ngram_counts.size() ? static_cast<size_t>(op.ngram_counts[i + 1]) : pool.size();
    for (auto at = static_cast<size_t>(op.ngram_counts[i]); at + size <= end; at += size) f(pool.subspan(at, size));
  }
}

void check_pool(const InferContext& context, const TfIdfVectorizer& op) {
  const std::vector<int64_t> items_of_pool = pool_of(op);
  const auto total = static_cast<int64_t>(items_of_pool.size());
  int64_t last = 0;
  for (size_t i = 0; i < op.ngram_counts.size(); ++i) {
    const int64_t start = op.ngram_counts[i];
    context.check<ArgumentError>(start >= last && start <= total, "ngram_counts expects ascending places in a pool of ",
                                 total, " items, got ", start);
    const int64_t items = (i + 1 < op.ngram_counts.size() ? op.ngram_counts[i + 1] : total) - start;
    context.check<ArgumentError>(items <= 0 || items % static_cast<int64_t>(i + 1) == 0, "ngram_counts gives ", items,
                                 " items to sequences of ", i + 1);
    last = start;
  }
  size_t count = 0;
  each_ngram(op, items_of_pool, [&](std::span<const int64_t>) { ++count; });
  context.check<ArgumentError>(count == op.ngram_indexes.size(), "ngram_indexes expects a column for each of ", count,
                               " sequences, got ", op.ngram_indexes.size());
  context.check<ArgumentError>(count > 0, "the pool is empty");
  for (const int64_t column : op.ngram_indexes)
    context.check<ArgumentError>(column >= 0 && column < (int64_t{1} << 31),
                                 "ngram_indexes expects numbers from 0 up, got ", column);
  context.check<ArgumentError>(op.weights.empty() || static_cast<int64_t>(op.weights.size()) == columns_of(op),
                               "weights expects ", columns_of(op), " numbers, got ", op.weights.size());
}

}  // namespace

void TfIdfVectorizer::infer(InferContext& context) const {
  if (pool_strings.defined()) {
    context.check<DTypeError>(pool_strings.dtype() == DType::string, "pool_strings expects strings, got ",
                              pool_strings);
    context.check<ArgumentError>(pool_int64s.empty(), "expects one of pool_int64s and pool_strings, got both");
    context.check_dtype(context.dtype(0) == DType::string, 0, "string as pool_strings");
  } else {
    context.check_dtype(context.dtype(0) == DType::i32 || context.dtype(0) == DType::i64, 0, "int32 or int64");
  }
  context.check<ArgumentError>(mode == "TF" || mode == "IDF" || mode == "TFIDF",
                               "mode expects TF, IDF or TFIDF, got \"", mode, '"');
  context.check<ArgumentError>(min_gram_length >= 1 && min_gram_length <= max_gram_length,
                               "min_gram_length expects 1 to max_gram_length, ", max_gram_length, ", got ",
                               min_gram_length);
  context.check<ArgumentError>(max_skip_count >= 0 && max_skip_count < (int64_t{1} << 31),
                               "max_skip_count expects a number from 0 up, got ", max_skip_count);
  check_pool(context, *this);
  Shape out = context.shape(0);
  context.check(out.rank() == 1 || out.rank() == 2, "'X' expects [length] or [rows, length], got shape ", out);
  out[out.rank() - 1] = columns_of(*this);
  context.output(DType::f32, std::move(out));
}

void TfIdfVectorizer::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  const std::vector<int64_t> items_of_pool = pool_of(*this), values = numbers_of(x);
  std::vector<kernels::Ngram> pool;
  size_t next = 0;
  each_ngram(*this, items_of_pool, [&](std::span<const int64_t> items) {
    pool.push_back({items, ngram_indexes[next++]});
  });
  const int64_t columns = columns_of(*this), rows = y.numel() / columns, length = x.dims().back();
  auto* counts = y.mutable_raw_as<float>();
  std::fill_n(counts, y.numel(), 0.0f);
  const int64_t skips = std::min(max_skip_count, length), most = std::min(max_gram_length, length);
  kernels::count_ngrams({min_gram_length, most, skips}, std::move(pool), rows, length, columns, values.data(), counts);
  for (int64_t i = 0; i < y.numel(); ++i) {
    const float weight = weights.empty() ? 1.0f : static_cast<float>(weights[static_cast<size_t>(i % columns)]);
    if (mode == "IDF")
      counts[i] = counts[i] > 0 ? weight : 0.0f;
    else if (mode == "TFIDF")
      counts[i] *= weight;
  }
}

std::vector<Sample> TfIdfVectorizer::samples() {
  const Tensor x = Tensor::from<int32_t>({1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8}, {2, 6});
  const TfIdfVectorizer op{.max_gram_length = 2,
                           .max_skip_count = 5,
                           .mode = "TF",
                           .ngram_counts = {0, 4},
                           .ngram_indexes = {0, 1, 2, 3, 4, 5, 6},
                           .pool_int64s = {2, 3, 5, 4, 5, 6, 7, 8, 6, 7}};
  const auto changed = [&](auto change) {
    TfIdfVectorizer other = op;
    change(other);
    return other;
  };
  const auto idf = changed([](auto& o) {
    o.mode = "IDF";
    o.weights = {1, 2, 3, 4, 5, 6, 7};
  });
  const auto both = changed([](auto& o) {
    o.mode = "TFIDF";
    o.weights = {1, 2, 3, 4, 5, 6, 0.5};
    o.min_gram_length = 2;
    o.max_skip_count = 0;
  });
  const auto texts = changed([&](auto& o) {
    o.pool_strings = Tensor::from(std::span<const int64_t>(op.pool_int64s), {10}).cast(DType::string);
    o.pool_int64s = {};
  });
  return {
      {op, {x}},
      {texts, {x.cast(DType::string)}},
      {texts, {x}, "input 'X' expects string as pool_strings, got int32"},
      {changed([&](auto& o) { o.pool_strings = texts.pool_strings; }),
       {x.cast(DType::string)},
       "one of pool_int64s and pool_strings, got both"},
      {idf, {x.cast(DType::i64)}},
      {both, {x}},
      {op, {Tensor::from<int64_t>({5, 6, 5, 6}, {4})}},
      {changed([](auto& o) { o.mode = "COUNT"; }), {x}, "mode expects TF, IDF or TFIDF, got \"COUNT\""},
      {changed([](auto& o) { o.min_gram_length = 3; }), {x}, "min_gram_length expects 1 to max_gram_length, 2, got 3"},
      {changed([](auto& o) { o.max_skip_count = -1; }), {x}, "max_skip_count expects a number from 0 up, got -1"},
      {changed([](auto& o) { o.ngram_indexes.pop_back(); }), {x}, "a column for each of 7 sequences, got 6"},
      {changed([](auto& o) {
         o.ngram_counts = {0, 3};
       }),
       {x},
       "ngram_counts gives 7 items to sequences of 2"},
      {changed([](auto& o) {
         o.ngram_counts = {0, 30};
       }),
       {x},
       "places in a pool of 10 items, got 30"},
      {changed([](auto& o) { o.weights = {1}; }), {x}, "weights expects 7 numbers, got 1"},
      {op, {sample_values({4})}, "input 'X' expects int32 or int64, got float32"},
      {op, {x.reshape({1, 2, 6})}, "'X' expects [length] or [rows, length], got shape [1, 2, 6]"}};
}

ONEMODEL_OPERATOR(TfIdfVectorizer)

}  // namespace onemodel
