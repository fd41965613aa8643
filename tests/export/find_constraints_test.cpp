// Models that do different things to their sizes: what is found, and that the suggested fixes make the export succeed.

#include "export/find_constraints.h"

#include <gtest/gtest.h>

#include "eager/functions.h"
#include "eager/record.h"
#include "eager/sizes.h"
#include "export/model_recorder.h"
#include "support/error_text.h"

namespace onemodel {
namespace {

using test::Exported;
using test::Function;
using test::ramp;
using test::Tensors;
using Inputs = std::vector<std::pair<std::string, Tensor>>;

const Dim n("n"), m("m"), batch("batch");

/// One of the twelve: refused once with `told`, then exported; `admitted` run as the model does, `refused` are refused.
void expect_refined(const Inputs& inputs, ShapeSpec spec, const Function& model,
                    std::initializer_list<std::string> told, std::initializer_list<std::vector<Dims>> admitted,
                    std::initializer_list<std::vector<Dims>> refused) {
  std::vector<std::string> messages;
  const Exported program = test::export_refined(inputs, spec, model, messages);
  ASSERT_FALSE(messages.empty()) << "nothing was refused";
  for (const std::string& part : told) EXPECT_NE(messages[0].find(part), messages[0].npos) << messages[0];
  EXPECT_EQ(messages.size(), 1U) << messages.back();
  test::expect_serves(program, model, admitted);
  test::expect_refuses(program, refused);
}

ShapeSpec first_axes(std::initializer_list<ShapeSpec> entries) {
  std::vector<ShapeSpec> parts;
  for (const ShapeSpec& entry : entries) parts.push_back(ShapeSpec::axes({{0, entry}}));
  return ShapeSpec::of(std::move(parts));
}

// 1. A constant of the example's length.
TEST(Refine, ASizeFixedByABroadcast) {
  const Tensor bias = ramp({5});
  expect_refined({{"x", ramp({4, 5})}}, ShapeSpec::by_name({{"x", ShapeSpec::of({batch, n})}}),
                 [bias](const Tensors& in) { return Tensors{in[0] + bias}; },
                 {"size 'n' (input 'x', axis 1) must be 5", "Add", "Suggested fixes:\n  n = 5"},
                 {{{4, 5}}, {{9, 5}}, {{1, 5}}}, {{{4, 6}}});
}

// 2. The example's length as a number in the result: only the values of a second run tell.
TEST(Refine, ASizeFixedByAValue) {
  expect_refined(
      {{"x", ramp({4, 6})}}, ShapeSpec::of({ShapeSpec::of({{}, n})}),
      [](const Tensors& in) { return Tensors{sum(in[0], {1}) * (1.0 / static_cast<double>(in[0].dims()[1]))}; },
      {"must be 6", "at n = 7: node 'Mul_", "the values differ", "n = 6"}, {{{4, 6}}}, {{{4, 7}}});
}

// 3. A part of a symbolic axis.
TEST(Refine, ASizeFixedByASlice) {
  expect_refined({{"x", ramp({7, 3})}}, first_axes({n}),
                 [](const Tensors& in) { return Tensors{slice(in[0], 0, 0, 4) * 2.0}; },
                 {"must be 7", "takes a part of axis 0", "n = 7"}, {{{7, 3}}}, {{{8, 3}}});
}

// 4. A table that is as long as it is.
TEST(Refine, ASizeNarrowedFromAbove) {
  const Tensor table = ramp({12, 3});
  expect_refined({{"x", ramp({4, 3})}}, first_axes({n}),
                 [table](const Tensors& in) { return Tensors{in[0] + gather(table, arange(0, dim(in[0], 0)), 0)}; },
                 {"must be in [-inf, 12]", "n = Dim(\"n\", max=12)"}, {{{4, 3}}, {{12, 3}}, {{1, 3}}}, {{{13, 3}}});
}

// 5. A window that has to find room.
TEST(Refine, ASizeNarrowedFromBelow) {
  const Tensor weight = ramp({2, 1, 5, 1});
  expect_refined({{"x", ramp({1, 1, 9, 3})}}, ShapeSpec::of({ShapeSpec::of({{}, {}, n, {}})}),
                 [weight](const Tensors& in) { return Tensors{conv2d(in[0], weight)}; },
                 {"must be in [5, inf]", "n = Dim(\"n\", min=5)"}, {{{1, 1, 5, 3}}, {{1, 1, 20, 3}}}, {{{1, 1, 4, 3}}});
}

// 6. Both ends of a declared range.
TEST(Refine, ASizeNarrowedFromBothSides) {
  const Tensor table = ramp({10, 2});
  expect_refined({{"x", ramp({4, 2})}}, first_axes({Dim("n", 1, 32)}),
                 [table](const Tensors& in) {
                   const Tensor third = in[0] + slice(in[0], 1, 1, 2);
                   return Tensors{third + gather(table, arange(2, dim(in[0], 0) + Tensor::scalar<int64_t>(2)), 0),
                                  gather(in[0], Tensor::from_ints(std::vector<int64_t>{2}), 0)};
                 },
                 {"n = Dim(\"n\", min=3, max=8)"}, {{{3, 2}}, {{8, 2}}}, {{{2, 2}}, {{9, 2}}});
}

// 7. Two names for one size.
TEST(Refine, TwoSizesThatAreOne) {
  expect_refined({{"x", ramp({4, 3})}, {"y", ramp({4, 3})}}, first_axes({n, m}),
                 [](const Tensors& in) { return Tensors{in[0] * in[1]}; },
                 {"size 'm' (input 'y', axis 0) must be n", "Mul", "m = n"}, {{{4, 3}, {4, 3}}, {{9, 3}, {9, 3}}},
                 {{{4, 3}, {5, 3}}});
}

// 8. Twice as long, by concatenation.
TEST(Refine, ASizeThatIsTwiceAnother) {
  expect_refined({{"x", ramp({4, 3})}, {"y", ramp({8, 3})}}, first_axes({n, m}),
                 [](const Tensors& in) {
                   return Tensors{cat({in[0], in[0]}, 0) + in[1]};
                 },
                 {"must be 2*n", "m = 2*n"}, {{{4, 3}, {8, 3}}, {{5, 3}, {10, 3}}}, {{{4, 3}, {9, 3}}});
}

// 9. Twice as long and one more.
TEST(Refine, ASizeThatIsTwiceAnotherAndOne) {
  const Tensor start = ramp({1, 3});
  expect_refined({{"y", ramp({9, 3})}, {"x", ramp({4, 3})}}, first_axes({n, m}),
                 [start](const Tensors& in) {
                   return Tensors{cat({start, in[1], in[1]}, 0) + in[0]};
                 },
                 {"must be 2*m + 1", "n = 2*m + 1"}, {{{9, 3}, {4, 3}}, {{5, 3}, {2, 3}}},
                 {{{9, 3}, {5, 3}}, {{8, 3}, {4, 3}}});
}

// 10. Cut in halves: even.
TEST(Refine, ASizeThatHasToBeEven) {
  expect_refined({{"x", ramp({3, 8})}}, ShapeSpec::of({ShapeSpec::of({{}, Dim("n", 4, 64)})}),
                 [](const Tensors& in) {
                   return Tensors{sum(reshape(in[0], {3, in[0].dims()[1] / 2, 2}), {2})};
                 },
                 {"must be 2*_n", "n = 2*_n", "_n = Dim(\"_n\", min=2, max=32)"}, {{{3, 8}}, {{3, 4}}, {{3, 64}}},
                 {{{3, 7}}, {{3, 2}}, {{3, 66}}});
}

// 11. Several things at once, each reported.
TEST(Refine, SeveralSizesInOneReport) {
  const Tensor bias = ramp({6});
  expect_refined({{"x", ramp({4, 6})}, {"y", ramp({4, 5})}, {"z", ramp({3})}},
                 ShapeSpec::of({ShapeSpec::of({batch, n}), ShapeSpec::of({m, Dim("k")}), ShapeSpec::of({Dim("j")})}),
                 [bias](const Tensors& in) {
                   const Tensor rows = sum(in[0] + bias, {1}) + sum(in[1], {1});
                   return Tensors{rows, in[2] * 2.0};
                 },
                 {"size 'n'", "size 'm'", "n = 6", "m = batch"}, {{{4, 6}, {4, 5}, {3}}, {{7, 6}, {7, 2}, {9}}},
                 {{{4, 6}, {5, 5}, {3}}, {{4, 7}, {4, 5}, {3}}});
}

// 12. A hint, named by its input and axis.
TEST(Refine, ADynamicHintThatIsRelated) {
  expect_refined(
      {{"x", ramp({4, 3})}, {"y", ramp({5, 3})}},
      ShapeSpec::by_name({{"x", ShapeSpec::axes({{0, Dim::DYNAMIC}})}, {"y", ShapeSpec::axes({{0, Dim::DYNAMIC}})}}),
      [](const Tensors& in) {
        return Tensors{cat({in[0], ramp({1, 3})}, 0) + in[1]};
      },
      {"size 'y_dim_0' (input 'y', axis 0) must be x_dim_0 + 1", "y_dim_0 = x_dim_0 + 1"},
      {{{4, 3}, {5, 3}}, {{8, 3}, {9, 3}}}, {{{4, 3}, {4, 3}}});
}

TEST(FindConstraints, KeepsWhatTheModelKeeps) {
  const Function model = [](const Tensors& in) { return Tensors{softmax(matmul(in[0], transpose(in[1], 0, 1)), -1)}; };
  const Exported program = test::export_once({{"x", ramp({4, 3})}, {"y", ramp({6, 3})}}, first_axes({n, m}), model);
  EXPECT_TRUE(program.sizes.findings.empty());
  EXPECT_TRUE(program.sizes.contract.ranges.empty());
  test::expect_serves(program, model, {{{4, 3}, {6, 3}}, {{1, 3}, {9, 3}}, {{6, 3}, {6, 3}}});
}

// Declared as the model needs it, a derived size goes through without a word.
TEST(FindConstraints, RecordsWithDerivedSizes) {
  const Function model = [](const Tensors& in) { return Tensors{cat({in[0], in[0]}, 0) + in[1]}; };
  const Exported program = test::export_once({{"x", ramp({4, 3})}, {"y", ramp({8, 3})}},
                                             first_axes({Dim("n", 2, 9), 2 * Dim("n", 2, 9)}), model);
  EXPECT_EQ(program.sizes.contract, (SizeContract{.ranges = {{"n", 2, 9}}, .relations = {{"2*n", "n", 2, 0}}}));
  test::expect_serves(program, model, {{{9, 3}, {18, 3}}});
  test::expect_refuses(program, {{{10, 3}, {20, 3}}, {{4, 3}, {9, 3}}});
}

// Tracing needs sizes of 2 and more that differ; an export takes what the caller has.
TEST(FindConstraints, RecordsAtOtherSizesWhereTheExamplesCannotBeToldApart) {
  const Function model = [](const Tensors& in) {
    return Tensors{matmul(in[0], transpose(in[1], 0, 1)) * 2.0, sum(in[1], {1})};
  };
  for (const Dims& y : {Dims{1, 3}, Dims{4, 3}}) {
    const Exported program = test::export_once({{"x", ramp({4, 3})}, {"y", ramp(y)}}, first_axes({n, m}), model);
    EXPECT_NE(concat(program.sizes.shapes[0]), concat(program.sizes.shapes[1]));
    test::expect_serves(program, model, {{{4, 3}, {1, 3}}, {{4, 3}, {4, 3}}, {{7, 3}, {2, 3}}});
  }
}

TEST(FindConstraints, AutoFallsBackQuietly) {
  const Tensor bias = ramp({5});
  const Function model = [bias](const Tensors& in) { return Tensors{in[0] + bias, in[1] + in[0]}; };
  const Exported program = test::export_once(
      {{"x", ramp({4, 5})}, {"y", ramp({4, 5})}},
      ShapeSpec::of({ShapeSpec::of({batch, Dim::AUTO}), ShapeSpec::of({Dim::AUTO, Dim::AUTO})}), model);
  EXPECT_EQ(program.sizes.findings.size(), 3U);
  EXPECT_EQ(concat(program.sizes.shapes[0]), "[batch, 5]");
  EXPECT_EQ(concat(program.sizes.shapes[1]), "[batch, 5]");
  test::expect_serves(program, model, {{{4, 5}, {4, 5}}, {{6, 5}, {6, 5}}});
}

TEST(FindConstraints, AutoTakesASizeThatIsOneForFixedWhereItHasToBe) {
  const Function model = [](const Tensors& in) { return Tensors{in[0] * in[1]}; };
  const Exported program =
      test::export_once({{"x", ramp({4, 3})}, {"y", ramp({1, 3})}}, first_axes({n, Dim::AUTO}), model);
  EXPECT_EQ(concat(program.sizes.shapes[1]), "[1, 3]");
  test::expect_serves(program, model, {{{4, 3}, {1, 3}}, {{9, 3}, {1, 3}}});
}

TEST(FindConstraints, NamesModuleAndOperator) {
  const Tensor bias = ramp({5});
  const Function model = [bias](const Tensors& in) {
    const ModuleScope scope("encoder");
    return Tensors{in[0] + bias};
  };
  const Exported program =
      test::export_once({{"x", ramp({4, 5})}}, ShapeSpec::of({ShapeSpec::of({{}, Dim::AUTO})}), model);
  ASSERT_EQ(program.sizes.findings.size(), 1U);
  const SizeFinding& finding = program.sizes.findings[0];
  EXPECT_EQ(finding.kind, SizeFinding::fixed);
  EXPECT_EQ(finding.label, "x_dim_1");
  EXPECT_EQ(finding.value, 5);
  EXPECT_EQ(finding.module_path, "encoder");
  EXPECT_NE(finding.reason.find("Add"), std::string::npos);
}

// Whatever the example's sizes are, also those that the target has as numbers.
TEST(FindConstraints, ReshapesKeepTheSizesThatTheyCan) {
  const auto size = [](const Tensor& x, size_t axis) { return x.dims()[axis]; };
  const Function halves = [](const Tensors& in) { return Tensors{reshape(in[0], {-1, 2})}; };
  const Function rows = [=](const Tensors& in) { return Tensors{reshape(in[0], {size(in[0], 0), 2, -1})}; };
  const Function heads = [=](const Tensors& in) {
    return Tensors{reshape(in[0], {size(in[0], 0), size(in[0], 1), 2, -1})};
  };
  for (int64_t rows_now = 2; rows_now <= 6; ++rows_now) {
    const Inputs matrix = {{"x", ramp({rows_now, 4})}};
    const ShapeSpec spec = first_axes({n});
    for (const Function& model : {halves, rows}) {
      const Exported program = test::export_once(matrix, spec, model);
      EXPECT_TRUE(program.sizes.findings.empty()) << rows_now;
      test::expect_serves(program, model, {{{1, 4}}, {{2, 4}}, {{3, 4}}, {{4, 4}}, {{9, 4}}});
    }
    for (int64_t steps = 2; steps <= 6; ++steps) {
      const Inputs batches = {{"x", ramp({rows_now, steps, 4})}};
      const Exported program = test::export_once(batches, ShapeSpec::of({ShapeSpec::of({batch, n, {}})}), heads);
      test::expect_serves(program, heads, {{{2, 2, 4}}, {{3, 4, 4}}, {{4, 3, 4}}, {{7, 9, 4}}});
    }
  }
}

TEST(Refine, AReshapeThatNeedsAnEvenSize) {
  const Function halves = [](const Tensors& in) { return Tensors{reshape(in[0], {-1, 2})}; };
  for (const int64_t now : {2, 4, 6, 8})
    expect_refined({{"x", ramp({now})}}, first_axes({n}), halves, {"n = 2*_n"}, {{{2}}, {{4}}, {{10}}}, {{{5}}});
}

// What is wrong with the model is not blamed on its sizes.
TEST(FindConstraints, LetsErrorsOfTheModelThrough) {
  const ShapeSpec spec = first_axes({n});
  EXPECT_ERROR(test::export_once({{"x", ramp({4, 3})}}, spec,
                                 [](const Tensors& in) { return Tensors{in[0] * in[0].to_vector<float>()[0]}; }),
               TraceError, "were read");
  EXPECT_ERROR(test::export_once({{"x", ramp({4, 3})}}, spec,
                                 [](const Tensors& in) {
                                   return Tensors{matmul(in[0], Tensor::zeros({4, 4}))};
                                 }),
               ShapeError, "MatMul");
}

}  // namespace
}  // namespace onemodel
