#pragma once
// What the samples of an operator show of it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/infer.h"
#include "ops/sample.h"

namespace onemodel::generate {

/// The samples of each operator that run.
std::vector<std::vector<Sample>> good_samples();
std::vector<TensorType> output_types(const Sample& sample);
/// The dtype of an operand in a sample, if it is there.
std::optional<DType> dtype_in(const Sample& sample, size_t operand);
/// What some sample takes for these operands, all of one dtype: of arithmetic, or, where there are none, those only stored.
std::vector<DType> taken_by(std::span<const Sample> samples, const std::vector<size_t>& operands);
/// The operands that have one dtype with this one: itself alone when it may have another than they.
std::vector<size_t> sharing(std::span<const Sample> samples, size_t operand);
/// What operands may be: "floating", or "condition: bool; X, Y: any, string, small". Those that decide shapes are left out where there
/// are others.
std::string dtypes(std::span<const Sample> samples);
/// "Softmax(axis=1) of float32[2, 3] gives float32[2, 3]".
std::string example(const Sample& sample);

}  // namespace onemodel::generate
