#include "export/dim.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace onemodel {
namespace {

TEST(Dim, DeclaresANameWithARange) {
  EXPECT_EQ(Dim("batch").declaration(), "Dim(\"batch\")");
  EXPECT_EQ(Dim("batch", 2, 64).declaration(), "Dim(\"batch\", min=2, max=64)");
  EXPECT_EQ(bounds_text(Dim("batch", 2, 64).range()), "[2, 64]");
  EXPECT_EQ(bounds_text(Dim("batch").range()), "[-inf, inf]");
}

TEST(Dim, CollapsesAChainToWhatItMeans) {
  const Dim d("d", 1, 4);
  EXPECT_EQ(((d + 1) * 2).text(), "2*d + 2");
  EXPECT_EQ((3 * (2 * d - 1) + 5).text(), "6*d + 2");
  EXPECT_EQ((d * 2 - 3).text(), "2*d - 3");
  EXPECT_EQ((1 + d - 1).text(), "d");
  EXPECT_FALSE((1 + d - 1).is_derived());
  EXPECT_EQ(bounds_text(((d + 1) * 2).range()), "[4, 10]");
}

// The text of a derived Dim and of the extent that stands for it are one, so that labels and shapes agree.
TEST(Dim, IsPrintedAsItsExtentIs) {
  const Dim d("d");
  for (const Dim& each : {d, d * 3, d + 4, d - 2, (d + 1) * 2, 5 * d - 7}) {
    const Extent extent = Extent(each.scale()) * Extent::symbol("d") + Extent(each.offset());
    EXPECT_EQ(each.text(), extent.text());
    const auto relation = stated_relation(extent);
    ASSERT_EQ(relation.has_value(), each.is_derived());
    if (relation) {
      EXPECT_EQ(*relation, (SizeRelation{each.text(), "d", each.scale(), each.offset()}));
    }
  }
}

TEST(Dim, RefusesOtherArithmetic) {
  const Dim a("a"), b("b");
  EXPECT_ERROR(a / 2, ArgumentError, "Dim 'a' / 2", "by + and - with an integer and by * with a positive integer only");
  EXPECT_ERROR(a / b, ArgumentError, "Dim 'a' / Dim 'b'");
  EXPECT_ERROR(4 / a, ArgumentError, "4 / Dim 'a'");
  EXPECT_ERROR(a % 2, ArgumentError, "Dim 'a' % 2");
  EXPECT_ERROR((a + 1) * b, ArgumentError, "Dim 'a + 1' * Dim 'b'");
  EXPECT_ERROR(a + b, ArgumentError, "Dim 'a' + Dim 'b'");
  EXPECT_ERROR(a - b, ArgumentError, "Dim 'a' - Dim 'b'");
  EXPECT_ERROR(8 - a, ArgumentError, "8 - Dim 'a'");
  EXPECT_ERROR(-a, ArgumentError, "-Dim 'a'");
  EXPECT_ERROR(a * 0, ArgumentError, "Dim 'a' * 0", "positive integer");
  EXPECT_ERROR(-2 * a, ArgumentError, "Dim 'a' * -2", "positive integer");
  EXPECT_ERROR((a * INT64_MAX) * 2, ArgumentError, "does not fit 64 bits");
}

TEST(Dim, RefusesNamesAndBoundsThatMeanNothing) {
  EXPECT_ERROR(Dim(""), ArgumentError, "the name ''");
  EXPECT_ERROR(Dim("2d"), ArgumentError, "the name '2d'");
  EXPECT_ERROR(Dim("a b"), ArgumentError, "the name 'a b'");
  EXPECT_ERROR(Dim("a", -1), ArgumentError, "Dim 'a'", "min is -1", "at least 0");
  EXPECT_ERROR(Dim("a", 4, 3), ArgumentError, "Dim 'a'", "max is 3", "at least min, 4");
}

TEST(Dim, HintsTakeBounds) {
  EXPECT_EQ(Dim::AUTO.text(), "Dim.AUTO");
  EXPECT_EQ(Dim::DYNAMIC(2, 8).text(), "Dim.DYNAMIC(min=2, max=8)");
  EXPECT_EQ(Dim::AUTO(3).text(), "Dim.AUTO(min=3)");
  EXPECT_ERROR(Dim::STATIC(2, 8), ArgumentError, "Dim.STATIC takes no bounds");
  EXPECT_ERROR(Dim::AUTO(-2), ArgumentError, "Dim.AUTO", "min is -2");
}

TEST(Dim, MakesSeveralAtOnce) {
  const std::vector<std::string> names{"a", "b"};
  const std::vector<Dim> made = dims(names);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[1], Dim("b"));
}

}  // namespace
}  // namespace onemodel
