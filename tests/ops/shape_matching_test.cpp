#include "ops/shape_matching.h"

#include <gtest/gtest.h>

namespace onemodel {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);
const Extent h = Extent::symbol("h", 14), w = Extent::symbol("w", 9);

std::string matched(const ShapeMatch& match) {
  return match.shape ? concat(*match.shape) : "refused: " + match.problem;
}
std::string reshaped(const Shape& from, const Shape& target) { return matched(match_reshape(from, target)); }

TEST(MatchReshape, KeepsSymbolsThatStayAlone) {
  EXPECT_EQ(reshaped({batch, 8}, {6, 2, 4}), "[batch, 2, 4]");
  EXPECT_EQ(reshaped({batch, seq, 64}, {6, 5, 8, 8}), "[batch, seq, 8, 8]");
  EXPECT_EQ(reshaped({2, batch}, {2, 6}), "[2, batch]");
}

TEST(MatchReshape, JoinsSymbols) {
  EXPECT_EQ(reshaped({batch, seq, 8}, {30, 8}), "[batch*seq, 8]");
  EXPECT_EQ(reshaped({batch, 3, h, w}, {6, 378}), "[batch, 3*h*w]");
  EXPECT_EQ(reshaped({batch, 3, h, w}, {18, 14, 9}), "[3*batch, h, w]");
  EXPECT_EQ(reshaped({batch, seq}, {30}), "[batch*seq]");
}

TEST(MatchReshape, SplitsProducts) {
  EXPECT_EQ(reshaped({batch * seq, 8}, {6, 5, 2, 4}), "[batch, seq, 2, 4]");
  EXPECT_EQ(reshaped({batch, Extent(3) * h * w}, {6, 3, 14, 9}), "[batch, 3, h, w]");
  EXPECT_EQ(reshaped({Extent(2) * batch, 7}, {2, 6, 7}), "[2, batch, 7]");
  EXPECT_EQ(reshaped({Extent(2) * batch, 7}, {12, 7}), "[2*batch, 7]");
}

TEST(MatchReshape, MovesFactorsBetweenExtents) {
  EXPECT_EQ(reshaped({batch, 8}, {12, 4}), "[2*batch, 4]");
  EXPECT_EQ(reshaped({Extent(2) * batch, 4}, {6, 8}), "[batch, 8]");
  EXPECT_EQ(reshaped({4, batch}, {2, 12}), "[2, 2*batch]");
}

TEST(MatchReshape, PutsExtentsOfOneAnywhere) {
  EXPECT_EQ(reshaped({batch, 8}, {1, 6, 1, 8, 1}), "[1, batch, 1, 8, 1]");
  EXPECT_EQ(reshaped({1, batch, 1, 8}, {6, 8}), "[batch, 8]");
  EXPECT_EQ(reshaped({1, batch}, {6, 1}), "[batch, 1]");
  EXPECT_EQ(reshaped({batch}, {1, 1, 6}), "[1, 1, batch]");
}

TEST(MatchReshape, PrefersExtentsThatASymbolMakesUp) {
  const ShapeMatch match = match_reshape({Extent(2) * batch}, {6, 2});
  EXPECT_EQ(matched(match), "[batch, 2]");
  EXPECT_TRUE(match.warnings.empty());
  const ShapeMatch doubtful = match_reshape({Extent(12) * batch}, {6, 12});
  EXPECT_EQ(matched(doubtful), "[batch, 12]");
  ASSERT_EQ(doubtful.warnings.size(), 1u);
  EXPECT_EQ(doubtful.warnings[0],
            "reshape of [12*batch] to [6, 12]: [6, 12] was read as [batch, 12] (batch = 6 in the "
            "example); other readings are possible");
}

TEST(MatchReshape, RefusesReadingsOfEqualMerit) {
  EXPECT_EQ(reshaped({Extent(6) * batch}, {6, 6}),
            "refused: reshape of [6*batch] to [6, 6]: [6, 6] can be read as [batch, 6] or [6, "
            "batch] (batch = 6 in the example); choose example sizes that differ from the fixed ones");
}

TEST(MatchReshape, RefusesReadingsThatADerivedSizeAllows) {
  const Extent half = floor_div(Extent::symbol("length", 5), 2);
  EXPECT_EQ(
      reshaped({batch, 4, half}, {6, 2, 4}),
      "refused: reshape of [batch, 4, floor(length / 2)] to [6, 2, 4]: [2, 4] can be read as [floor(length / 2), "
      "4] or [2, 2*floor(length / 2)] (floor(length / 2) = 2 in the example); choose example sizes that differ from "
      "the fixed ones");
  EXPECT_EQ(reshaped({batch, 4, half, 3}, {6, 4, 6}), "[batch, 4, 3*floor(length / 2)]");
}

TEST(MatchReshape, TakesEqualSymbolsAsInterchangeable) {
  EXPECT_EQ(reshaped({batch * batch}, {6, 6}), "[batch, batch]");
}

TEST(MatchReshape, RefusesToSplitASymbol) {
  EXPECT_EQ(reshaped({batch, 4}, {8, 3}),
            "refused: reshape of [batch, 4] to [8, 3]: 4*batch (batch = 6 in the example) cannot be split into [8, 3]: "
            "every symbol must stay whole");
  EXPECT_NE(reshaped({batch, 5}, {2, 15}).find("cannot be split"), std::string::npos);
}

TEST(MatchReshape, TakesSymbolicTargetsAsTheySay) {
  EXPECT_EQ(reshaped({batch * seq, 8}, {batch, seq, 8}), "[batch, seq, 8]");
  EXPECT_EQ(reshaped({Extent(6) * batch}, {batch, 6}), "[batch, 6]");
  EXPECT_EQ(reshaped({Extent(6) * batch}, {6, batch}), "[6, batch]");
  EXPECT_EQ(reshaped({batch * seq, 8}, {5, batch, 8}), "[seq, batch, 8]");
  const Extent other = Extent::symbol("other", 6);
  EXPECT_EQ(reshaped({batch, 8}, {other, 8}),
            "refused: reshape of [batch, 8] to [other, 8]: axis 0 is other but holds batch; they are "
            "equal in the example only");
  EXPECT_NE(reshaped({batch, 8}, {2, other, 4}).find("which 8*batch does not contain"), std::string::npos);
}

TEST(MatchReshape, NeedsExampleSizesAboveOne) {
  const Extent out = Extent::symbol("floor(h / 9)", 1);
  EXPECT_EQ(reshaped({batch, out, 4}, {6, 1, 2, 2}), "[batch, floor(h / 9), 2, 2]");
  EXPECT_EQ(reshaped({batch, 4, out}, {6, 4, 1}), "[batch, 4, floor(h / 9)]");
  EXPECT_NE(reshaped({batch, 4, out}, {6, 2, 2}).find("is 1 in the example"), std::string::npos);
}

TEST(MatchReshape, KeepsAnEmptyShapeOnly) {
  const Extent none = Extent::symbol("none", 0);
  EXPECT_EQ(reshaped({none, 4}, {0, 4}), "[none, 4]");
  EXPECT_NE(reshaped({none, 4}, {4, 0}).find("no elements"), std::string::npos);
}

std::string expanded(const Shape& from, const Shape& target, std::vector<Extent> known = {}) {
  return matched(match_expand(from, target, known));
}

TEST(MatchExpand, KeepsSymbolsOfTheInput) {
  EXPECT_EQ(expanded({batch, 1, 8}, {6, 4, 8}), "[batch, 4, 8]");
  EXPECT_EQ(expanded({batch, 1}, {2, 1, 3}), "[2, batch, 3]");
  EXPECT_EQ(expanded({1, 8}, {seq, 8}), "[seq, 8]");
  EXPECT_EQ(expanded({batch, 1}, {batch, seq}), "[batch, seq]");
}

TEST(MatchExpand, ReadsTheExampleSizeOfASymbolAsTheSymbol) {
  const ShapeMatch match = match_expand({1, 8}, {6, 5, 8}, std::vector{batch, seq, batch * 2});
  EXPECT_EQ(matched(match), "[batch, seq, 8]");
  ASSERT_EQ(match.warnings.size(), 2u);
  EXPECT_EQ(
      match.warnings[0],
      "expand of [1, 8] to [6, 5, 8]: 6 at axis 0 was read as batch, whose example size it is; it could be fixed");
  EXPECT_TRUE(match_expand({1, 8}, {4, 8}, std::vector{batch, seq}).warnings.empty());
}

TEST(MatchExpand, RefusesANumberThatIsTheSizeOfADerivedExtent) {
  EXPECT_EQ(
      expanded({1, 8}, {12, 8}, {batch, batch * 2}),
      "refused: expand of [1, 8] to [12, 8]: 12 at axis 0 can be read as 12 or 2*batch; choose example sizes that "
      "differ");
  EXPECT_EQ(
      expanded({1, 8}, {6, 8}, {seq + 1, batch}),
      "refused: expand of [1, 8] to [6, 8]: 6 at axis 0 can be read as seq + 1 or batch; choose example sizes that "
      "differ");
}

TEST(MatchExpand, RefusesSizesThatAreEqualInTheExampleOnly) {
  const Extent other = Extent::symbol("other", 6);
  EXPECT_EQ(expanded({batch}, {other}),
            "refused: expand of [batch] to [other]: axis 0 has batch and other, which are equal in "
            "the example only");
  EXPECT_NE(expanded({6}, {batch}).find("equal in the example only"), std::string::npos);
  EXPECT_NE(expanded({batch}, {4}).find("do not broadcast"), std::string::npos);
}

}  // namespace
}  // namespace onemodel
