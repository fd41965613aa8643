// What operators make of strings, against ONNX's text and Python's str.

#include "ops/string_operators.h"

#include <gtest/gtest.h>

#include "ops/concat.h"
#include "ops/conditions.h"
#include "ops/gather.h"
#include "ops/letter_case.h"
#include "ops/select_rows.h"
#include "ops/tf_idf_vectorizer.h"
#include "support/compare.h"
#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

using Texts = std::vector<std::string>;

Tensor texts(std::initializer_list<std::string> list) {
  return Tensor::from<std::string>(list, {static_cast<int64_t>(list.size())});
}
Texts first(const Op& op, std::initializer_list<Tensor> inputs) { return run(op, inputs).to_vector<std::string>(); }

TEST(LetterCase, MapsLettersOfSeveralAlphabets) {
  EXPECT_EQ(to_lower("ABC xyz ÄÖÜ ÞÐ× ĀŽŁ ΑΩΆΏ ЀЯЁ Ґ"), "abc xyz äöü þð× āžł αωάώ ѐяё ґ");
  EXPECT_EQ(to_upper("abc XYZ äöü þð÷ āžł αωάώ ѐяё ґ"), "ABC XYZ ÄÖÜ ÞÐ÷ ĀŽŁ ΑΩΆΏ ЀЯЁ Ґ");
  for (const char* unchanged : {"ß", "İ", "ı", "日本", "\xc3", "\xff\xc3", "1_2"}) {
    EXPECT_EQ(to_lower(unchanged), unchanged);
    EXPECT_EQ(to_upper(unchanged), unchanged);
  }
}

TEST(StringNormalizer, LeavesOutStopwords) {
  const Tensor x = texts({"Monday", "tuesday", "MONDAY", "x"});
  EXPECT_EQ(first(StringNormalizer{.stopwords = texts({"monday"})}, {x}), (Texts{"tuesday", "x"}));
  EXPECT_EQ(first(StringNormalizer{.is_case_sensitive = true, .stopwords = texts({"MONDAY", "X"})}, {x}),
            (Texts{"Monday", "tuesday", "x"}));
  EXPECT_EQ(first(StringNormalizer{.case_change_action = "UPPER", .stopwords = texts({"X"})}, {x.reshape({1, 4})}),
            (Texts{"MONDAY", "TUESDAY", "MONDAY"}));
  EXPECT_EQ(first(StringNormalizer{.stopwords = texts({"x"})}, {texts({"X", "x"})}), Texts{""});
}

TEST(StringSplit, IsPythonsSplit) {
  const auto parts = [](const Op& op, const Tensor& x) {
    const auto results = run(op, std::vector<Tensor>{x}, 2);
    return std::pair(results[0].to_vector<std::string>(), results[1].to_vector<int64_t>());
  };
  using Counts = std::vector<int64_t>;
  EXPECT_EQ(parts(StringSplit{.delimiter = ","}, texts({"a,b,,c", "", ","})),
            std::pair(Texts{"a", "b", "", "c", "", "", "", "", "", "", "", ""}, Counts{4, 1, 2}));
  EXPECT_EQ(parts(StringSplit{.delimiter = "--", .maxsplit = 1}, texts({"a--b--c", "-"})),
            std::pair(Texts{"a", "b--c", "-", ""}, Counts{2, 1}));
  EXPECT_EQ(parts(StringSplit{}, texts({"  one two\tthree ", " ", "four"})),
            std::pair(Texts{"one", "two", "three", "", "", "", "four", "", ""}, Counts{3, 0, 1}));
  EXPECT_EQ(parts(StringSplit{.delimiter = "", .maxsplit = 1}, texts({" a b  c "})),
            std::pair(Texts{"a", "b  c "}, Counts{2}));
  EXPECT_EQ(parts(StringSplit{.maxsplit = 0}, texts({" a b"})), std::pair(Texts{"a b"}, Counts{1}));
}

TEST(StringConcat, Broadcasts) {
  EXPECT_EQ(first(StringConcat{}, {texts({"a", "b"}), texts({"1", "2"}).reshape({2, 1})}),
            (Texts{"a1", "b1", "a2", "b2"}));
}

TEST(MovingOperators, TakeStrings) {
  const Tensor x = texts({"b", "a", "b", ""}), y = texts({"b"});
  EXPECT_EQ(run(Equal{}, {x, y}).to_vector<int64_t>(), (std::vector<int64_t>{1, 0, 1, 0}));
  const Tensor is_b = run(Equal{}, {x, y});
  EXPECT_EQ(first(Where{}, {is_b, x, texts({"no"})}), (Texts{"b", "no", "b", "no"}));
  EXPECT_EQ(first(Concat{.axis = 0}, {y, x}), (Texts{"b", "b", "a", "b", ""}));
  EXPECT_EQ(first(Gather{}, {x, Tensor::from<int64_t>({-1, 1}, {2})}), (Texts{"", "a"}));
  EXPECT_EQ(first(Unique{}, {texts({"b", "ü", "B", "b", "ab"})}), (Texts{"B", "ab", "b", "ü"}));
  EXPECT_EQ(first(Unique{.sorted = false}, {x}), (Texts{"b", "a", ""}));
}

TEST(TfIdfVectorizer, CountsStrings) {
  TfIdfVectorizer op{.max_gram_length = 2, .mode = "TF", .ngram_counts = {0, 2}, .ngram_indexes = {0, 1, 2}};
  op.pool_strings = texts({"the", "cat", "the", "cat"});
  const Tensor x = texts({"the", "cat", "the", "cat", "sat"});
  EXPECT_EQ(run(op, {x}).to_vector<float>(), (std::vector<float>{2, 2, 2}));
}

}  // namespace
}  // namespace onemodel::test
