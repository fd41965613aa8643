#pragma once
// Operators that draw numbers: RandomNormal, RandomUniform, both as their input is, Bernoulli, Multinomial.
//
// With the attribute `seed` every evaluation draws the same numbers, on every machine. Without it each evaluation draws
// others, from seeds that manual_seed starts anew. Numbers have 24 random bits and are made in float32 before they are
// converted.

#include <array>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

constexpr OpInfo random_info(std::string_view name, int since, std::string_view doc) {
  return {.name = name, .doc = doc, .since = since, .strided = true, .random = true};
}
inline constexpr NotDifferentiable kDrawn{"random numbers do not depend on the inputs"};
inline constexpr std::string_view kSeedDoc = "the same numbers in every evaluation; others each time when absent";

/// Normally distributed numbers of `shape`, by Box and Muller. Floating dtypes. Errors: a negative extent.
struct RandomNormal {
  DType dtype = DType::f32;
  float mean = 0, scale = 1;
  std::optional<float> seed;
  std::vector<int64_t> shape;
  static constexpr auto fields() {
    return std::tuple{
        field("dtype", &RandomNormal::dtype, "dtype of the result"), field("mean", &RandomNormal::mean, "mean"),
        field("scale", &RandomNormal::scale, "standard deviation"), field("seed", &RandomNormal::seed, kSeedDoc),
        required_field("shape", &RandomNormal::shape, "extents of the result")};
  }
  static constexpr std::array<Input, 0> inputs{};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info = random_info("RandomNormal", 1, "normally distributed numbers");
  static constexpr NotDifferentiable vjp = kDrawn;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// Numbers of `shape`, uniform in [low, high). Floating dtypes. Errors: a negative extent.
struct RandomUniform {
  DType dtype = DType::f32;
  float high = 1, low = 0;
  std::optional<float> seed;
  std::vector<int64_t> shape;
  static constexpr auto fields() {
    return std::tuple{field("dtype", &RandomUniform::dtype, "dtype of the result"),
                      field("high", &RandomUniform::high, "numbers are below it"),
                      field("low", &RandomUniform::low, "the least number"),
                      field("seed", &RandomUniform::seed, kSeedDoc),
                      required_field("shape", &RandomUniform::shape, "extents of the result")};
  }
  static constexpr std::array<Input, 0> inputs{};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info = random_info("RandomUniform", 1, "uniformly distributed numbers");
  static constexpr NotDifferentiable vjp = kDrawn;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// RandomNormal of the input's shape and, when `dtype` is absent, its dtype.
struct RandomNormalLike {
  std::optional<DType> dtype;
  float mean = 0, scale = 1;
  std::optional<float> seed;
  static constexpr auto fields() {
    return std::tuple{field("dtype", &RandomNormalLike::dtype, "dtype of the result; the input's when absent"),
                      field("mean", &RandomNormalLike::mean, "mean"),
                      field("scale", &RandomNormalLike::scale, "standard deviation"),
                      field("seed", &RandomNormalLike::seed, kSeedDoc)};
  }
  static constexpr Input inputs[] = {{"input", "any values, for their shape"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info =
      random_info("RandomNormalLike", 1, "normally distributed numbers in the input's shape");
  static constexpr NotDifferentiable vjp = kDrawn;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// RandomUniform of the input's shape and, when `dtype` is absent, its dtype.
struct RandomUniformLike {
  std::optional<DType> dtype;
  float high = 1, low = 0;
  std::optional<float> seed;
  static constexpr auto fields() {
    return std::tuple{field("dtype", &RandomUniformLike::dtype, "dtype of the result; the input's when absent"),
                      field("high", &RandomUniformLike::high, "numbers are below it"),
                      field("low", &RandomUniformLike::low, "the least number"),
                      field("seed", &RandomUniformLike::seed, kSeedDoc)};
  }
  static constexpr Input inputs[] = {{"input", "any values, for their shape"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info =
      random_info("RandomUniformLike", 1, "uniformly distributed numbers in the input's shape");
  static constexpr NotDifferentiable vjp = kDrawn;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// 1 with the probability that the input (floating) names, else 0; of the dtype `dtype`, the input's when absent.
struct Bernoulli {
  std::optional<DType> dtype;
  std::optional<float> seed;
  static constexpr auto fields() {
    return std::tuple{field("dtype", &Bernoulli::dtype, "dtype of the result; the input's when absent"),
                      field("seed", &Bernoulli::seed, kSeedDoc)};
  }
  static constexpr Input inputs[] = {{"input", "probabilities"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info = random_info("Bernoulli", 15, "1 with the given probability, else 0");
  static constexpr NotDifferentiable vjp = kDrawn;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// `sample_size` classes for each row of logarithms of probabilities, input[batch, classes] (floating), which need not
/// sum to 1: int32 or int64 [batch, sample_size]. A row without any probability gives its last class. Errors: no
/// classes.
struct Multinomial {
  DType dtype = DType::i32;
  int64_t sample_size = 1;
  std::optional<float> seed;
  static constexpr auto fields() {
    return std::tuple{field("dtype", &Multinomial::dtype, "int32 or int64"),
                      field("sample_size", &Multinomial::sample_size, "how many classes of each row"),
                      field("seed", &Multinomial::seed, kSeedDoc)};
  }
  static constexpr Input inputs[] = {{"input", "logarithms of probabilities, [batch, classes]"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info =
      random_info("Multinomial", 7, "classes drawn by the logarithms of their probabilities");
  static constexpr NotDifferentiable vjp = kDrawn;
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
