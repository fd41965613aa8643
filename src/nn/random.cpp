#include "nn/random.h"

#include <cmath>

#include "eager/functional_trace.h"
#include "eager/recording.h"
#include "ops/seeds.h"

namespace onemodel::nn {

namespace {

Generator& generator_for(std::string_view function) {
  check_untraced(function, "random numbers would be frozen in the graph");
  return default_generator();
}

}  // namespace

Generator& default_generator() {
  static Generator generator(0);
  return generator;
}

void check_generator_free(std::string_view function) {
  if (functional_trace()) return;  // an export puts the generator back
  check_untraced(function, "the graph draws nothing from this generator; seed it outside of the trace");
}

void manual_seed(uint64_t seed) {
  check_generator_free("manual_seed");
  default_generator() = Generator(seed);
  restart_seeds(seed);
}

Tensor rand(const Dims& dims, float low, float high) {
  Generator& generator = generator_for("rand");
  Tensor out = Tensor::empty(dims);
  generator.fill_uniform(out.mutable_raw_as<float>(), static_cast<size_t>(out.numel()), low, high);
  return out;
}

Tensor randn(const Dims& dims, float mean, float deviation) {
  Generator& generator = generator_for("randn");
  Tensor out = Tensor::empty(dims);
  generator.fill_normal(out.mutable_raw_as<float>(), static_cast<size_t>(out.numel()), mean, deviation);
  return out;
}

Tensor randperm(int64_t n) { return Tensor::from_ints(generator_for("randperm").permutation(n)); }

Generator& weight_generator() {
  check_untraced("random numbers", "a new module's weights would be frozen in the graph; make modules before tracing");
  return default_generator();
}

Tensor fan_in_uniform(const Dims& dims, int64_t fan_in) {
  Tensor out = Tensor::empty(dims);
  const auto bound = fan_in > 0 ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(fan_in))) : 0.0f;
  weight_generator().fill_uniform(out.mutable_raw_as<float>(), static_cast<size_t>(out.numel()), -bound, bound);
  return out;
}

void fill_xavier_uniform(const Tensor& weight) {
  const auto bound = static_cast<float>(std::sqrt(6.0 / static_cast<double>(weight.dims()[0] + weight.dims()[1])));
  weight_generator().fill_uniform(weight.mutable_raw_as<float>(), static_cast<size_t>(weight.numel()), -bound, bound);
}

}  // namespace onemodel::nn
