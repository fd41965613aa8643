// Sizes that a model takes with `dim` stay symbolic wherever they are used.

#include "eager/sizes.h"

#include <gtest/gtest.h>

#include "eager/apply.h"
#include "eager/functions.h"
#include "eager/record.h"
#include "ops/slice.h"
#include "support/error_text.h"
#include "trace/trace_one.h"

namespace onemodel {
namespace {

using test::counting;
using test::Names;
using test::trace_one;
using Model = test::OneToOne;

// Traced at the first sizes, the session gives what the model computes eagerly at all of them.
TracedModel expect_follows(const Names& axes, std::initializer_list<Dims> sizes, const Model& model) {
  TracedModel traced = trace_one(counting(*sizes.begin()), axes, model);
  test::expect_agrees(traced, model, sizes);
  return traced;
}

std::string shape_of_output(const TracedModel& traced) {
  return concat(traced.graph.value(traced.graph.outputs[0]).type.shape);
}

TEST(Sizes, OutsideOfATraceTheyAreNumbers) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_EQ(dim(x, -1).item<int64_t>(), 3);
  EXPECT_EQ(reshape(x, {dim(x, 1), -1}).dims(), (Dims{3, 2}));
  EXPECT_EQ(zeros({dim(x, 0), 4}, DType::f16).dims(), (Dims{2, 4}));
  EXPECT_EQ(arange(1, dim(x, 1)).to_vector<int64_t>(), (std::vector<int64_t>{1, 2}));
}

TEST(Sizes, TellWhatIsNoSize) {
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_ERROR(reshape(x, {x, 3}), ArgumentError,
               "reshape: a size is a number or one int64, such as dim(x, axis); got float32[2, 3]");
  EXPECT_ERROR(dim(x, 2), ShapeError, "dim: axis 2 is out of range for rank 2");
}

TEST(Sizes, OfAFixedAxisAreConstantsInATrace) {
  const TracedModel traced = expect_follows({"batch", ""}, {{2, 3}, {5, 3}}, [](const Tensor& x) {
    EXPECT_EQ(dim(x, 1).item<int64_t>(), 3);
    return x * static_cast<double>(dim(x, 1).item<int64_t>());
  });
  EXPECT_EQ(shape_of_output(traced), "[batch, 3]");
}

// By their values alone 6 and 6, or 12 as 2 * 6 or 12, could not be told apart.
TEST(Sizes, MakeAmbiguousReshapesExact) {
  const Model split = [](const Tensor& x) { return reshape(x, {dim(x, 0), 6, 2}); };
  EXPECT_EQ(shape_of_output(expect_follows({"batch", ""}, {{6, 12}, {3, 12}, {1, 12}}, split)), "[batch, 6, 2]");

  const Model swapped = [](const Tensor& x) { return reshape(x, {6, 2, dim(x, 0)}); };
  EXPECT_EQ(shape_of_output(expect_follows({"batch", ""}, {{6, 12}, {3, 12}}, swapped)), "[6, 2, batch]");

  const Model inferred = [](const Tensor& x) { return reshape(x, {-1, dim(x, 0)}); };
  EXPECT_EQ(shape_of_output(expect_follows({"batch", ""}, {{6, 6}, {4, 6}}, inferred)), "[6, batch]");

  const Model joined = [](const Tensor& x) { return reshape(x, {2, dim(x, 1) * dim(x, 0), 2}); };
  EXPECT_EQ(shape_of_output(expect_follows({"a", "b", ""}, {{2, 3, 4}, {5, 2, 4}}, joined)), "[2, a*b, 2]");
}

TEST(Sizes, AreWrittenAsTheSpecificationSays) {
  const TracedModel traced = trace_one(counting({6, 12}), {"batch", ""}, [](const Tensor& x) {
    return reshape(x, {dim(x, 0), 6, 2});
  });
  ASSERT_EQ(traced.graph.nodes.size(), 1u);
  EXPECT_EQ(concat(traced.graph.nodes[0].op), "Reshape(allowzero=1)");
  EXPECT_EQ(traced.graph.value(traced.graph.nodes[0].inputs[1]).constant.to_vector<int64_t>(),
            (std::vector<int64_t>{-1, 6, 2}));
}

// Of an input that has a multiple of a symbol only, nothing tells the symbol's size where two are needed.
TEST(Sizes, ThatNoTracedValueHasAreRefused) {
  const auto split = [](const Tensor& x, std::initializer_list<ShapeEntry> sizes) {
    const ModuleScope scope("head");
    return reshape(x, Sizes(sizes));
  };
  const TracedModel one = trace_one(counting({10, 3}), {"2*n", ""}, [&](const Tensor& x) {
    return split(x, {2, 5, 3});
  });
  EXPECT_EQ(shape_of_output(one), "[2, n, 3]");
  EXPECT_ERROR(trace_one(counting({10, 3, 4}), {"2*n", "m", ""},
                         [&](const Tensor& x) {
                           return split(x, {2, 5, 3, 4});
                         }),
               TraceError, "module 'head': no traced value has the size n that a shape operand needs");
}

TEST(Sizes, ExpandWhatDoesNotDependOnTheInput) {
  const Tensor row = counting({1, 3});
  const TracedModel traced = expect_follows({"batch", ""}, {{3, 3}, {1, 3}, {7, 3}}, [&](const Tensor& x) {
    return cat({expand(row, {dim(x, 0), 3}), x}, 1);
  });
  EXPECT_EQ(shape_of_output(traced), "[batch, 6]");
  expect_follows({"batch", ""}, {{3, 3}, {1, 3}, {7, 3}}, [&](const Tensor& x) {
    return unsqueeze(slice(expand(row, {dim(x, 0), 3}), 1, 1, 3), {1}) + unsqueeze(slice(x, 1, 0, 2), {1});
  });
}

TEST(Sizes, MakeNewTensors) {
  expect_follows({"batch", "time"}, {{2, 5}, {4, 1}, {1, 9}}, [](const Tensor& x) {
    const Tensor positions = arange(0, dim(x, 1), 1, DType::f32);
    return x + positions + zeros({dim(x, 0), dim(x, 1)}) + full({dim(x, 0), 1}, 0.5) + ones({dim(x, 1)});
  });
}

TEST(Sizes, AreOperandsOfOtherOperators) {
  expect_follows({"time", ""}, {{6, 3}, {2, 3}, {11, 3}}, [](const Tensor& x) {
    const Tensor half = reshape(dim(x, 0) / Tensor::scalar<int64_t>(1), {1});
    const Tensor ints = Tensor::from_ints(std::vector<int64_t>{0});
    return apply(Slice{}, {x, ints, half, ints, Tensor()}) * cast(dim(x, 0), DType::f32);
  });
}

TEST(Sizes, MayNotBeReadInATrace) {
  const Model reads = [](const Tensor& x) { return x * static_cast<double>(dim(x, 0).item<int64_t>()); };
  EXPECT_ERROR(trace_one(counting({2, 3}), {"batch", ""}, reads), TraceError, "item", "int64[]");
}

}  // namespace
}  // namespace onemodel
