#include "ops/einsum.h"

#include <map>

#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/einsum_product.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"

namespace onemodel {
namespace {

EinsumTerms terms_of(const std::string& equation, std::span<const Var> operands) {
  std::vector<size_t> ranks;
  for (const Var& operand : operands) ranks.push_back(operand.rank());
  return parse_einsum(equation, ranks);
}

// In a dtype that products are computed in.
Var computable(const Var& v) {
  if (v.dtype() == DType::i8 || v.dtype() == DType::i16) return cast(v, DType::i32);
  if (v.dtype() == DType::u8 || v.dtype() == DType::u16) return cast(v, DType::u32);
  return is_floating(v.dtype()) ? widen(v) : v;
}

// Spreads `g`, which has a label of `labels` for each axis, over an operand: along labels that it lacks, and onto the
// diagonals of those that the operand has twice.
Var spread(const Var& g, std::string_view labels, const Labelled& operand) {
  Dims once, all;
  for (size_t i = 0; i < operand.labels.size(); ++i) {
    const bool first = operand.labels.find(operand.labels[i]) == i;
    once.push_back(first && has_label(labels, operand.labels[i]) ? operand.v.dims()[i] : 1);
    all.push_back(first ? operand.v.dims()[i] : 1);
  }
  Var out = expand(reshape(g, once), all);
  for (size_t i = 0; i < operand.labels.size(); ++i) {
    const size_t first = operand.labels.find(operand.labels[i]);
    if (first == i) continue;
    const int64_t n = operand.v.dims()[i];
    const Tensor eye = Tensor::zeros({n, n}, DType::boolean);
    for (int64_t k = 0; k < n; ++k) eye.mutable_raw_as<bool>()[k * n + k] = true;
    Dims dims = Dims::filled(operand.labels.size(), 1);
    dims[first] = dims[i] = n;
    out = where(Var(eye.reshape(dims), &g.applier()), out, g.constant(0));
  }
  return out;
}

}  // namespace

void Einsum::infer(InferContext& context) const {
  check_in(context, 0, kNumeric);
  std::vector<size_t> ranks;
  for (size_t i = 0; i < context.input_count(); ++i) {
    ranks.push_back(context.rank(i));
    context.check<DTypeError>(context.dtype(i) == context.dtype(0), "operand ", i, " is ", context.dtype(i),
                              ", expected ", context.dtype(0), " as the first");
  }
  const EinsumTerms terms = parse_einsum(equation, ranks);
  std::map<char, Extent> extents;
  Shape broadcast;
  for (size_t i = 0; i < ranks.size(); ++i) {
    Shape hidden;
    for (size_t a = 0; a < ranks[i]; ++a) {
      const char label = terms.operands[i][a];
      const Extent& extent = context.shape(i)[a];
      if (has_label(terms.ellipsis, label)) {
        hidden.push_back(extent);
        continue;
      }
      Extent& known = extents.try_emplace(label, extent).first->second;
      check_equal(context, known, extent, "'", label, "' has extent ", known, " and, in operand ", i, " of shape ",
                  context.shape(i), ", ", extent);
      if (extent.is_number()) known = extent;
    }
    broadcast = context.broadcast(broadcast, hidden);
  }
  for (size_t i = 0; i < terms.ellipsis.size(); ++i) extents[terms.ellipsis[i]] = broadcast[i];
  Shape out;
  for (char label : terms.output) out.push_back(extents[label]);
  context.output(context.dtype(0), std::move(out));
}

void Einsum::evaluate(EvalContext& context) const {
  evaluate_formula(info.name, context, [&](std::span<const Var> inputs) {
    std::vector<Var> operands;
    for (const Var& input : inputs) operands.push_back(computable(input));
    return sum_of_products(terms_of(equation, operands), operands);
  });
}

Gradients Einsum::vjp(GradContext& context) const {
  std::vector<Var> inputs;
  for (size_t i = 0; i < context.input_count(); ++i) inputs.push_back(context.input(i));
  const EinsumTerms terms = terms_of(equation, inputs);
  const std::vector<Labelled> operands = without_broadcast(terms, inputs);
  const Var g = context.grad();
  Gradients out(inputs.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!context.needs(i)) continue;
    std::string left = terms.output, others = terms.output;
    std::vector<Tensor> factors{g.tensor()};
    for (size_t k = 0; k < operands.size(); ++k) {
      if (k == i) continue;
      left += "," + operands[k].labels;
      others += operands[k].labels;
      factors.push_back(operands[k].v.tensor());
    }
    std::string labels;
    for (char label : operands[i].labels)
      if (has_label(others, label) && !has_label(labels, label)) labels += label;
    const Var product(g.applier().apply(Einsum{left + "->" + labels}, factors, 1).front(), &g.applier());
    out[i] = reshape(spread(product, labels, operands[i]), inputs[i].dims());
  }
  return out;
}

std::vector<Sample> Einsum::samples() {
  const Tensor a = sample_values({2, 3}), b = sample_values({3, 4}, -2, 2, DType::f32, 2);
  const Tensor square = sample_values({3, 3}), batch = sample_values({2, 3, 3}, -2, 2, DType::f32, 3);
  const auto whole = [](const Dims& dims) { return sample_values(dims, -9, 9, DType::i16); };
  return {{Einsum{"ij,jk->ik"}, {a, b}},
          {Einsum{"ij, jk"}, {a, b}},
          {Einsum{"ij->ji"}, {a}},
          {Einsum{"ij->"}, {a}},
          {Einsum{"ii->i"}, {square}},
          {Einsum{"ii"}, {square}},
          {Einsum{"bii,ij->bj"}, {batch, square}},
          {Einsum{"bij,bjk->bik"}, {batch, sample_values({2, 3, 2}, -2, 2, DType::f32, 4)}},
          {Einsum{"...ij,...jk->...ik"}, {batch, sample_values({1, 3, 2}, -2, 2, DType::f32, 4)}},
          {Einsum{"...j,j->..."}, {batch, sample_values({3})}},
          {Einsum{"i,j->ij"}, {sample_values({2}), sample_values({3})}},
          {Einsum{"ij,jk,ki->j"}, {a, b, sample_values({4, 2})}},
          {Einsum{"ij,ij->ij"}, {a, sample_values({2, 3}, -2, 2, DType::f32, 5)}},
          {Einsum{"ab,cb->"}, {a, square}},
          {Einsum{",i->i"}, {sample_values({}), sample_values({3})}},
          {Einsum{"ij,jk->ik"}, {whole({2, 3}), whole({3, 2})}},
          {Einsum{"ij,jk->ik"}, {a, a}, "'j' has extent 3 and, in operand 1 of shape [2, 3], 2"},
          {Einsum{"ij,jk->ik"}, {a}, "has 2 terms for 1 operands"},
          {Einsum{"i->i"}, {a}, "operand 0 has rank 2, its term has 1 letters"},
          {Einsum{"ij->ik"}, {a}, "has 'k' in its output only"},
          {Einsum{"ij->ii"}, {a}, "has 'i' twice in its output"},
          {Einsum{"i1->i"}, {a}, "has '1', expected letters"},
          {Einsum{"...ij->ij"}, {batch}, "leaves the axes under the ellipsis out of its output"},
          {Einsum{"ij,jk"}, {a, b.cast(DType::f64)}, "operand 1 is float64, expected float32 as the first"},
          {Einsum{"i"}, {sample_values({2}, 0, 2, DType::boolean)}, "expects a numeric type, got bool"}};
}

ONEMODEL_OPERATOR(Einsum)

}  // namespace onemodel
