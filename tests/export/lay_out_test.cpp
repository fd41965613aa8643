// Every accepted form of a specification, and every way to get it wrong.

#include <gtest/gtest.h>

#include "export/dynamic_shapes.h"
#include "support/error_text.h"

namespace onemodel {
namespace {

const Dim batch("batch", 1, 64), d("d");

std::vector<NamedArgument> two_inputs() { return {{"x", Tensor::zeros({4, 3})}, {"mask", Tensor::zeros({4, 8})}}; }

std::vector<NamedArgument> nested_inputs() {
  return {{"x", Tensor::zeros({4, 3})},
          {"cache", Argument::list({Tensor::zeros({4, 5}), Tensor::zeros({4, 6})})},
          {"options", Argument::dict({{"bias", Tensor::zeros({3})}, {"scale", ArgumentLeaf(2.0)}})}};
}

std::string entries(const ShapeSpec& spec, const std::vector<NamedArgument>& arguments) {
  std::string out;
  for (const InputSizes& input : lay_out(spec, arguments)) {
    out += concat(out.empty() ? "" : "; ", input.name, ':');
    for (const SizeEntry& entry : input.entries) out += concat(' ', entry_text(entry));
  }
  return out;
}

TEST(LayOut, TakesListsMapsAndNothing) {
  const auto inputs = two_inputs();
  const std::string expected = "x: Dim 'batch' null; mask: Dim 'batch' null";
  EXPECT_EQ(entries({}, inputs), "x: null null; mask: null null");
  EXPECT_EQ(
      entries(ShapeSpec::by_name({{"x", ShapeSpec::of({batch, {}})}, {"mask", ShapeSpec::axes({{0, batch}})}}), inputs),
      expected);
  EXPECT_EQ(entries(ShapeSpec::of({ShapeSpec::axes({{0, batch}}), ShapeSpec::of({batch, {}})}), inputs), expected);
  EXPECT_EQ(entries(ShapeSpec::by_name({{"mask", ShapeSpec::of({4, Dim::AUTO(2)})}}), inputs),
            "x: null null; mask: 4 Dim.AUTO(min=2)");
  EXPECT_EQ(entries(ShapeSpec::of({ShapeSpec(), ShapeSpec::of({Dim::DYNAMIC, Dim::STATIC})}), inputs),
            "x: null null; mask: Dim.DYNAMIC Dim.STATIC");
  EXPECT_EQ(entries(ShapeSpec::of({ShapeSpec::of({d, {}}), ShapeSpec::of({d, 2 * d})}), inputs),
            "x: Dim 'd' null; mask: Dim 'd' Dim '2*d'");
}

TEST(LayOut, FollowsNestedContainers) {
  const ShapeSpec spec =
      ShapeSpec::by_name({{"cache", ShapeSpec::of({ShapeSpec::axes({{1, Dim::AUTO}}), ShapeSpec()})},
                          {"options", ShapeSpec::by_name({{"bias", ShapeSpec::of({Dim::DYNAMIC})}})}});
  EXPECT_EQ(entries(spec, nested_inputs()),
            "x: null null; cache_0: null Dim.AUTO; cache_1: null null; options_bias: Dim.DYNAMIC");
}

TEST(LayOut, RefusesAnUnknownInput) {
  EXPECT_ERROR(lay_out(ShapeSpec::by_name({{"z", ShapeSpec()}}), two_inputs()), ArgumentError, "got 'z'",
               "expected one of 'x', 'mask'");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec()}), two_inputs()), ArgumentError, "got a list of 1",
               "expected one of 2");
  EXPECT_ERROR(lay_out(ShapeSpec::by_name({{"options", ShapeSpec::by_name({{"b", ShapeSpec()}})}}), nested_inputs()),
               ArgumentError, "input 'options': got 'b'", "'bias', 'scale'");
  EXPECT_ERROR(lay_out(ShapeSpec::by_name({{"cache", ShapeSpec::by_name({{"2", ShapeSpec()}})}}), nested_inputs()),
               ArgumentError, "input 'cache': got '2'", "'0', '1'");
  EXPECT_ERROR(lay_out(ShapeSpec(batch), two_inputs()), ArgumentError, "the arguments: got Dim 'batch'");
}

TEST(LayOut, RefusesAnAxisOutOfRange) {
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::axes({{2, batch}}), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x': got axis 2", "expected axes 0 to 1 of float32[4, 3]");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::axes({{-1, batch}}), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x': got axis -1");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::by_name({{"rows", batch}}), ShapeSpec()}), two_inputs()),
               ArgumentError, "input 'x': got axis rows");
}

TEST(LayOut, RefusesWhatIsNoTensor) {
  EXPECT_ERROR(
      lay_out(ShapeSpec::by_name({{"options", ShapeSpec::by_name({{"scale", ShapeSpec::of({d})}})}}), nested_inputs()),
      ArgumentError, "input 'options_scale': got a list of 1 for what is no tensor", "expected null");
}

TEST(LayOut, RefusesListsThatDoNotFitTheRank) {
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({batch, {}, {}}), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x': got a list of 3 entries", "axes 0 to 1");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({batch}), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x': got a list of 1 entries", "one per axis of float32[4, 3]");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec(batch), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x': got Dim 'batch'", "a list with an entry per axis");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({ShapeSpec::of({batch}), {}}), ShapeSpec()}), two_inputs()),
               ArgumentError, "input 'x', axis 0: got a list of 1", "an integer, a Dim, a hint or null");
}

TEST(LayOut, RefusesAStaticSizeThatTheExampleHasNot) {
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({5, {}}), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x', axis 0: got the static size 5", "expected 4");
}

TEST(LayOut, RefusesOneNameWithTwoRanges) {
  EXPECT_ERROR(
      lay_out(ShapeSpec::of({ShapeSpec::of({batch, {}}), ShapeSpec::of({Dim("batch", 2, 8), {}})}), two_inputs()),
      ArgumentError, "the name 'batch' has two ranges", "Dim(\"batch\", min=1, max=64) at input 'x', axis 0",
      "Dim(\"batch\", min=2, max=8) at input 'mask', axis 0");
}

TEST(LayOut, RefusesAnExampleOutsideTheRange) {
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({Dim("n", 5, 9), {}}), ShapeSpec()}), two_inputs()),
               ConstraintsError, "size 'n' is 4 at input 'x', axis 0", "[5, 9]");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({Dim::AUTO(5), {}}), ShapeSpec()}), two_inputs()), ArgumentError,
               "input 'x', axis 0: the example has the size 4", "[5, inf]", "Dim.AUTO(min=5)");
}

TEST(LayOut, RefusesAnExampleThatBreaksARelation) {
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({d, {}}), ShapeSpec::of({{}, 2 * d + 1})}), two_inputs()),
               ConstraintsError, "input 'mask', axis 1 has the size 8", "expected 2*d + 1 = 9",
               "d is 4 at input 'x', axis 0");
  EXPECT_ERROR(lay_out(ShapeSpec::of({ShapeSpec::of({{}, 2 * d}), ShapeSpec()}), two_inputs()), ConstraintsError,
               "input 'x', axis 1 has the size 3", "not 2*d for any d");
}

TEST(LayOut, TellsAllProblemsAtOnce) {
  EXPECT_ERROR(
      lay_out(ShapeSpec::by_name(
                  {{"x", ShapeSpec::axes({{7, batch}, {0, 5}})}, {"mask", ShapeSpec::of({batch})}, {"z", ShapeSpec()}}),
              two_inputs()),
      ArgumentError, "'x': got axis 7", "the static size 5", "a list of 1 entries", "got 'z'");
}

}  // namespace
}  // namespace onemodel
