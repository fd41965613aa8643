#include "ops/string_operators.h"

#include <algorithm>

#include "ops/declare.h"
#include "ops/letter_case.h"
#include "ops/size_from_values.h"

namespace onemodel {
namespace {

using Texts = std::vector<std::string>;

void check_strings(const InferContext& context, size_t i) {
  context.check_dtype(context.dtype(i) == DType::string, i, "string");
}

void write(const Texts& texts, Tensor y) { y.copy_from(Tensor::from(std::span<const std::string>(texts), y.dims())); }

Tensor sample_texts(std::initializer_list<std::string> texts, const Dims& dims) {
  return Tensor::from<std::string>(texts, dims);
}

Texts normalised(const StringNormalizer& op, const Tensor& x) {
  const auto compared = [&](const std::string& text) { return op.is_case_sensitive ? text : to_lower(text); };
  Texts stopwords, out;
  if (op.stopwords.defined())
    for (const std::string& word : op.stopwords.to_vector<std::string>()) stopwords.push_back(compared(word));
  for (const std::string& text : x.to_vector<std::string>())
    if (std::ranges::find(stopwords, compared(text)) == stopwords.end())
      out.push_back(op.case_change_action == "LOWER"   ? to_lower(text)
                    : op.case_change_action == "UPPER" ? to_upper(text)
                                                       : text);
  if (out.empty()) out.emplace_back();
  return out;
}

constexpr std::string_view kSpace = " \t\n\v\f\r";

Texts split_at_space(std::string_view text, size_t most) {
  Texts out;
  for (size_t begin; (begin = text.find_first_not_of(kSpace)) != std::string_view::npos;) {
    text.remove_prefix(begin);
    const size_t end = out.size() == most ? text.size() : std::min(text.find_first_of(kSpace), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

Texts split_at(std::string_view delimiter, std::string_view text, size_t most) {
  Texts out;
  for (size_t end; out.size() < most && (end = text.find(delimiter)) != std::string_view::npos;) {
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end + delimiter.size());
  }
  out.emplace_back(text);
  return out;
}

std::vector<Texts> split_all(const StringSplit& op, const Tensor& x) {
  const auto most = op.maxsplit ? static_cast<size_t>(*op.maxsplit) : std::string::npos;
  const std::string delimiter = op.delimiter.value_or("");
  std::vector<Texts> out;
  for (const std::string& text : x.to_vector<std::string>())
    out.push_back(delimiter.empty() ? split_at_space(text, most) : split_at(delimiter, text, most));
  return out;
}

size_t most_parts(const std::vector<Texts>& split) {
  size_t most = 0;
  for (const Texts& parts : split) most = std::max(most, parts.size());
  return most;
}

}  // namespace

void StringNormalizer::infer(InferContext& context) const {
  check_strings(context, 0);
  context.check<ArgumentError>(
      case_change_action == "LOWER" || case_change_action == "UPPER" || case_change_action == "NONE",
      "case_change_action expects LOWER, UPPER or NONE, got '", case_change_action, '\'');
  if (stopwords.defined())
    context.check<DTypeError>(stopwords.dtype() == DType::string, "stopwords expects strings, got ", stopwords);
  Shape out = context.shape(0);
  context.check(out.rank() == 1 || (out.rank() == 2 && out[0] == Extent(1)), "'X' expects shape [n] or [1, n], got ",
                out);
  out[out.rank() - 1] = counted(context, 0, [this](const Tensor& x) { return normalised(*this, x).size(); });
  context.output(DType::string, std::move(out));
}

void StringNormalizer::evaluate(EvalContext& context) const {
  write(normalised(*this, context.input(0)), context.output());
}

std::vector<Sample> StringNormalizer::samples() {
  const Tensor days = sample_texts({"monday", "Tuesday", "ÄRGER", "monday"}, {4});
  const Tensor words = sample_texts({"Monday"}, {1});
  return {{StringNormalizer{}, {days}},
          {StringNormalizer{.case_change_action = "UPPER", .stopwords = words}, {days}},
          {StringNormalizer{.case_change_action = "LOWER", .is_case_sensitive = true, .stopwords = words},
           {days.reshape({1, 4})}},
          {StringNormalizer{.stopwords = words}, {words}},
          {StringNormalizer{.case_change_action = "lower"}, {days}, "LOWER, UPPER or NONE, got 'lower'"},
          {StringNormalizer{}, {days.reshape({2, 2})}, "expects shape [n] or [1, n], got [2, 2]"},
          {StringNormalizer{}, {sample_values({2})}, "input 'X' expects string, got float32"},
          {StringNormalizer{.stopwords = sample_values({2})}, {days}, "stopwords expects strings, got float32[2]"}};
}

void StringConcat::infer(InferContext& context) const {
  check_strings(context, 0);
  check_strings(context, 1);
  context.output(DType::string, context.broadcast(context.shape(0), context.shape(1)));
}

void StringConcat::evaluate(EvalContext& context) const {
  const Dims& dims = context.output().dims();
  Texts texts = context.input(0).expand(dims).to_vector<std::string>();
  const Texts second = context.input(1).expand(dims).to_vector<std::string>();
  for (size_t i = 0; i < texts.size(); ++i) texts[i] += second[i];
  write(texts, context.output());
}

std::vector<Sample> StringConcat::samples() {
  const Tensor x = sample_texts({"a", "", "ß"}, {3});
  return {{StringConcat{}, {x, sample_texts({"1", "2"}, {2, 1})}},
          {StringConcat{}, {x, sample_texts({""}, {})}},
          {StringConcat{}, {sample_texts({}, {0}), sample_texts({"x"}, {1})}},
          {StringConcat{}, {x, sample_texts({"1", "2"}, {2})}, "do not broadcast"},
          {StringConcat{}, {x, sample_values({3})}, "input 'Y' expects string, got float32"}};
}

void StringSplit::infer(InferContext& context) const {
  check_strings(context, 0);
  context.check<ArgumentError>(maxsplit.value_or(0) >= 0, "maxsplit expects a number from 0 up, got ",
                               maxsplit.value_or(0));
  Shape out = context.shape(0);
  context.check(out.rank() < kMaxRank, "'X' has rank ", out.rank(), ", expected less than ", kMaxRank);
  out.push_back(counted(context, 0, [this](const Tensor& x) { return most_parts(split_all(*this, x)); }));
  context.output(0, DType::string, std::move(out));
  if (context.output_count() > 1) context.output(1, DType::i64, context.shape(0));
}

void StringSplit::evaluate(EvalContext& context) const {
  const std::vector<Texts> split = split_all(*this, context.input(0));
  const size_t most = most_parts(split);
  Texts flat;
  for (const Texts& parts : split) {
    flat.insert(flat.end(), parts.begin(), parts.end());
    flat.resize(flat.size() + most - parts.size());
  }
  if (context.has_output(0)) write(flat, context.output(0));
  if (!context.has_output(1)) return;
  auto* counts = context.output(1).mutable_raw_as<int64_t>();
  for (const Texts& parts : split) *counts++ = static_cast<int64_t>(parts.size());
}

std::vector<Sample> StringSplit::samples() {
  const Tensor x = sample_texts({"a,b,,c", "", ",", "d"}, {2, 2});
  const Tensor words = sample_texts({"  one two\tthree ", " ", "four"}, {3});
  return {{StringSplit{.delimiter = ","}, {x}, "", 2},
          {StringSplit{.delimiter = ",", .maxsplit = 1}, {x}, "", 2},
          {StringSplit{}, {words}, "", 2},
          {StringSplit{.delimiter = "", .maxsplit = 1}, {words}, "", 2},
          {StringSplit{}, {sample_texts({}, {0})}},
          {StringSplit{.maxsplit = -1}, {x}, "maxsplit expects a number from 0 up, got -1"},
          {StringSplit{}, {sample_values({2})}, "input 'X' expects string, got float32"}};
}

ONEMODEL_OPERATOR(StringNormalizer)
ONEMODEL_OPERATOR(StringConcat)
ONEMODEL_OPERATOR(StringSplit)

}  // namespace onemodel
