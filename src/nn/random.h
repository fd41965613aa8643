#pragma once
// The process-wide generator: initial weights and dropout masks come from it.

#include "core/generator.h"
#include "core/tensor.h"

namespace onemodel::nn {

/// Seeded with 0 at the start. Not thread-safe: modules are built and trained on one thread.
Generator& default_generator();
/// Starts it anew, and the sequence of seeds for operators that draw numbers: the same seed gives the same weights,
/// masks and numbers on every machine. Throws TraceError(UnsupportedOperation) in a trace, but an export,
/// which puts the generator back.
void manual_seed(uint64_t seed);

/// What it throws, for whatever else changes the generator: `function`.
void check_generator_free(std::string_view function);

/// float32 numbers from the default generator: uniform in [low, high), or normal. These throw ShapeError for a negative size,
/// and TraceError(UnsupportedOperation) while tracing, where the numbers would be frozen in the graph.
Tensor rand(const Dims& dims, float low = 0, float high = 1);
Tensor randn(const Dims& dims, float mean = 0, float deviation = 1);
/// 0 … n-1 in random order: int64 [n]. Throws ArgumentError for a negative n, and while tracing as `rand`.
Tensor randperm(int64_t n);

/// The default generator, for the weights of a new module. Throws TraceError(UnsupportedOperation) while tracing.
Generator& weight_generator();

/// float32 numbers from weight_generator, in [-b, b) with b = 1 / sqrt(fan_in). It is PyTorch's default for
/// weights and biases, kaiming_uniform(a = sqrt 5).
Tensor fan_in_uniform(const Dims& dims, int64_t fan_in);
/// Fills weight [out, in] from weight_generator as Glorot and Bengio do ("Understanding the difficulty of training deep
/// feedforward neural networks", 2010): uniform in [-b, b) with b = sqrt(6 / (in + out)).
void fill_xavier_uniform(const Tensor& weight);

}  // namespace onemodel::nn
