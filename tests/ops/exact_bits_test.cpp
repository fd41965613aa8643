// The exact arithmetic gives the same bits wherever these tests run.

#include "support/exact_bits.h"

#include <gtest/gtest.h>

#include <bit>

#include "support/direct_applier.h"
#include "support/operator_case.h"

namespace onemodel::test {
namespace {

class ExactBits : public testing::TestWithParam<OperatorCase> {};

// Floats of every magnitude and both signs, NaN and infinities among them.
Tensor every_magnitude() {
  constexpr int64_t kCount = 8192;
  Tensor out = Tensor::empty({kCount}, DType::f32);
  float* values = out.mutable_raw_as<float>();
  for (uint32_t i = 0; i < kCount; ++i) values[i] = std::bit_cast<float>(i * 0x00080000u + i * 97u);
  return out;
}

TEST_P(ExactBits, AreThoseOnFile) {
  std::vector<Tensor> results;
  const auto keep = [&](const Sample& sample) {
    for (const Tensor& result : run(sample.op, sample.inputs, sample.outputs)) results.push_back(result);
  };
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty()) continue;
    keep(sample);
    const bool takes_any = sample.inputs.size() == 1 && infer_error(sample.op, {every_magnitude()}).empty();
    if (takes_any && sample.outputs == 1) keep({sample.op, {every_magnitude()}});
  }
  expect_exact_bits(GetParam().struct_name, results);
}

INSTANTIATE_TEST_SUITE_P(All, ExactBits, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

}  // namespace
}  // namespace onemodel::test
