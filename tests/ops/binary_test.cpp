#include "ops/binary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

TEST(Binary, BroadcastsAsNumpy) {
  const Tensor a = Tensor::from({1.0f, 2.0f, 3.0f}, {3, 1}), b = Tensor::from({10.0f, 20.0f}, {2});
  EXPECT_TRUE(same_bits(run(Add{}, {a, b}), Tensor::from({11.0f, 21.0f, 12.0f, 22.0f, 13.0f, 23.0f}, {3, 2})));
  EXPECT_TRUE(same_bits(run(Sub{}, {a, b}), Tensor::from({-9.0f, -19.0f, -8.0f, -18.0f, -7.0f, -17.0f}, {3, 2})));
  EXPECT_TRUE(same_bits(run(Mul{}, {a, b}), Tensor::from({10.0f, 20.0f, 20.0f, 40.0f, 30.0f, 60.0f}, {3, 2})));
  EXPECT_TRUE(same_bits(run(Div{}, {b, a.select(1, 0).slice(0, 1, 3)}), Tensor::from({5.0f, 20.0f / 3}, {2})));
}

TEST(Binary, IntegersWrapAndTruncate) {
  const auto i8 = [](std::initializer_list<int8_t> v) { return Tensor::from(v, {static_cast<int64_t>(v.size())}); };
  EXPECT_TRUE(same_bits(run(Add{}, {i8({127, -128}), i8({1, -1})}), i8({-128, 127})));
  EXPECT_TRUE(
      same_bits(run(Div{}, {i8({7, -7, 7, -7, 5, -128}), i8({2, 2, -2, -2, 0, -1})}), i8({3, -3, -3, 3, 0, -128})));
  EXPECT_TRUE(
      same_bits(run(Div{}, {Tensor::scalar(uint8_t{200}), Tensor::scalar(uint8_t{3})}), Tensor::scalar(uint8_t{66})));
}

TEST(Binary, InfersSymbolicBroadcasting) {
  const Extent batch = Extent::symbol("batch", 4), n = Extent::symbol("n", 4);
  EXPECT_EQ(Inference(Add{}).input({batch, 3}).input({3}).text(), "[batch, 3]");
  EXPECT_EQ(Inference(Mul{}).input({batch, 1}).input({1, n}).text(), "[batch, n]");
  EXPECT_EQ(Inference(Sub{}).input({batch, 1, 5}).input({2, 1}).text(), "[batch, 2, 5]");
  EXPECT_EQ(Inference(Add{}).input({batch}).input({4}).text(), "[4]");
  EXPECT_EQ(Inference(Add{}).input({batch}).input({4}).tracing().error(),
            "TraceError: Add: extents batch and 4 were equal in the example only (shapes [batch] and [4])");
  EXPECT_EQ(Inference(Pow{}).input({batch, 1}).input({n}).text(), "[batch, n]");
}

TEST(Binary, FollowsShapeArithmetic) {
  const Extent batch = Extent::symbol("batch");
  EXPECT_EQ(Inference(Mul{}).data({batch, 3}).ints({2}).contents(), "[2*batch, 6]");
  EXPECT_EQ(Inference(Add{}).data({batch}).ints({1}).contents(), "[batch + 1]");
  EXPECT_EQ(Inference(Sub{}).data({batch}).ints({1}).contents(), "[batch - 1]");
  EXPECT_EQ(Inference(Div{}).data({batch * 6}).ints({3}).contents(), "[2*batch]");
}

TEST(Binary, NamesWhatDoesNotFit) {
  const Tensor f = sample_values({2}), d = sample_values({2}, -1, 1, DType::f64), b = f.cast(DType::boolean);
  EXPECT_EQ(infer_error(Add{}, {f, d}), "Add: inputs 'A' and 'B' must have one dtype, got float32 and float64");
  EXPECT_EQ(infer_error(Mul{}, {b, b}), "Mul: input 'A' expects a numeric type, got bool");
  EXPECT_EQ(infer_error(Div{}, {f, sample_values({2, 3})}),
            "Div: shapes [2] and [2, 3] do not broadcast: axis 1 has 3 and 2");
  EXPECT_EQ(infer_error(Pow{}, {f, b}), "Pow: input 'Y' expects a numeric type, got bool");
  EXPECT_EQ(infer_error(Add{}, {f}), "Add: expects at least 2 inputs, got 1");
}

TEST(Binary, FastKernelAppliesTheBound) {
  const Tensor a = sample_values({3, 1, 4}), b = sample_values({2, 1}, -2, 2, DType::f32, 2);
  for (const Op& op : {Op(Add{}), Op(Sub{}), Op(Mul{}), Op(Div{})}) {
    const auto fast = run_fast(op, {a, b}, {.clamp = Clamp{0, 0.5f}});
    EXPECT_EQ(fast.name, "simd.binary");
    auto expected = run(op, {a, b}).to_vector<float>();
    for (float& value : expected) value = std::min(0.5f, std::max(0.0f, value));
    EXPECT_TRUE(close(fast.outputs[0], Tensor::from(std::span<const float>(expected), {3, 2, 4}), 1e-6));
  }
  EXPECT_EQ(run_fast(Add{}, {a.cast(DType::i32), b.cast(DType::i32)}).refusals,
            std::vector<std::string>{"simd.binary: the dtype is not float32"});
}

TEST(Pow, KeepsTheDtypeOfTheBase) {
  const Tensor base = Tensor::from<int32_t>({2, 3, -2, 5}, {4});
  EXPECT_TRUE(same_bits(run(Pow{}, {base, Tensor::scalar(int64_t{3})}), Tensor::from<int32_t>({8, 27, -8, 125}, {4})));
  EXPECT_TRUE(same_bits(run(Pow{}, {base, Tensor::scalar(2.0f)}), Tensor::from<int32_t>({4, 9, 4, 25}, {4})));
  const Tensor y = run(Pow{}, {Tensor::from({2.0f, 4.0f}, {2}), Tensor::from<int64_t>({-1, 2}, {2})});
  EXPECT_TRUE(same_bits(y, Tensor::from({0.5f, 16.0f}, {2})));
}

TEST(Pow, SquaresFast) {
  const Tensor x = sample_values({2, 5}), two = Tensor::scalar(int64_t{2});
  const auto fast = run_fast(Pow{}, {x, two}, {.constants = {1}});
  EXPECT_EQ(fast.name, "simd.unary");
  EXPECT_TRUE(close(fast.outputs[0], run(Mul{}, {x, x}), 1e-7));
  EXPECT_EQ(run_fast(Pow{}, {x, two}).refusals,
            std::vector<std::string>{"simd.unary: the exponent is not the constant 2"});
  EXPECT_EQ(run_fast(Pow{}, {x, Tensor::from({2.0f}, {1, 1, 1})}, {.constants = {1}}).refusals,
            std::vector<std::string>{"simd.unary: the base is broadcast"});
}

TEST(Pow, GradientAtZeroIsFinite) {
  DirectApplier applier;
  const Tensor inputs[] = {Tensor::from({0.0, 0.0, 0.0}, {3}), Tensor::from({0.0, 1.0, 2.0}, {3})};
  const Tensor y = run(Pow{}, {inputs[0], inputs[1]}), g = Tensor::full({3}, 1, DType::f64);
  const bool needed[] = {true, true};
  GradContext context(inputs, {&y, 1}, {&g, 1}, needed, applier);
  const auto out = Pow{}.vjp(context);
  EXPECT_EQ(out[0].tensor().to_vector<double>(), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(out[1].tensor().to_vector<double>(), (std::vector<double>{0, 0, 0}));
}

}  // namespace
}  // namespace onemodel::test
