#include "ops/random.h"

#include "core/math.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/seeds.h"

namespace onemodel {
namespace {

enum class Law : uint8_t { normal, uniform };

// `a` and `b` are mean and deviation, or the bounds.
void draw(Law law, std::optional<float> seed, float a, float b, const Tensor& y) {
  Generator generator = generator_for(seed_of(seed));
  Tensor numbers = y.dtype() == DType::f32 ? y : Tensor::empty(y.dims(), DType::f32);
  auto* to = numbers.mutable_raw_as<float>();
  const auto count = static_cast<size_t>(y.numel());
  law == Law::normal ? generator.fill_normal(to, count, a, b) : generator.fill_uniform(to, count, a, b);
  Tensor target = y;
  if (y.dtype() != DType::f32) target.copy_from(numbers);
}

void infer_drawn(InferContext& context, DType dtype, const std::vector<int64_t>& shape) {
  context.check<DTypeError>(is_floating(dtype), "dtype expects a floating-point type, got ", dtype);
  for (const int64_t extent : shape)
    context.check<ArgumentError>(extent >= 0, "shape expects numbers from 0 up, got ", extent);
  context.output(dtype, Dims(shape));
}

void infer_like(InferContext& context, std::optional<DType> dtype) {
  const DType result = dtype.value_or(context.dtype(0));
  context.check<DTypeError>(is_floating(result), "dtype expects a floating-point type, got ", result);
  context.output(result, context.shape(0));
}

}  // namespace

void RandomNormal::infer(InferContext& context) const { infer_drawn(context, dtype, shape); }
void RandomNormal::evaluate(EvalContext& context) const { draw(Law::normal, seed, mean, scale, context.output()); }

std::vector<Sample> RandomNormal::samples() {
  return {{RandomNormal{.seed = 3.5f, .shape = {2, 3}}, {}},
          {RandomNormal{.dtype = DType::f64, .mean = 5, .scale = 0.5f, .seed = 1.0f, .shape = {7}}, {}},
          {RandomNormal{.dtype = DType::f16, .seed = 0.0f, .shape = {}}, {}},
          {RandomNormal{.shape = {0, 2}}, {}},
          {RandomNormal{.shape = {2, -1}}, {}, "shape expects numbers from 0 up, got -1"},
          {RandomNormal{.dtype = DType::i32, .shape = {2}}, {}, "dtype expects a floating-point type, got int32"}};
}

void RandomUniform::infer(InferContext& context) const { infer_drawn(context, dtype, shape); }
void RandomUniform::evaluate(EvalContext& context) const { draw(Law::uniform, seed, low, high, context.output()); }

std::vector<Sample> RandomUniform::samples() {
  return {{RandomUniform{.seed = 3.5f, .shape = {2, 3}}, {}},
          {RandomUniform{.dtype = DType::f64, .high = 5, .low = -2, .seed = 1.0f, .shape = {7}}, {}},
          {RandomUniform{.dtype = DType::bf16, .seed = 0.0f, .shape = {}}, {}},
          {RandomUniform{.shape = {2, -1}}, {}, "shape expects numbers from 0 up, got -1"},
          {RandomUniform{.dtype = DType::boolean, .shape = {2}}, {}, "dtype expects a floating-point type, got bool"}};
}

void RandomNormalLike::infer(InferContext& context) const { infer_like(context, dtype); }
void RandomNormalLike::evaluate(EvalContext& context) const { draw(Law::normal, seed, mean, scale, context.output()); }

std::vector<Sample> RandomNormalLike::samples() {
  const Tensor x = sample_values({2, 3});
  return {{RandomNormalLike{.seed = 3.5f}, {x}},
          {RandomNormalLike{.dtype = DType::f64, .mean = -1, .scale = 3, .seed = 1.0f}, {x.cast(DType::i32)}},
          {RandomNormalLike{}, {x.cast(DType::i32)}, "dtype expects a floating-point type, got int32"}};
}

void RandomUniformLike::infer(InferContext& context) const { infer_like(context, dtype); }
void RandomUniformLike::evaluate(EvalContext& context) const { draw(Law::uniform, seed, low, high, context.output()); }

std::vector<Sample> RandomUniformLike::samples() {
  const Tensor x = sample_values({2, 3});
  return {{RandomUniformLike{.seed = 3.5f}, {x}},
          {RandomUniformLike{.dtype = DType::f16, .high = 3, .low = -1, .seed = 1.0f}, {x.cast(DType::boolean)}},
          {RandomUniformLike{}, {x.cast(DType::u8)}, "dtype expects a floating-point type, got uint8"}};
}

void Bernoulli::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  const DType result = dtype.value_or(context.dtype(0));
  context.check<DTypeError>(result != DType::undefined, "dtype is not an element type");
  context.output(result, context.shape(0));
}

void Bernoulli::evaluate(EvalContext& context) const {
  Generator generator = generator_for(seed_of(seed));
  std::vector<double> values = context.input(0).to_vector<double>();
  for (double& value : values) value = static_cast<double>(generator.uniform()) < value ? 1 : 0;
  Tensor y = context.output();
  y.copy_from(Tensor::from(std::span<const double>(values), y.dims()));
}

std::vector<Sample> Bernoulli::samples() {
  const Tensor p = sample_values({4, 5}, 0, 1);
  return {{Bernoulli{.seed = 2.0f}, {p}},
          {Bernoulli{.dtype = DType::boolean, .seed = 2.0f}, {p.cast(DType::f64)}},
          {Bernoulli{.dtype = DType::i64, .seed = -1.0f}, {sample_values({}, 0, 1)}},
          {Bernoulli{}, {p.cast(DType::i32)}, "input 'input' expects a floating-point type, got int32"}};
}

void Multinomial::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.check<DTypeError>(dtype == DType::i32 || dtype == DType::i64, "dtype expects int32 or int64, got ", dtype);
  context.check<ArgumentError>(sample_size >= 0, "sample_size expects a number from 0 up, got ", sample_size);
  const Shape& x = context.shape(0);
  context.check(x.rank() == 2, "'input' expects [batch, classes], got shape ", x);
  context.check(x[1] != Extent(0), "'input' of shape ", x, " has no classes");
  context.output(dtype, {x[0], sample_size});
}

void Multinomial::evaluate(EvalContext& context) const {
  Generator generator = generator_for(seed_of(seed));
  const std::vector<double> logs = context.input(0).to_vector<double>();
  const auto classes = static_cast<size_t>(context.input(0).dims()[1]), count = static_cast<size_t>(sample_size);
  std::vector<int64_t> drawn;
  for (size_t row = 0; row < logs.size(); row += classes) {
    const std::span<const double> own(logs.data() + row, classes);
    double largest = own[0], total = 0;
    for (const double value : own) largest = value > largest ? value : largest;
    std::vector<double> sums;
    for (const double value : own) sums.push_back(total += math::exp(value - largest));
    for (size_t i = 0; i < count; ++i) {
      const double at = static_cast<double>(generator.uniform()) * total;
      size_t k = 0;
      while (k + 1 < classes && !(at < sums[k])) ++k;
      drawn.push_back(static_cast<int64_t>(k));
    }
  }
  Tensor y = context.output();
  y.copy_from(Tensor::from(std::span<const int64_t>(drawn), y.dims()));
}

std::vector<Sample> Multinomial::samples() {
  const Tensor logs = sample_values({3, 4});
  return {{Multinomial{.sample_size = 5, .seed = 2.0f}, {logs}},
          {Multinomial{.dtype = DType::i64, .seed = 7.5f}, {logs}},
          {Multinomial{.sample_size = -1}, {logs}, "sample_size expects a number from 0 up, got -1"},
          {Multinomial{.dtype = DType::f32}, {logs}, "dtype expects int32 or int64, got float32"},
          {Multinomial{}, {sample_values({4})}, "'input' expects [batch, classes], got shape [4]"},
          {Multinomial{}, {sample_values({2, 0})}, "'input' of shape [2, 0] has no classes"}};
}

ONEMODEL_OPERATOR(RandomNormal)
ONEMODEL_OPERATOR(RandomUniform)
ONEMODEL_OPERATOR(RandomNormalLike)
ONEMODEL_OPERATOR(RandomUniformLike)
ONEMODEL_OPERATOR(Bernoulli)
ONEMODEL_OPERATOR(Multinomial)

}  // namespace onemodel
