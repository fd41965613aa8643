#include "export/dim_solver.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace onemodel {
namespace {

SizeSite site(int64_t example, size_t axis = 0, std::string input = "x") { return {std::move(input), axis, example}; }

std::string only_problem(const DimSolver& solver) {
  const auto problems = solver.problems();
  EXPECT_EQ(problems.size(), 1U);
  return problems.empty() ? "" : problems.front();
}

TEST(DimSolver, GivesTheContract) {
  DimSolver solver;
  solver.add_range({"m", 2, 64});
  solver.add_range({"n", 0, {}});
  solver.add_relation({"2*m + 1", "m", 2, 1});
  solver.add_site("m", site(3));
  solver.add_site("m", site(3, 1));
  solver.add_site("2*m + 1", site(7, 2));
  solver.add_site("n", site(9, 3));
  EXPECT_EQ(solver.solve(), (SizeContract{.ranges = {{"m", 2, 64}}, .relations = {{"2*m + 1", "m", 2, 1}}}));
}

TEST(DimSolver, IntersectsRanges) {
  DimSolver solver;
  solver.add_range({"n", 2, {}});
  solver.add_range({"n", 0, 16});
  EXPECT_EQ(solver.solve().ranges, (std::vector<SizeRange>{{"n", 2, 16}}));
}

TEST(DimSolver, TellsDifferentSizesOfOneName) {
  DimSolver solver;
  solver.add_site("n", site(4));
  solver.add_site("n", site(5, 1));
  EXPECT_EQ(only_problem(solver), "size 'n' is 4 at input 'x', axis 0, but 5 at input 'x', axis 1");
}

TEST(DimSolver, TellsTwoRelations) {
  DimSolver solver;
  solver.add_relation({"n", "m", 2, 0});
  solver.add_relation({"n", "k", 1, 3});
  EXPECT_EQ(only_problem(solver), "size 'n' has two relations: 2*m and k + 3");
}

TEST(DimSolver, TellsAnEmptyIntersection) {
  DimSolver solver;
  solver.add_range({"n", 2, 4});
  solver.add_range({"n", 8, {}});
  EXPECT_EQ(only_problem(solver), "size 'n' is to be in [2, 4] and in [8, inf], which have no common value");
}

TEST(DimSolver, TellsARootThatIsDerived) {
  DimSolver solver;
  solver.add_relation({"n", "m", 2, 0});
  solver.add_relation({"m", "n", 3, 1});
  const auto problems = solver.problems();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0], "size 'n' is the root of 3*n + 1 and is itself derived, as 2*m");
  EXPECT_EQ(problems[1], "size 'm' is the root of 2*m and is itself derived, as 3*n + 1");
}

TEST(DimSolver, TellsARangeThatNoRootGives) {
  DimSolver solver;
  solver.add_range({"n", 2, 4});
  solver.add_range({"m", 4, {}});
  solver.add_relation({"n", "m", 2, 1});
  EXPECT_EQ(only_problem(solver), "size 'n' is to be in [2, 4], but 2*m + 1 is in [9, inf]");
}

TEST(DimSolver, TellsAnExampleThatItsRelationDoesNotGive) {
  DimSolver solver;
  solver.add_relation({"n", "m", 2, 1});
  solver.add_site("m", site(3));
  solver.add_site("n", site(8, 1));
  EXPECT_EQ(only_problem(solver),
            "input 'x', axis 1 has the size 8, expected 2*m + 1 = 7, since m is 3 at input 'x', axis 0");
  DimSolver rootless;
  rootless.add_range({"m", 0, 3});
  rootless.add_relation({"n", "m", 2, 1});
  rootless.add_site("n", site(9));
  EXPECT_EQ(only_problem(rootless), "input 'x', axis 0 has the size 9, which is not 2*m + 1 for any m in [-inf, 3]");
}

TEST(DimSolver, TellsAnExampleOutsideItsRange) {
  DimSolver solver;
  solver.add_range({"n", 2, 4});
  solver.add_site("n", site(5));
  EXPECT_EQ(only_problem(solver), "size 'n' is 5 at input 'x', axis 0, expected one in [2, 4]");
}

TEST(DimSolver, TellsEverythingTogether) {
  DimSolver solver;
  solver.add_range({"n", 2, 4});
  solver.add_site("n", site(5));
  solver.add_site("m", site(1));
  solver.add_site("m", site(2, 1));
  solver.add_relation({"k", "j", 2, 0});
  solver.add_site("k", site(3, 2));
  EXPECT_ERROR(solver.solve(), ConstraintsError, "size 'n' is 5", "size 'm' is 1", "not 2*j for any j");
}

}  // namespace
}  // namespace onemodel
