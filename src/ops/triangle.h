#pragma once
// Matrices by their diagonals: Trilu, EyeLike.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input[…, rows, columns] on and above diagonal k (`upper`), or on and below it; 0 elsewhere. k is one int64, 0 when
/// absent; positive is above the main diagonal. Shape and dtype of the input, any dtype.
struct Trilu {
  bool upper = true;
  static constexpr auto fields() { return std::tuple{field("upper", &Trilu::upper, "keeps the upper triangle")}; }
  static constexpr Input inputs[] = {{"input", "matrices, of rank 2 or more"},
                                     {"k", "the diagonal, 0 when absent", Input::optional, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "Trilu", .doc = "the upper or lower triangle of matrices", .since = 14, .takes_stored = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// 1 on diagonal `k` of a matrix of the input's shape, 0 elsewhere; of the dtype `dtype`, the input's when absent.
struct EyeLike {
  std::optional<DType> dtype;
  int64_t k = 0;
  static constexpr auto fields() {
    return std::tuple{field("dtype", &EyeLike::dtype, "dtype of the result; the input's when absent"),
                      field("k", &EyeLike::k, "the diagonal; positive is above the main one")};
  }
  static constexpr Input inputs[] = {{"input", "a matrix, for its shape"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{
      .name = "EyeLike", .doc = "1 on a diagonal, 0 elsewhere, in the input's shape", .since = 9, .strided = true};
  static constexpr NotDifferentiable vjp{"the result does not depend on values"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
