// What streams show of tensors.

#include "core/print.h"

#include <gtest/gtest.h>

#include <sstream>

namespace onemodel::test {
namespace {

template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Print, TellsDTypeShapeAndValues) {
  EXPECT_EQ(shown(Tensor::from<float>({1, 2.5, -3, 0}, {2, 2})), "float32[2, 2] [[1, 2.5], [-3, 0]]");
  EXPECT_EQ(shown(Tensor::scalar<int64_t>(7)), "int64[] 7");
  EXPECT_EQ(shown(Tensor::zeros({20}, DType::boolean)).find("bool[20] [false, false, false, false, …, false"), 0u);
  EXPECT_EQ(shown(Tensor()), "none");
}

TEST(Print, TellsDimsAndDTypes) {
  EXPECT_EQ(shown(Dims{2, 3}), "[2, 3]");
  EXPECT_EQ(shown(DType::bf16), "bfloat16");
}

}  // namespace
}  // namespace onemodel::test
