#pragma once
// Remainders, and functions of the bits of integers; with numpy broadcasting.

#include "kernels/portable/elementwise.h"
#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// The remainder of A / B with the sign of B (integers) or, with `fmod`, the sign of A (any numeric dtype, as C's fmod).
/// The remainder of an integer by 0 is 0.
struct Mod {
  bool fmod = false;
  static constexpr auto fields() {
    return std::tuple{field("fmod", &Mod::fmod, "the sign is that of A; needed for floating dtypes")};
  }
  static constexpr Input inputs[] = {{"A", "dividend"}, {"B", "divisor"}};
  static constexpr std::string_view outputs[] = {"C"};
  static constexpr OpInfo info{
      .name = "Mod", .doc = "remainder of A / B; 0 for an integer by 0", .since = 13, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// What functions of two integers of one dtype share. T has `kPortable`.
template <class T>
struct Bitwise {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"A", "integers"}, {"B", "integers"}};
  static constexpr std::string_view outputs[] = {"C"};
  static constexpr NotDifferentiable vjp{"bits are not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

struct BitwiseAnd : Bitwise<BitwiseAnd> {
  static constexpr OpInfo info{.name = "BitwiseAnd", .doc = "bits that A and B have", .since = 18, .strided = true};
  static constexpr auto kPortable = kernels::Binary::bit_and;
};

struct BitwiseOr : Bitwise<BitwiseOr> {
  static constexpr OpInfo info{.name = "BitwiseOr", .doc = "bits that A or B have", .since = 18, .strided = true};
  static constexpr auto kPortable = kernels::Binary::bit_or;
};

struct BitwiseXor : Bitwise<BitwiseXor> {
  static constexpr OpInfo info{
      .name = "BitwiseXor", .doc = "bits that either A or B has", .since = 18, .strided = true};
  static constexpr auto kPortable = kernels::Binary::bit_xor;
};

/// All bits of X turned.
struct BitwiseNot {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "integers"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "BitwiseNot", .doc = "every bit turned", .since = 18, .strided = true};
  static constexpr NotDifferentiable vjp{"bits are not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// X shifted by Y bits; unsigned integers of one dtype. Shifting by the width or more gives 0.
struct BitShift {
  std::string direction = "LEFT";
  static constexpr auto fields() {
    return std::tuple{required_field("direction", &BitShift::direction, "LEFT or RIGHT")};
  }
  static constexpr Input inputs[] = {{"X", "unsigned integers"}, {"Y", "by how many bits"}};
  static constexpr std::string_view outputs[] = {"Z"};
  static constexpr OpInfo info{
      .name = "BitShift", .doc = "bits of X moved by Y places; zeros come in", .since = 11, .strided = true};
  static constexpr NotDifferentiable vjp{"bits are not smooth"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
