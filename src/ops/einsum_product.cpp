#include "ops/einsum_product.h"

#include <algorithm>
#include <map>

#include "ops/formula.h"
#include "ops/slice.h"

namespace onemodel {
namespace {

// The labels of `all` that fit.
template <class F>
std::string chosen(std::string_view all, const F& fits) {
  std::string out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), fits);
  return out;
}

Var in_order(const Labelled& operand, std::string_view labels) {
  if (operand.labels == labels) return operand.v;
  Dims axes;
  for (char label : labels) axes.push_back(static_cast<int64_t>(operand.labels.find(label)));
  return permute(operand.v, axes);
}

// Axes of one label become one: its two axes first and as one, of which every (n + 1)th element is on the diagonal.
Labelled diagonal(Labelled operand) {
  for (size_t second = 0; second < operand.labels.size(); ++second) {
    const size_t first = operand.labels.find(operand.labels[second]);
    if (first == second) continue;
    Dims axes{static_cast<int64_t>(first), static_cast<int64_t>(second)}, dims;
    std::string labels(1, operand.labels[second]);
    const int64_t n = operand.v.dims()[first];
    dims.push_back(n * n);
    for (size_t i = 0; i < operand.labels.size(); ++i) {
      if (i == first || i == second) continue;
      axes.push_back(static_cast<int64_t>(i));
      dims.push_back(operand.v.dims()[i]);
      labels += operand.labels[i];
    }
    const Var flat = reshape(permute(operand.v, axes), dims);
    const auto one = [&](int64_t value) { return ints_beside(flat, std::span(&value, 1)); };
    return diagonal({apply(Slice{}, {flat, one(0), one(n * n), one(0), one(n + 1)}), labels});
  }
  return operand;
}

Labelled sum_but(const Labelled& operand, std::string_view kept) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < operand.labels.size(); ++i)
    if (!has_label(kept, operand.labels[i])) axes.push_back(static_cast<int64_t>(i));
  if (axes.empty()) return operand;
  return {reduce_sum(operand.v, axes, false), chosen(operand.labels, [&](char c) { return has_label(kept, c); })};
}

// The product of two, summed over the labels of both that are not `kept`.
Labelled contract(const Labelled& a, const Labelled& b, std::string_view kept) {
  const std::string batch = chosen(a.labels, [&](char c) { return has_label(b.labels, c) && has_label(kept, c); });
  const std::string sum = chosen(a.labels, [&](char c) { return has_label(b.labels, c) && !has_label(kept, c); });
  const std::string left = chosen(a.labels, [&](char c) { return !has_label(b.labels, c); });
  const std::string right = chosen(b.labels, [&](char c) { return !has_label(a.labels, c); });
  const int64_t outer = numel(a.extents(batch)), inner = numel(a.extents(sum));
  const int64_t rows = numel(a.extents(left)), columns = numel(b.extents(right));
  const Var x = reshape(in_order(a, batch + left + sum), {outer, rows, inner});
  const Var y = reshape(in_order(b, batch + sum + right), {outer, inner, columns});
  Dims dims = a.extents(batch + left);
  for (int64_t extent : b.extents(right)) dims.push_back(extent);
  return {reshape(sum.empty() ? x * y : matmul(x, y), dims), batch + left + right};
}

}  // namespace

std::vector<Labelled> without_broadcast(const EinsumTerms& terms, std::span<const Var> operands) {
  std::map<char, int64_t> extents;
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t a = 0; a < operands[i].rank(); ++a) {
      int64_t& extent = extents.try_emplace(terms.operands[i][a], 1).first->second;
      if (operands[i].dims()[a] != 1) extent = operands[i].dims()[a];
    }
  std::vector<Labelled> out;
  for (size_t i = 0; i < operands.size(); ++i) {
    Labelled operand;
    Dims dims;
    for (size_t a = 0; a < operands[i].rank(); ++a) {
      const char label = terms.operands[i][a];
      if (operands[i].dims()[a] != extents[label]) continue;
      operand.labels += label;
      dims.push_back(extents[label]);
    }
    operand.v = reshape(operands[i], dims);
    out.push_back(std::move(operand));
  }
  return out;
}

Var sum_of_products(const EinsumTerms& terms, std::span<const Var> operands) {
  std::vector<Labelled> rest = without_broadcast(terms, operands);
  const auto kept_after = [&](size_t next) {
    std::string kept = terms.output;
    for (size_t i = next; i < rest.size(); ++i) kept += rest[i].labels;
    return kept;
  };
  Labelled result = sum_but(diagonal(rest[0]), kept_after(1));
  for (size_t i = 1; i < rest.size(); ++i) {
    const std::string kept = kept_after(i + 1);
    result = contract(result, sum_but(diagonal(rest[i]), kept + result.labels), kept);
    result = sum_but(result, kept);
  }
  return in_order(result, terms.output);
}

}  // namespace onemodel
