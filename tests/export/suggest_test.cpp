#include "export/suggest.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace onemodel {
namespace {

const Dim n("n"), m("m"), batch("batch", 1, 128);

ShapeSpec refined(const std::string& fixes, const ShapeSpec& spec, std::vector<std::string> names = {}) {
  return refine_dynamic_shapes("the model does not keep these\n  size 'n' = no fix\nSuggested fixes:" + fixes, spec,
                               names);
}

TEST(Suggest, PrintsWhatItReads) {
  for (const std::string line : {"n = 4", "n = 2*m + 1", "n = m", "n = m - 3", "batch = Dim(\"batch\", min=2, max=64)",
                                 "batch = Dim(\"batch\", max=64)", "batch = Dim(\"batch\")"}) {
    const std::vector<SizeFix> fixes = suggested_fixes("Suggested fixes:\n  " + line);
    ASSERT_EQ(fixes.size(), 1U) << line;
    EXPECT_EQ(to_string(fixes[0]), line);
  }
}

TEST(Suggest, WritesALinePerFindingAndPerFix) {
  const Tensor x = Tensor::zeros({4, 3});
  const std::vector<InputSizes> inputs{{"x", x, {n, Dim::DYNAMIC}}};
  SizeFinding fixed{.kind = SizeFinding::fixed, .label = "n", .value = 4, .reason = "Add: no\nbroadcast"};
  SizeFinding narrowed{.kind = SizeFinding::narrowed, .label = "x_dim_1", .min = 2, .max = 9, .reason = "Gather"};
  try {
    throw_findings(std::vector{fixed, narrowed}, inputs);
    FAIL() << "nothing was thrown";
  } catch (const SizesNotKept& error) {
    EXPECT_EQ(error.kind(), "Constraints");
    ASSERT_EQ(error.findings.size(), 2U);
    EXPECT_EQ(error.findings[1].label, "x_dim_1");
    EXPECT_STREQ(error.what(),
                 "the model does not keep these of the declared sizes:\n"
                 "  size 'n' (input 'x', axis 0) must be 4: Add: no;broadcast\n"
                 "  size 'x_dim_1' (input 'x', axis 1) must be in [2, 9]: Gather\n"
                 "Suggested fixes:\n"
                 "  n = 4\n"
                 "  x_dim_1 = Dim(\"x_dim_1\", min=2, max=9)");
  }
}

TEST(Refine, PutsANumberWhereANameWas) {
  EXPECT_EQ(refined("\n  n = 4", ShapeSpec::of({ShapeSpec::of({n, 2 * n + 1}), ShapeSpec::of({m})})),
            ShapeSpec::of({ShapeSpec::of({4, 9}), ShapeSpec::of({m})}));
}

TEST(Refine, GivesARangeToANameAndWhatIsDerivedFromIt) {
  const Dim bounded("batch", 2, 64);
  EXPECT_EQ(refined("\n  batch = Dim(\"batch\", min=2, max=64)", ShapeSpec::of({ShapeSpec::of({batch, 3 * batch})})),
            ShapeSpec::of({ShapeSpec::of({bounded, 3 * bounded})}));
}

TEST(Refine, DerivesOneNameFromAnother) {
  EXPECT_EQ(refined("\n  n = 2*batch + 1", ShapeSpec::of({ShapeSpec::of({n, n - 1, batch})})),
            ShapeSpec::of({ShapeSpec::of({2 * batch + 1, 2 * batch, batch})}));
}

TEST(Refine, BringsInANewRoot) {
  EXPECT_EQ(refined("\n  n = 2*_n\n  _n = Dim(\"_n\", min=2, max=32)", ShapeSpec::of({ShapeSpec::of({n})})),
            ShapeSpec::of({ShapeSpec::of({2 * Dim("_n", 2, 32)})}));
}

TEST(Refine, FollowsAChainOfFixes) {
  EXPECT_EQ(refined("\n  n = 2*m\n  m = batch + 1", ShapeSpec::of({ShapeSpec::of({n, m, batch})})),
            ShapeSpec::of({ShapeSpec::of({2 * batch + 2, batch + 1, batch})}));
  EXPECT_EQ(refined("\n  n = 2*m\n  m = 3", ShapeSpec::of({ShapeSpec::of({n, m})})),
            ShapeSpec::of({ShapeSpec::of({6, 3})}));
}

TEST(Refine, FindsHintsByInputAndAxis) {
  const ShapeSpec spec = ShapeSpec::by_name({{"x", ShapeSpec::axes({{0, Dim::DYNAMIC(2, 8)}})},
                                             {"cache", ShapeSpec::of({ShapeSpec::of({Dim::DYNAMIC, n})})}});
  const Dim x("x_dim_0", 2, 8);
  EXPECT_EQ(
      refined("\n  cache_0_dim_0 = x_dim_0 + 1\n  n = 5", spec),
      ShapeSpec::by_name({{"x", ShapeSpec::axes({{0, x}})}, {"cache", ShapeSpec::of({ShapeSpec::of({x + 1, 5})})}}));
  EXPECT_EQ(refined("\n  x_dim_1 = 3", ShapeSpec::of({ShapeSpec::of({n, Dim::DYNAMIC})}), {"x"}),
            ShapeSpec::of({ShapeSpec::of({n, 3})}));
}

TEST(Refine, ArgumentsByPositionHaveTheNamesOfAModulesInputs) {
  EXPECT_EQ(refined("\n  input_dim_1 = 3", ShapeSpec::of({ShapeSpec::of({n, Dim::DYNAMIC})})),
            ShapeSpec::of({ShapeSpec::of({n, 3})}));
  EXPECT_EQ(refined("\n  input_1_dim_0 = 3", ShapeSpec::of({ShapeSpec::of({n}), ShapeSpec::of({Dim::DYNAMIC})})),
            ShapeSpec::of({ShapeSpec::of({n}), ShapeSpec::of({3})}));
}

TEST(Refine, RefusesWhatItCannotApply) {
  const ShapeSpec spec = ShapeSpec::of({ShapeSpec::of({n})});
  EXPECT_ERROR(refine_dynamic_shapes("input 'x' is wrong", spec), ArgumentError, "suggests no fixes");
  EXPECT_ERROR(refined("\n  k = 4", spec), ArgumentError, "'k = 4'", "no size 'k'");
  EXPECT_ERROR(refined("\n  n is 4", spec), ArgumentError, "'n is 4' is no fix");
  EXPECT_ERROR(refined("\n  n = Dim(\"n\", mix=3)", spec), ArgumentError, "is no fix");
  EXPECT_ERROR(refined("\n  n = m/2", spec), ArgumentError, "is no fix");
  EXPECT_ERROR(refined("\n  n = 2*m\n  m = 2*n", spec), ArgumentError, "derive sizes from one another");
}

}  // namespace
}  // namespace onemodel
