#include "ops/matmul_integer.h"

#include <gtest/gtest.h>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/conv.h"
#include "ops/conv_integer.h"
#include "ops/matmul.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"

namespace onemodel::test {
namespace {

Tensor bytes(const Dims& dims, DType dtype, uint64_t seed) {
  return dtype == DType::u8 ? sample_values(dims, 0, 255, dtype, seed) : sample_values(dims, -128, 127, dtype, seed);
}

// x - zero as `dtype`, by other operators.
Tensor less(const Tensor& x, const Tensor& zero, DType dtype) {
  return zero.defined() ? run(Sub{}, {x.cast(dtype), zero.cast(dtype)}) : x.cast(dtype);
}

TEST(MatMulInteger, IsTheProductOfTheDifferences) {
  const int64_t sizes[][3] = {{1, 1, 1},     {1, 40, 17},   {3, 16, 2}, {4, 1, 513},
                              {5, 33, 1100}, {130, 20, 21}, {2, 300, 0}};
  for (const auto& [m, n, k] : sizes)
    for (DType left : {DType::i8, DType::u8})
      for (DType right : {DType::i8, DType::u8}) {
        SCOPED_TRACE(concat(Dims{m, n, k}, " of ", left, " and ", right));
        const Tensor a = bytes({m, k}, left, 1), b = bytes({k, n}, right, 2);
        const Tensor rows = bytes({m}, left, 3), columns = bytes({n}, right, 4);
        const Tensor want = run(MatMul{}, {less(a, rows.reshape({m, 1}), DType::i32), less(b, columns, DType::i32)});
        EXPECT_TRUE(same_bits(run(MatMulInteger{}, {a, b, rows, columns}), want));
        EXPECT_TRUE(same_bits(run(MatMulInteger{}, {a, b}), run(MatMul{}, {a.cast(DType::i32), b.cast(DType::i32)})));
      }
}

TEST(MatMulInteger, BroadcastsBatchesAndTheirZeroPoints) {
  struct Case {
    Dims a, b, a_zero, b_zero;
  };
  const Case cases[] = {{{2, 3, 4, 5}, {5, 6}, {2, 3, 4, 1}, {6}},
                        {{2, 3, 4, 5}, {3, 5, 6}, {}, {3, 1, 6}},
                        {{2, 1, 4, 5}, {1, 3, 5, 6}, {2, 1, 4, 1}, {1, 3, 1, 6}},
                        {{4, 5}, {3, 5, 6}, {}, {3, 1, 6}},
                        {{2, 1, 5}, {5, 6}, {2, 1, 1}, {}}};
  for (const auto& [a_dims, b_dims, a_zero_dims, b_zero_dims] : cases) {
    SCOPED_TRACE(concat(a_dims, " and ", b_dims));
    const Tensor a = bytes(a_dims, DType::u8, 1), b = bytes(b_dims, DType::i8, 2);
    const Tensor a_zero = bytes(a_zero_dims, DType::u8, 3), b_zero = bytes(b_zero_dims, DType::i8, 4);
    EXPECT_TRUE(same_bits(run(MatMulInteger{}, {a, b, a_zero, b_zero}),
                          run(MatMul{}, {less(a, a_zero, DType::i32), less(b, b_zero, DType::i32)})));
  }
}

TEST(MatMulInteger, TakesTheLargestProducts) {
  const Tensor a = Tensor::full({1, 2000}, -128, DType::i8), b = Tensor::full({2000, 17}, 0, DType::u8);
  const Tensor y = run(MatMulInteger{}, {a, b, Tensor::scalar<int8_t>(127), Tensor::scalar<uint8_t>(255)});
  EXPECT_TRUE(same_bits(y, Tensor::full({1, 17}, 2000 * 255 * 255, DType::i32)));
}

TEST(MatMulInteger, PacksConstantWeightsOnce) {
  const Tensor a = bytes({2, 3, 70}, DType::u8, 1), b = bytes({70, 37}, DType::i8, 2), zero = bytes({}, DType::u8, 3);
  const Tensor columns = bytes({37}, DType::i8, 4);
  for (const std::vector<size_t>& constants : {std::vector<size_t>{1, 3}, std::vector<size_t>{1, 2, 3}}) {
    const auto fast = run_fast(MatMulInteger{}, {a, b, zero, columns}, {.constants = constants});
    EXPECT_EQ(fast.name, "packed.matmul");
    EXPECT_TRUE(same_bits(fast.outputs[0], run(MatMulInteger{}, {a, b, zero, columns})));
  }
}

TEST(MatMulInteger, DoesNotPackWhatARunGives) {
  const Tensor a = bytes({3, 4}, DType::u8, 1), b = bytes({4, 5}, DType::i8, 2), rows = bytes({3}, DType::u8, 3);
  EXPECT_EQ(run_fast(MatMulInteger{}, {a, b}).refusals,
            std::vector<std::string>{"packed.matmul: operand 1 is not constant"});
  EXPECT_EQ(run_fast(MatMulInteger{}, {a, b, rows}, {.constants = {1}}).refusals,
            std::vector<std::string>{"packed.matmul: operand 2 is not constant"});
}

TEST(QLinearMatMul, GivesTheExampleOfOnnx) {
  const Tensor a = Tensor::from<uint8_t>({208, 236, 0, 238, 3, 214, 255, 29}, {2, 4});
  const Tensor b = Tensor::from<uint8_t>({152, 51, 244, 60, 26, 255, 0, 127, 246, 127, 254, 247}, {4, 3});
  EXPECT_TRUE(same_bits(
      run(QLinearMatMul{}, {a, Tensor::scalar(0.0066f), Tensor::scalar<uint8_t>(113), b, Tensor::scalar(0.00705f),
                            Tensor::scalar<uint8_t>(114), Tensor::scalar(0.0107f), Tensor::scalar<uint8_t>(118)}),
      Tensor::from<uint8_t>({168, 115, 255, 1, 66, 151}, {2, 3})));
}

TEST(QLinearMatMul, RoundsHalvesToEvenBeforeTheZeroPointAndSaturates) {
  const Tensor a = Tensor::from<int8_t>({-5, -3, -1, 1, 3, 5, 127, -128}, {8, 1}),
               one = Tensor::from<int8_t>({1}, {1, 1});
  const auto step = [](float value) { return Tensor::scalar(value); };
  const Tensor none = Tensor::scalar<int8_t>(0);
  EXPECT_TRUE(
      same_bits(run(QLinearMatMul{}, {a, step(0.5f), none, one, step(1), none, step(1), Tensor::scalar<uint8_t>(1)}),
                Tensor::from<uint8_t>({0, 0, 1, 1, 3, 3, 65, 0}, {8, 1})));
  EXPECT_TRUE(
      same_bits(run(QLinearMatMul{}, {a, step(3), none, one, step(1), none, step(1), Tensor::scalar<int8_t>(-1)}),
                Tensor::from<int8_t>({-16, -10, -4, 2, 8, 14, 127, -128}, {8, 1})));
}

TEST(QLinearMatMul, ScalesEachRowAndColumn) {
  const Tensor a = bytes({3, 4}, DType::i8, 1), b = bytes({4, 20}, DType::i8, 2), none = Tensor::scalar<int8_t>(0);
  const Tensor rows = Tensor::from<float>({0.25f, 0.5f, 1}, {3}), columns = sample_values({20}, 0.01, 0.05);
  const Tensor all = run(QLinearMatMul{}, {a, rows, none, b, columns, none, Tensor::scalar(4.f), none});
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 20; ++j) {
      const Tensor row = a.slice(0, i, i + 1), column = b.slice(1, j, j + 1);
      EXPECT_TRUE(same_bits(all.slice(0, i, i + 1).slice(1, j, j + 1),
                            run(QLinearMatMul{}, {row, rows.select(0, i), none, column, columns.select(0, j), none,
                                                  Tensor::scalar(4.f), none})));
    }
}

TEST(FusedQLinearMatMul, AddsTheBiasToTheSums) {
  const Tensor none = Tensor::scalar<int8_t>(0), one = Tensor::scalar(1.f);
  const Tensor a = Tensor::from<int8_t>({1, 2}, {2, 1}), b = Tensor::from<int8_t>({3, 4}, {1, 2});
  EXPECT_TRUE(same_bits(
      run(FusedQLinearMatMul{}, {a, one, none, b, one, none, one, none, Tensor::from<int32_t>({-10, 1000}, {2})}),
      Tensor::from<int8_t>({-7, 127, -4, 127}, {2, 2})));
}

TEST(ConvInteger, GivesTheExamplesOfOnnx) {
  const Tensor x = Tensor::from<uint8_t>({2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 1, 3, 3});
  const Tensor w = Tensor::full({1, 1, 2, 2}, 1, DType::u8), zero = Tensor::scalar<uint8_t>(1);
  EXPECT_TRUE(same_bits(run(ConvInteger{}, {x, w, zero}), Tensor::from<int32_t>({12, 16, 24, 28}, {1, 1, 2, 2})));
  ConvInteger padded;
  padded.pads = {1, 1, 1, 1};
  EXPECT_TRUE(same_bits(run(padded, {x, w, zero}),
                        Tensor::from<int32_t>({1, 3, 5, 3, 5, 12, 16, 9, 11, 24, 28, 15, 7, 15, 17, 9}, {1, 1, 4, 4})));
}

TEST(ConvInteger, IsTheConvolutionOfTheDifferences) {
  struct Case {
    Dims x, w;
    int64_t group;
    std::vector<int64_t> pads, strides, dilations;
  };
  const Case cases[] = {{{1, 3, 9, 8}, {5, 3, 3, 3}, 1, {1, 1, 1, 1}, {}, {}},
                        {{2, 4, 9, 8}, {4, 1, 3, 3}, 4, {1, 0, 2, 1}, {2, 1}, {1, 2}},
                        {{2, 6, 20}, {10, 3, 5}, 2, {2, 2}, {3}, {}},
                        {{1, 70, 7, 50}, {130, 70, 3, 3}, 1, {1, 1, 1, 1}, {}, {}},
                        {{1, 2, 4, 5, 6}, {4, 2, 2, 3, 2}, 1, {0, 1, 1, 1, 1, 0}, {}, {2, 1, 1}},
                        {{1, 8, 1, 1}, {16, 8, 1, 1}, 1, {}, {}, {}}};
  for (const auto& [x_dims, w_dims, group, pads, strides, dilations] : cases)
    for (DType dtype : {DType::i8, DType::u8}) {
      SCOPED_TRACE(concat(dtype, " ", x_dims, " and ", w_dims));
      const Tensor x = bytes(x_dims, dtype, 1), w = bytes(w_dims, DType::i8, 2);
      const Tensor x_zero = bytes({}, dtype, 3), w_zero = bytes({w_dims[0]}, DType::i8, 4);
      Dims along = Dims::filled(w_dims.size(), 1);
      along[0] = w_dims[0];
      const Conv conv{.dilations = dilations, .group = group, .pads = pads, .strides = strides};
      ConvInteger integer;
      integer.dilations = dilations, integer.group = group, integer.pads = pads, integer.strides = strides;
      const Tensor want =
          run(conv, {less(x, x_zero, DType::f64), less(w, w_zero.reshape(along), DType::f64)}).cast(DType::i32);
      EXPECT_TRUE(same_bits(run(integer, {x, w, x_zero, w_zero}), want));
    }
}

TEST(ConvInteger, PacksConstantWeightsOnce) {
  const Tensor x = bytes({2, 6, 7, 5}, DType::u8, 1), zero = bytes({1}, DType::u8, 3);
  for (const int64_t group : {1, 2, 6}) {  // many and few rows to a group
    const ConvInteger op{.group = group, .pads = {1, 1, 1, 1}};
    const Tensor w = bytes({12, 6 / group, 3, 3}, DType::i8, 2);
    const auto fast = run_fast(op, {x, w, zero}, {.constants = {1}});
    EXPECT_EQ(fast.name, "packed.conv");
    EXPECT_TRUE(same_bits(fast.outputs[0], run(op, {x, w, zero})));
    EXPECT_EQ(run_fast(op, {x, w, zero}, {.constants = {2}}).refusals,
              std::vector<std::string>{"packed.conv: operand 1 is not constant"});
  }
}

TEST(QLinearConv, GivesTheExampleOfOnnx) {
  const Tensor x =
      Tensor::from<uint8_t>({255, 174, 162, 25,  203, 168, 58,  15,  59,  237, 95,  129, 0,  64,  56, 242, 153,
                             221, 168, 12,  166, 232, 178, 186, 195, 237, 162, 237, 188, 39, 124, 77, 80,  102,
                             43,  127, 230, 21,  83,  41,  40,  134, 255, 154, 92,  141, 42, 148, 247},
                            {1, 1, 7, 7});
  const Tensor w = Tensor::from<uint8_t>({0}, {1, 1, 1, 1});
  const Tensor y = run(QLinearConv{}, {x, Tensor::scalar(0.00369204697f), Tensor::scalar<uint8_t>(132), w,
                                       Tensor::from<float>({0.00172794575f}, {1}), Tensor::from<uint8_t>({255}, {1}),
                                       Tensor::scalar(0.00162681262f), Tensor::scalar<uint8_t>(123)});
  std::vector<uint8_t> want;  // as the example says: all but turned over
  for (uint8_t value : x.to_vector<uint8_t>()) want.push_back(static_cast<uint8_t>(255 - value));
  EXPECT_TRUE(same_bits(y, Tensor::from(std::span<const uint8_t>(want), {1, 1, 7, 7})));
}

}  // namespace
}  // namespace onemodel::test
