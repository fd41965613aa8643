// Gradients against finite differences, for every operator that has one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/operator_case.h"

namespace onemodel::test {
namespace {

constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-6;
constexpr int64_t kProbes = 48;  // elements of each input that are differentiated numerically

class GradientTest : public testing::TestWithParam<OperatorCase> {};

// A random linear functional of the floating outputs: its gradient by each output.
std::vector<Tensor> functional(std::span<const Tensor> outputs) {
  std::vector<Tensor> weights;
  for (size_t i = 0; i < outputs.size(); ++i)
    weights.push_back(is_floating(outputs[i].dtype())
                          ? sample_values(outputs[i].dims(), -1, 1, outputs[i].dtype(), 7 + i)
                          : Tensor());
  return weights;
}

double apply_functional(std::span<const Tensor> weights, std::span<const Tensor> outputs) {
  double total = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!weights[i].defined()) continue;
    const auto w = weights[i].to_vector<double>(), y = outputs[i].to_vector<double>();
    for (size_t k = 0; k < w.size(); ++k) total += w[k] * y[k];
  }
  return total;
}

std::vector<Tensor> gradients(const Sample& sample) {
  const auto outputs = run(sample.op, sample.inputs, sample.outputs);
  const auto weights = functional(outputs);
  const bool any = std::any_of(weights.begin(), weights.end(), [](const Tensor& w) { return w.defined(); });
  if (!any) return std::vector<Tensor>(sample.inputs.size());
  const auto needed = std::make_unique<bool[]>(sample.inputs.size());
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    needed[i] = sample.inputs[i].defined() && is_floating(sample.inputs[i].dtype());
  DirectApplier applier;
  GradContext context(sample.inputs, outputs, weights, {needed.get(), sample.inputs.size()}, applier);
  const auto found = sample.op.traits().vjp(sample.op.data(), context);
  for (size_t i = sample.inputs.size(); i < found.size(); ++i) EXPECT_FALSE(found[i].defined()) << "no input " << i;
  std::vector<Tensor> out(sample.inputs.size());
  for (size_t i = 0; i < std::min(out.size(), found.size()); ++i)
    if (needed[i]) out[i] = found[i].tensor();
  return out;
}

void expect_matches_differences(const Sample& sample, size_t i, const Tensor& gradient) {
  const Tensor& input = sample.inputs[i];
  const auto weights = functional(run(sample.op, sample.inputs, sample.outputs));
  const auto analytic =
      gradient.defined() ? gradient.to_vector<double>() : std::vector<double>(static_cast<size_t>(input.numel()));
  const int64_t stride = std::max<int64_t>(1, input.numel() / kProbes);
  for (int64_t k = 0; k < input.numel(); k += stride) {
    const auto at = [&](double shift) {
      Sample moved = sample;
      moved.inputs[i] = input.clone();
      moved.inputs[i].mutable_raw_as<double>()[k] += shift;
      return apply_functional(weights, run(moved.op, moved.inputs, moved.outputs));
    };
    const double numeric = (at(kStep) - at(-kStep)) / (2 * kStep);
    const double found = analytic[static_cast<size_t>(k)];
    EXPECT_LE(std::abs(numeric - found), kTolerance * std::max(1.0, std::abs(numeric)))
        << "input " << i << ", element " << k << ": " << found << ", finite difference " << numeric;
  }
}

TEST_P(GradientTest, MatchesFiniteDifferences) {
  const OpTraits& traits = *GetParam().traits;
  if (!traits.vjp) {
    EXPECT_FALSE(traits.not_differentiable.empty()) << "a refusal needs a reason";
    return;
  }
  for (const Sample& raw : GetParam().samples) {
    if (!raw.error.empty() || !raw.check_gradient) continue;
    const Sample sample = with_dtype(raw, DType::f32, DType::f64);
    SCOPED_TRACE(describe(sample));
    const auto found = gradients(sample);
    for (size_t i = 0; i < found.size(); ++i) {
      const Tensor& input = sample.inputs[i];
      if (!input.defined() || input.dtype() != DType::f64) continue;
      if (found[i].defined()) {
        EXPECT_EQ(found[i].dtype(), DType::f64);
        ASSERT_EQ(found[i].dims(), input.dims()) << "gradient of input " << i;
      }
      expect_matches_differences(sample, i, found[i]);
    }
  }
}

TEST_P(GradientTest, IsFloat32ForFloat32) {
  if (!GetParam().traits->vjp) return;
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty()) continue;
    SCOPED_TRACE(describe(sample));
    const auto found = gradients(sample), wide = gradients(with_dtype(sample, DType::f32, DType::f64));
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i].defined()) continue;
      EXPECT_EQ(found[i].dtype(), sample.inputs[i].dtype());
      EXPECT_TRUE(close(found[i], wide[i], 1e-4)) << "input " << i;
    }
  }
}

TEST_P(GradientTest, TakesOrRefusesEmptyInputs) {
  if (!GetParam().traits->vjp) return;
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty() || sample.inputs.empty() || !sample.inputs[0].defined()) continue;
    for (size_t axis = 0; axis < sample.inputs[0].rank(); ++axis) {
      Sample empty = sample;
      empty.inputs[0] = empty.inputs[0].slice(static_cast<int64_t>(axis), 0, 0).contiguous();
      if (!infer_error(empty.op, empty.inputs, empty.outputs).empty()) continue;
      SCOPED_TRACE(describe(empty));
      try {
        gradients(empty);
      } catch (const Error&) {  // an index or a window that fits nothing
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GradientTest, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

}  // namespace
}  // namespace onemodel::test
