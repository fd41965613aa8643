// What holds for every operator, driven by its samples.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/clip.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/operator_case.h"

namespace onemodel::test {
namespace {

class Operators : public testing::TestWithParam<OperatorCase> {
 protected:
  // Calls f with every sample that must run.
  template <class F>
  void each_good_sample(F&& f) const {
    for (const Sample& sample : GetParam().samples) {
      if (!sample.error.empty()) continue;
      SCOPED_TRACE(describe(sample));
      f(sample);
    }
  }
  const OpTraits& traits() const { return *GetParam().traits; }
};

// Runs, or is refused with an error that names the operator: by inference, or for values such as an index.
void run_or_refuse(const Sample& sample) {
  try {
    run(sample.op, sample.inputs, sample.outputs);
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with(sample.op.name()))
        << describe(sample) << ": " << error.what();
  }
}

TEST_P(Operators, HaveGoodAndBadSamples) {
  size_t good = 0, bad = 0;
  for (const Sample& sample : GetParam().samples) {
    ++(sample.error.empty() ? good : bad);
    EXPECT_EQ(sample.op.name(), traits().info.name);
  }
  EXPECT_GE(good, 1u);
  EXPECT_GE(bad, 1u);
}

TEST_P(Operators, AreDocumented) {
  EXPECT_FALSE(traits().outputs.empty());
  EXPECT_EQ(find_operator(traits().info.name), &traits()) << "another operator has this name";
  if (!kHasDocs) return;
  const std::string_view doc = traits().info.doc;
  EXPECT_FALSE(doc.empty());
  EXPECT_EQ(doc.find('\n'), std::string_view::npos);
  for (const Input& input : traits().inputs) EXPECT_FALSE(std::string_view(input.doc).empty()) << input.name;
  for (const FieldInfo& field : traits().fields) EXPECT_FALSE(std::string_view(field.doc).empty()) << field.name;
}

TEST_P(Operators, RejectBadSamplesWithFacts) {
  for (const Sample& sample : GetParam().samples) {
    if (sample.error.empty()) continue;
    SCOPED_TRACE(describe(sample));
    const std::string message = infer_error(sample.op, sample.inputs, sample.outputs);
    EXPECT_TRUE(message.starts_with(std::string(traits().info.name) + ": ")) << "got: " << message;
    EXPECT_NE(message.find(sample.error), std::string::npos)
        << "got: " << message << "\nexpected in it: " << sample.error;
  }
}

TEST_P(Operators, AgreeWithFloat64) {
  each_good_sample([](const Sample& sample) {
    const Sample wide = with_dtype(sample, DType::f32, DType::f64);
    const auto results = run(sample.op, sample.inputs, sample.outputs);
    const auto expected = run(wide.op, wide.inputs, wide.outputs);
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_TRUE(close(results[i], expected[i], sample.tolerance)) << "output " << i;
  });
}

TEST_P(Operators, WriteOnlyTheirOutputs) {
  each_good_sample([](const Sample& sample) {
    std::vector<Guarded> guards;
    std::vector<Tensor> outputs;
    for (const TensorType& type : infer_types(sample.op, sample.inputs, sample.outputs))
      outputs.push_back(guards.emplace_back(type.shape.dims(), type.dtype).tensor());
    evaluate(sample.op, sample.inputs, outputs);
    for (size_t i = 0; i < guards.size(); ++i) EXPECT_TRUE(guards[i].intact()) << "output " << i;
    const auto expected = run(sample.op, sample.inputs, sample.outputs);
    for (size_t i = 0; i < outputs.size(); ++i)
      EXPECT_TRUE(same_bits(outputs[i], expected[i])) << "output " << i << " differs between runs";
  });
}

TEST_P(Operators, TakeAnyStrides) {
  each_good_sample([](const Sample& sample) {
    const auto expected = run(sample.op, sample.inputs, sample.outputs);
    for (const auto& restride : {with_reversed_axes, with_negative_strides}) {
      std::vector<Tensor> inputs;
      for (const Tensor& input : sample.inputs) inputs.push_back(input.defined() ? restride(input) : input);
      const auto results = run(sample.op, inputs, sample.outputs);
      for (size_t i = 0; i < results.size(); ++i) EXPECT_TRUE(same_bits(results[i], expected[i])) << "output " << i;
    }
  });
}

TEST_P(Operators, ViewsEqualTheirResults) {
  if (!traits().has_view) return;
  each_good_sample([&](const Sample& sample) {
    const Tensor expected = run(sample.op, sample.inputs, sample.outputs).front();
    for (const Tensor& x : {sample.inputs[0], with_negative_strides(sample.inputs[0])}) {
      std::vector<Tensor> inputs = sample.inputs;
      inputs[0] = x;
      const Tensor view = traits().view(sample.op.data(), inputs);
      if (!view.defined()) continue;
      EXPECT_TRUE(same_bits(view, expected));
      EXPECT_EQ(view.storage(), x.storage());
      EXPECT_FALSE(same(view, x)) << "a view is a tensor of its own";
    }
  });
}

TEST_P(Operators, RunForEveryDtypeThatInferenceAccepts) {
  each_good_sample([](const Sample& sample) {
    if (sample.inputs.empty() || sample.inputs[0].dtype() != DType::f32) return;
    for (DType dtype : kAllDTypes) run_or_refuse(with_dtype(sample, DType::f32, dtype));
    for (DType dtype : kStorageDTypes) run_or_refuse(with_dtype(sample, DType::f32, dtype));
  });
}

TEST_P(Operators, TakeOrRefuseEmptyExtents) {
  each_good_sample([](const Sample& sample) {
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      if (!sample.inputs[i].defined()) continue;
      for (size_t axis = 0; axis < sample.inputs[i].rank(); ++axis) {
        const int64_t extent = sample.inputs[i].dims()[axis];
        Sample alone = sample, together = sample;
        alone.inputs[i] = alone.inputs[i].slice(static_cast<int64_t>(axis), 0, 0);
        run_or_refuse(alone);
        for (Tensor& input : together.inputs)
          for (size_t d = 0; input.defined() && d < input.rank(); ++d)
            if (input.dims()[d] == extent) input = input.slice(static_cast<int64_t>(d), 0, 0);
        run_or_refuse(together);
      }
    }
  });
}

TEST_P(Operators, TakeOrRefuseScalarsAndOtherRanks) {
  each_good_sample([](const Sample& sample) {
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      if (!sample.inputs[i].defined() || sample.inputs[i].numel() == 0) continue;
      Sample scalar = sample, deeper = sample;
      Tensor& x = scalar.inputs[i];
      while (x.rank() > 0) x = x.select(0, 0);
      run_or_refuse(scalar);
      Tensor& y = deeper.inputs[i];
      while (y.rank() < kMaxRank) {
        Dims dims = y.dims();
        dims.insert(0, 1);
        y = y.reshape(dims);
      }
      run_or_refuse(deeper);
    }
  });
}

TEST_P(Operators, PropagateNaNAndInfinityAsFloat64) {
  each_good_sample([&](const Sample& sample) {
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      const Tensor& input = sample.inputs[i];
      if (!input.defined() || input.dtype() != DType::f32 || input.numel() == 0) continue;
      if (traits().input(i).is_shape_data) continue;  // refused, or another shape
      for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()}) {
        if (sample.op.is<Clip>() && std::isinf(value)) continue;  // absent bounds are the largest numbers of the dtype
        Sample special = sample;
        special.inputs[i] = input.clone();
        special.inputs[i].mutable_raw_as<float>()[0] = value;
        const Sample wide = with_dtype(special, DType::f32, DType::f64);
        const auto results = run(special.op, special.inputs, special.outputs);
        const auto expected = run(wide.op, wide.inputs, wide.outputs);
        for (size_t k = 0; k < results.size(); ++k)
          EXPECT_TRUE(close(results[k], expected[k], sample.tolerance))
              << "output " << k << " for " << value << " at the first element of input " << i;
      }
    }
  });
}

TEST_P(Operators, GiveAndTakeTheirAttributes) {
  for (const Sample& sample : GetParam().samples) {
    SCOPED_TRACE(describe(sample));
    std::vector<std::optional<AttributeValue>> values;
    std::vector<std::pair<std::string, AttributeValue>> named;
    for (size_t i = 0; i < traits().fields.size(); ++i) {
      values.push_back(sample.op.attribute(i));
      if (values.back()) named.emplace_back(traits().fields[i].name, *values.back());
    }
    EXPECT_EQ(traits().make(values), sample.op);
    EXPECT_EQ(make_op(traits(), named), sample.op);
    EXPECT_TRUE(concat(sample.op).starts_with(traits().info.name));
  }
}

TEST_P(Operators, RejectAttributesOfTheWrongKind) {
  const Op& good = GetParam().samples.front().op;
  for (size_t wrong = 0; wrong < traits().fields.size(); ++wrong) {
    const FieldInfo& field = traits().fields[wrong];
    std::vector<std::pair<std::string, AttributeValue>> named;
    for (size_t i = 0; i < traits().fields.size(); ++i)
      if (const auto value = good.attribute(i); value && i != wrong)
        named.emplace_back(traits().fields[i].name, *value);
    const bool is_text = field.kind == AttributeKind::text;
    named.emplace_back(field.name, is_text ? AttributeValue(int64_t{1}) : AttributeValue(std::string("x")));
    try {
      make_op(traits(), named);
      ADD_FAILURE() << field.name << " took a value of the wrong kind";
    } catch (const ArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find(field.name), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Operators, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

}  // namespace
}  // namespace onemodel::test
