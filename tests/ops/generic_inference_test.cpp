// Inference over symbolic extents says the same as over numbers, for every operator.

#include <gtest/gtest.h>

#include "support/direct_applier.h"
#include "support/operator_case.h"

namespace onemodel::test {
namespace {

class SymbolicInference : public testing::TestWithParam<OperatorCase> {};

// The operands whose values a graph or a trace knows: those that decide shapes.
std::vector<Tensor> known_values(const Sample& sample) {
  std::vector<Tensor> values;
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    values.push_back(sample.op.traits().input(i).is_shape_data ? sample.inputs[i] : Tensor());
  return values;
}

// Calls f with the input types where one axis of one input is a symbol.
template <class F>
void each_symbolic_axis(const std::vector<Sample>& samples, F&& f) {
  for (const Sample& sample : samples) {
    if (!sample.error.empty()) continue;
    for (size_t i = 0; i < sample.inputs.size(); ++i) {
      if (!sample.inputs[i].defined() || sample.op.traits().input(i).is_shape_data) continue;
      for (size_t axis = 0; axis < sample.inputs[i].rank(); ++axis) {
        const int64_t extent = sample.inputs[i].dims()[axis];
        if (extent < 2) continue;
        std::vector<TensorType> types = types_of(sample.inputs);
        types[i].shape[axis] = Extent::symbol("s", extent);
        SCOPED_TRACE(concat(describe(sample), " with axis ", axis, " of input ", i, " symbolic"));
        f(sample, types);
      }
    }
  }
}

void expect_consistent(const std::vector<TensorType>& symbolic, const Sample& sample) {
  const auto concrete = infer_types(sample.op, sample.inputs, sample.outputs);
  for (size_t i = 0; i < concrete.size(); ++i) {
    EXPECT_EQ(symbolic[i].dtype, concrete[i].dtype);
    ASSERT_EQ(symbolic[i].shape.rank(), concrete[i].shape.rank()) << concat(symbolic[i]);
    for (size_t axis = 0; axis < concrete[i].shape.rank(); ++axis) {
      const auto example = symbolic[i].shape[axis].example();
      if (example) {
        EXPECT_EQ(*example, concrete[i].shape[axis].number())
            << concat("output ", i, ": ", symbolic[i], " against ", concrete[i]);
      }
    }
  }
}

TEST_P(SymbolicInference, AgreesWithConcreteSizesInAGraph) {
  each_symbolic_axis(GetParam().samples, [](const Sample& sample, const auto& types) {
    const auto values = known_values(sample);
    InferContext context(sample.op.traits(), types, values, sample.outputs);
    try {
      expect_consistent(infer(sample.op, context), sample);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  });
}

TEST_P(SymbolicInference, AgreesWithConcreteSizesInATraceOrRefuses) {
  each_symbolic_axis(GetParam().samples, [](const Sample& sample, const auto& types) {
    const auto values = known_values(sample);
    InferContext context(sample.op.traits(), types, values, sample.outputs);
    context.set_tracing(true);
    try {
      expect_consistent(infer(sample.op, context), sample);
    } catch (const TraceError& error) {
      EXPECT_EQ(error.kind(), "SymbolicShape");
      EXPECT_TRUE(std::string_view(error.what()).starts_with(sample.op.name())) << error.what();
    }
  });
}

TEST_P(SymbolicInference, NeedsNoValuesToKnowRankAndDtype) {
  for (const Sample& sample : GetParam().samples) {
    if (!sample.error.empty()) continue;
    SCOPED_TRACE(describe(sample));
    const auto types = types_of(sample.inputs);
    InferContext context(sample.op.traits(), types, {}, sample.outputs);
    try {
      expect_consistent(infer(sample.op, context), sample);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SymbolicInference, testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

}  // namespace
}  // namespace onemodel::test
