#include "ops/conv_transpose.h"

#include <gtest/gtest.h>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

Tensor values(const Dims& dims, uint64_t seed = 1) { return sample_values(dims, -1, 1, DType::f32, seed); }

struct Axis {
  int64_t size, stride = 1, dilation = 1, begin = 0;  // of the result
};

// Spreads each input element by the definition, in double.
Tensor spread(const Tensor& x, const Tensor& w, const Tensor& bias, int64_t groups, const Axis& v, const Axis& u) {
  const Dims &xd = x.dims(), &wd = w.dims();
  const int64_t channels = wd[1] * groups, per_group = xd[1] / groups;
  const auto xs = x.to_vector<double>(), ws = w.to_vector<double>();
  const auto bs = bias.defined() ? bias.to_vector<double>() : std::vector<double>(static_cast<size_t>(channels));
  std::vector<double> out(static_cast<size_t>(xd[0] * channels * v.size * u.size));
  for (size_t i = 0; i < out.size(); ++i) out[i] = bs[i / static_cast<size_t>(v.size * u.size) % bs.size()];
  for (int64_t n = 0; n < xd[0]; ++n)
    for (int64_t c = 0; c < xd[1]; ++c)
      for (int64_t i = 0; i < xd[2]; ++i)
        for (int64_t j = 0; j < xd[3]; ++j)
          for (int64_t m = 0; m < wd[1]; ++m)
            for (int64_t p = 0; p < wd[2]; ++p)
              for (int64_t q = 0; q < wd[3]; ++q) {
                const int64_t row = i * v.stride + p * v.dilation - v.begin,
                              column = j * u.stride + q * u.dilation - u.begin;
                if (row < 0 || row >= v.size || column < 0 || column >= u.size) continue;
                const int64_t channel = c / per_group * wd[1] + m;
                out[static_cast<size_t>(((n * channels + channel) * v.size + row) * u.size + column)] +=
                    xs[static_cast<size_t>(((n * xd[1] + c) * xd[2] + i) * xd[3] + j)] *
                    ws[static_cast<size_t>(((c * wd[1] + m) * wd[2] + p) * wd[3] + q)];
              }
  return Tensor::from(std::span<const double>(out), {xd[0], channels, v.size, u.size});
}

struct Case {
  ConvTranspose op;
  Dims x, w;
  Axis v, u;
  bool bias = false;
};

std::vector<Case> cases() {
  return {{{}, {1, 1, 3, 3}, {1, 2, 3, 3}, {5}, {5}},
          {{.strides = {3, 2}}, {1, 1, 3, 3}, {1, 2, 3, 3}, {9, 3}, {7, 2}},
          {{.output_padding = {1, 1}, .strides = {3, 2}}, {1, 1, 3, 3}, {1, 2, 3, 3}, {10, 3}, {8, 2}, true},
          {{.output_shape = {10, 8}, .strides = {3, 2}}, {1, 1, 3, 3}, {1, 2, 3, 3}, {10, 3}, {8, 2}},
          {{.pads = {1, 2, 1, 2}, .strides = {3, 2}}, {2, 2, 3, 3}, {2, 3, 3, 3}, {7, 3, 1, 1}, {3, 2, 1, 2}, true},
          {{.dilations = {2, 2}}, {1, 1, 3, 3}, {1, 1, 2, 2}, {5, 1, 2}, {5, 1, 2}},
          {{.group = 2, .strides = {2, 1}}, {1, 4, 3, 2}, {4, 3, 2, 2}, {6, 2}, {3}, true},
          {{.auto_pad = "SAME_UPPER", .strides = {2, 2}}, {1, 1, 3, 3}, {1, 2, 3, 3}, {6, 2, 1, 0}, {6, 2, 1, 0}},
          {{.auto_pad = "SAME_LOWER", .strides = {2, 2}}, {1, 1, 3, 3}, {1, 2, 3, 3}, {6, 2, 1, 1}, {6, 2, 1, 1}},
          {{.auto_pad = "SAME_UPPER", .strides = {3, 3}}, {1, 1, 2, 2}, {1, 1, 2, 2}, {6, 3}, {6, 3}}};
}

TEST(ConvTranspose, MatchesTheDefinition) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(concat(Op(c.op)));
    const std::vector<Tensor> in{values(c.x), values(c.w, 2), c.bias ? values({c.w[1] * c.op.group}, 3) : Tensor()};
    const Tensor expected = spread(in[0], in[1], in[2], c.op.group, c.v, c.u);
    EXPECT_TRUE(close(run(c.op, in, 1)[0].cast(DType::f64), expected, 1e-6));
    const auto fast = run_fast(c.op, in);
    EXPECT_EQ(fast.name, "simd.conv2d_input_gradient");
    EXPECT_TRUE(close(fast.outputs[0].cast(DType::f64), expected, 1e-5));
  }
}

TEST(ConvTranspose, BoundsFast) {
  const Tensor x = values({2, 3, 4, 4}), w = values({3, 2, 3, 3}, 2), bias = values({2}, 3);
  auto expected = run(ConvTranspose{}, {x, w, bias}).to_vector<float>();
  for (float& value : expected) value = std::max(0.0f, std::min(value, 0.5f));
  const auto fast = run_fast(ConvTranspose{}, {x, w, bias}, {.clamp = Clamp{0, 0.5f}});
  EXPECT_TRUE(close(fast.outputs[0], Tensor::from(std::span<const float>(expected), fast.outputs[0].dims()), 1e-5));
}

TEST(ConvTranspose, OneAxisIsTwoWithOneRow) {
  const Tensor x = values({2, 2, 5}), w = values({2, 3, 4}, 2);
  const Tensor expected = spread(x.reshape({2, 2, 1, 5}), w.reshape({2, 3, 1, 4}), Tensor(), 1, {1}, {10, 2, 1, 1});
  EXPECT_TRUE(close(run(ConvTranspose{.pads = {1, 1}, .strides = {2}}, {x, w}).cast(DType::f64),
                    expected.reshape({2, 3, 10}), 1e-6));
}

TEST(ConvTranspose, InfersSymbolicShapes) {
  const Extent batch = Extent::symbol("batch"), h = Extent::symbol("h");
  const auto text = [&](const ConvTranspose& op, int64_t kernel) {
    return Inference(op).input({batch, 4, h}).input({4, 2, kernel}).text();
  };
  EXPECT_EQ(text({.pads = {1, 1}}, 3), "[batch, 2, h]");
  EXPECT_EQ(text({.strides = {2}}, 2), "[batch, 2, 2*h]");
  EXPECT_EQ(text({.pads = {1, 1}, .strides = {2}}, 4), "[batch, 2, 2*h]");
  EXPECT_EQ(text({.strides = {2}}, 3), "[batch, 2, 2*h + 1]");
  EXPECT_EQ(text({.auto_pad = "SAME_UPPER", .strides = {3}}, 5), "[batch, 2, 3*h]");
  EXPECT_EQ(text({.output_shape = {30}, .strides = {3}}, 5), "[batch, 2, 30]");
}

TEST(ConvTranspose, NamesEachWrongArgument) {
  const Tensor x = values({1, 2, 3, 3}), w = values({2, 3, 3, 3});
  EXPECT_EQ(infer_error(ConvTranspose{.output_padding = {2, 0}, .strides = {2, 2}}, {x, w}),
            "ConvTranspose: output_padding expects numbers below the stride 2, got 2");
  EXPECT_EQ(infer_error(ConvTranspose{.output_padding = {0}}, {x, w}),
            "ConvTranspose: output_padding expects 2 numbers, got 1");
  EXPECT_EQ(
      infer_error(ConvTranspose{.output_shape = {6, 5}}, {x, w}),
      "ConvTranspose: output_shape asks for 6 rows along axis 2, of which windows reach 5: at most 0 may be left");
  EXPECT_EQ(infer_error(ConvTranspose{.pads = {2, 0, 3, 0}}, {x, w}),
            "ConvTranspose: the result would have 0 rows along axis 2 (input 3, stride 1, span 3, pads 2 and 3)");
  EXPECT_EQ(infer_error(ConvTranspose{.output_padding = {0, -1}}, {x, w}),
            "ConvTranspose: output_padding expects numbers of at least 0, got -1");
  EXPECT_EQ(infer_error(ConvTranspose{}, {values({1, 2, 0, 3}), w}),
            "ConvTranspose: 'X' of shape [1, 2, 0, 3] has no rows along axis 2");
  EXPECT_EQ(infer_error(ConvTranspose{.group = 3}, {x, w}),
            "ConvTranspose: 'X' has 2 channels, which group=3 does not divide");
  EXPECT_EQ(infer_error(ConvTranspose{.group = 2}, {x, w, values({3})}),
            "ConvTranspose: 'B' has 3 elements, expected 6");
}

}  // namespace
}  // namespace onemodel::test
