// Fast kernels against portable ones, for every operator that has some.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/operator_case.h"

namespace onemodel::test {
namespace {

class FastKernels : public testing::TestWithParam<OperatorCase> {};

constexpr double kTolerance = 1e-5;

Tensor clamped(const Tensor& x, const Clamp& clamp) {
  auto values = x.to_vector<float>();
  for (float& value : values)
    if (!std::isnan(value)) value = std::min(std::max(value, clamp.min), clamp.max);
  return Tensor::from(std::span<const float>(values), x.dims());
}

struct Setting {
  bool constant_weights;  // every input but the first
  std::optional<Clamp> clamp;
};

void expect_agreement(const Sample& sample, const Setting& setting) {
  std::vector<KernelRequest::Operand> inputs, outputs;
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor& input = sample.inputs[i];
    KernelRequest::Operand& operand = inputs.emplace_back();
    if (!input.defined()) continue;
    const bool constant = (setting.constant_weights && i > 0) || sample.op.traits().input(i).is_shape_data;
    operand = {input.dtype(), input.dims(), constant ? input : Tensor()};
  }
  std::vector<Guarded> guards;
  std::vector<Tensor> results;
  for (const TensorType& type : infer_types(sample.op, sample.inputs, sample.outputs)) {
    outputs.push_back({type.dtype, type.shape.dims(), {}});
    results.push_back(guards.emplace_back(type.shape.dims(), type.dtype).tensor());
  }
  const KernelRequest request{inputs, outputs, Arithmetic::fast, setting.clamp};
  const KernelChoice choice = choose_kernel(sample.op, request);
  if (!choice.kernel) {
    for (const std::string& refusal : choice.refusals) EXPECT_FALSE(refusal.ends_with(": "));
    return;
  }
  EXPECT_EQ(choice.applies_clamp, setting.clamp.has_value());

  std::vector<Tensor> given = sample.inputs;
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i].defined() && inputs[i].constant.defined() && choice.kernel->keeps_constant(i)) given[i] = Tensor();
  const Guarded workspace({static_cast<int64_t>(choice.kernel->workspace_bytes())}, DType::u8);
  for (int repeat = 0; repeat < 2; ++repeat) {
    choice.kernel->run(given, results, workspace.tensor().mutable_raw());
    const auto expected = run(sample.op, sample.inputs, sample.outputs);
    for (size_t i = 0; i < results.size(); ++i) {
      const bool clamp = setting.clamp && expected[i].dtype() == DType::f32;
      EXPECT_TRUE(close(results[i], clamp ? clamped(expected[i], *setting.clamp) : expected[i], kTolerance))
          << choice.name << ", output " << i << ", run " << repeat;
      EXPECT_TRUE(guards[i].intact()) << choice.name << " wrote beside output " << i;
    }
    EXPECT_TRUE(workspace.intact()) << choice.name << " wrote beside its workspace";
  }
}

void expect_agreement_in_all_settings(const Sample& sample) {
  SCOPED_TRACE(describe(sample));
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (bool constant_weights : {false, true})
    for (const std::optional<Clamp>& clamp :
         {std::optional<Clamp>(), std::optional(Clamp{0, kInfinity}), std::optional(Clamp{-0.5f, 0.25f})})
      expect_agreement(sample, {constant_weights, clamp});
}

TEST_P(FastKernels, AgreeWithPortableOnes) {
  for (const Sample& sample : GetParam().samples)
    if (sample.error.empty()) expect_agreement_in_all_settings(sample);
}

TEST_P(FastKernels, PropagateNaNAndInfinity) {
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty() || (!sample.inputs.empty() && sample.op.traits().input(0).is_shape_data)) continue;
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
      if (sample.inputs.empty() || sample.inputs[0].dtype() != DType::f32 || sample.inputs[0].numel() == 0) continue;
      Sample special = sample;
      special.inputs[0] = special.inputs[0].clone();
      special.inputs[0].mutable_raw_as<float>()[0] = value;
      SCOPED_TRACE(value);
      expect_agreement_in_all_settings(special);
    }
  }
}

TEST_P(FastKernels, TakeOrRefuseEmptyExtents) {
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty() || sample.inputs.empty() || !sample.inputs[0].defined()) continue;
    for (size_t axis = 0; axis < sample.inputs[0].rank(); ++axis) {
      Sample empty = sample;
      empty.inputs[0] = empty.inputs[0].slice(static_cast<int64_t>(axis), 0, 0).contiguous();
      if (infer_error(empty.op, empty.inputs, empty.outputs).empty()) expect_agreement_in_all_settings(empty);
    }
  }
}

TEST_P(FastKernels, AreNotChosenForExactArithmetic) {
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty()) continue;
    const KernelRequest request{{}, {}, Arithmetic::exact, {}};
    EXPECT_EQ(choose_kernel(sample.op, request).name, "portable");
  }
}

INSTANTIATE_TEST_SUITE_P(All, FastKernels, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

}  // namespace
}  // namespace onemodel::test
