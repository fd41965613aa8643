// Sorting without types: the order is right, and that of equal elements is kept.

#include "core/sort.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace onemodel::test {
namespace {

TEST(Sort, KeepsTheOrderOfEqualElements) {
  const std::vector<std::string> words = {"bb", "a", "ccc", "b", "aa", "", "c"};
  const auto shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  const std::vector<std::string> expected = {"", "a", "b", "c", "bb", "aa", "ccc"};
  EXPECT_EQ(sorted(words, shorter), expected);
  std::vector<std::string> few = words;
  sort_few(few, shorter);
  EXPECT_EQ(few, expected);
  EXPECT_TRUE(sorted(std::vector<std::string>(), shorter).empty());
}

TEST(Sort, SortsNumbersInPlace) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < 1000; ++i) numbers.push_back(i * 7919 % 1000);
  sort_numbers(numbers, std::greater<>());
  for (size_t i = 0; i < 1000; ++i) EXPECT_EQ(numbers[i], 999 - i);
}

}  // namespace
}  // namespace onemodel::test
