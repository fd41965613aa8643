#include "core/extent.h"

#include <gtest/gtest.h>

namespace onemodel {
namespace {

const Extent kBatch = Extent::symbol("batch", 4);
const Extent kSeq = Extent::symbol("seq", 7);

TEST(Extent, MultipliesToASortedProduct) {
  const Extent product = kSeq * 2 * kBatch;
  EXPECT_EQ(product.text(), "2*batch*seq");
  EXPECT_EQ(product, kBatch * kSeq * 2);
  EXPECT_EQ(product.example(), 56);
}

TEST(Extent, KnowsNoExampleWithoutOneForEachAtom) {
  EXPECT_EQ((kBatch * Extent::symbol("unknown")).example(), std::nullopt);
}

TEST(Extent, AddsLikeTerms) {
  EXPECT_EQ((kBatch + kBatch).text(), "2*batch");
  EXPECT_EQ(Extent(2) + 3, Extent(5));
  EXPECT_EQ(kBatch - kBatch, Extent(0));
}

TEST(Extent, NamesSumsOfUnlikeTermsTheSameWayInEitherOrder) {
  EXPECT_EQ(kBatch + kSeq, kSeq + kBatch);
  EXPECT_EQ((kBatch + 3).text(), "batch + 3");
  EXPECT_EQ(3 + kBatch, kBatch + 3);
  EXPECT_EQ((kBatch + 3).example(), 7);
}

TEST(Extent, NamesSumsTheSameWayInAnyOrder) {
  const Extent width = Extent::symbol("width", 3);
  EXPECT_EQ((kBatch + width) + kSeq, (kSeq + kBatch) + width);
  EXPECT_EQ((kBatch + width + kSeq).text(), "batch + seq + width");
  EXPECT_EQ(kBatch + (kBatch + 2), kBatch * 2 + 2);
  EXPECT_EQ(kBatch - (kSeq - width), kBatch + width - kSeq);
  EXPECT_EQ((kBatch - (kSeq - width)).example(), 0);
  EXPECT_EQ((10 - kBatch).text(), "10 - batch");
}

TEST(Extent, KeepsProductsThatSumsComeBackTo) {
  EXPECT_EQ((kBatch + 1) * kSeq - kSeq, kBatch * kSeq);
  EXPECT_EQ(((kBatch + 1) * kSeq - kSeq).example(), 28);
  EXPECT_EQ((kBatch * 2 + 2).text(), "2*batch + 2");
  EXPECT_EQ((kBatch * 2 + 2).example(), 10);
}

TEST(Extent, DividesEveryTermOfASum) {
  EXPECT_EQ(exact_div(kBatch * 2 + 2, 2), kBatch + 1);
  EXPECT_EQ(exact_div(kBatch * 2 + 2, 2)->example(), 5);
  EXPECT_EQ(exact_div(kBatch * 2 + 3, 2), std::nullopt);
  EXPECT_EQ(exact_div((kBatch * 2 + 2) * kSeq, 2)->example(), 35);
}

TEST(Extent, TellsSumsInProductsApart) {
  const Extent half = floor_div(kSeq, 2);
  EXPECT_EQ(((kBatch + half) * 2).text(), "2*(batch + floor(seq / 2))");
  EXPECT_FALSE((kBatch + half) * 2 + 1 == kBatch * 2 + half + 1);
  EXPECT_FALSE((kBatch - (kSeq - 9)) * 2 + 1 == kBatch * 2 - (kSeq - 9) + 1);
}

TEST(Extent, NamesFloorsTheSameWay) {
  EXPECT_EQ(floor_div(kBatch + 2, 2), floor_div(kBatch, 2) + 1);
  EXPECT_EQ((floor_div(kBatch, 2) + 1).text(), "floor((batch + 2) / 2)");
  EXPECT_EQ((floor_div(kBatch - 3, 2) + 1).text(), "floor((batch - 1) / 2)");
  EXPECT_EQ(floor_div(kBatch * 2 + 3, 2), kBatch + 1);
  EXPECT_EQ(floor_div(kBatch * 2 + 1, 4), floor_div(kBatch, 2));
  EXPECT_EQ(floor_div(floor_div(kSeq + 1, 2) + 1, 2), floor_div(kSeq + 3, 4));
  EXPECT_EQ(floor_div(floor_div(kSeq + 1, 2) + 1, 2).example(), 2);
  EXPECT_EQ((kSeq - floor_div(kSeq, 2) * 2).text(), "seq - 2*floor(seq / 2)");
}

TEST(Extent, TakesWhatIsNoFormulaAsAName) {
  for (const char* name : {"a + ", "((a", "a) + (b", "a  + b", "floor(a / )", "n + 99999999999999999999"}) {
    const Extent odd = Extent::symbol(name, 5);
    EXPECT_EQ((odd + 1 - 1).example(), 5) << name;
    EXPECT_EQ(odd + odd, odd * 2) << name;
  }
}

TEST(Extent, FoldsTrailingNumbers) {
  EXPECT_EQ((kBatch + 2 - 3).text(), "batch - 1");
  EXPECT_EQ((kBatch + 2 - 3).example(), 3);
  EXPECT_EQ(kBatch + 2 - 2, kBatch);
  EXPECT_EQ((kBatch + 2 - 2).example(), 4);
}

TEST(Extent, DividesExactlyWhereItCan) {
  EXPECT_EQ(floor_div(kBatch * 6, 3), kBatch * 2);
  EXPECT_EQ(floor_div(Extent(-1), 2), Extent(-1));
  EXPECT_EQ(floor_div(kBatch + 1, 2).text(), "floor((batch + 1) / 2)");
  EXPECT_EQ(floor_div(kBatch + 1, 2).example(), 2);
  EXPECT_EQ(exact_div(kBatch * kSeq * 6, kSeq * 2), kBatch * 3);
  EXPECT_EQ(exact_div(kBatch * 3, Extent(2)), std::nullopt);
  EXPECT_EQ(exact_div(kBatch, kSeq), std::nullopt);
}

TEST(Extent, SubstitutesASymbol) { EXPECT_EQ((kBatch * kSeq * 2).substitute("seq", 5), kBatch * 10); }

TEST(Extent, RefusesProductsThatOverflow) {
  EXPECT_THROW((void)(Extent(int64_t{1} << 40) * Extent(int64_t{1} << 40)), ShapeError);
}

TEST(Shape, PrintsSymbols) {
  EXPECT_EQ(concat(TensorType{DType::f32, {kBatch, 3}}), "float32[batch, 3]");
  EXPECT_EQ((Shape{kBatch, 3}).example(), (Dims{4, 3}));
  EXPECT_EQ((Shape{kBatch, 3}).numel(), kBatch * 3);
  EXPECT_THROW((void)(Shape{kBatch, 3}).dims(), ShapeError);
}

}  // namespace
}  // namespace onemodel
