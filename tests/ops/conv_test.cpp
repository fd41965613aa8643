#include "ops/conv.h"

#include <gtest/gtest.h>

#include "ops/conv_gradient.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

Tensor values(const Dims& dims, uint64_t seed = 1) { return sample_values(dims, -1, 1, DType::f32, seed); }

struct Plane {
  int64_t stride = 1, dilation = 1, begin = 0, end = 0;
  int64_t count(int64_t size, int64_t kernel) const {
    return (size + begin + end - dilation * (kernel - 1) - 1) / stride + 1;
  }
};

// Two-dimensional convolution by the definition, in double.
Tensor convolution(const Tensor& x, const Tensor& w, const Tensor& bias, int64_t groups, const Plane& v,
                   const Plane& u) {
  const Dims &xd = x.dims(), &wd = w.dims();
  const int64_t out_h = v.count(xd[2], wd[2]), out_w = u.count(xd[3], wd[3]), per_group = wd[0] / groups;
  const auto xs = x.to_vector<double>(), ws = w.to_vector<double>();
  const auto bs = bias.defined() ? bias.to_vector<double>() : std::vector<double>(static_cast<size_t>(wd[0]));
  std::vector<double> out;
  for (int64_t n = 0; n < xd[0]; ++n)
    for (int64_t m = 0; m < wd[0]; ++m)
      for (int64_t i = 0; i < out_h; ++i)
        for (int64_t j = 0; j < out_w; ++j) {
          double sum = bs[static_cast<size_t>(m)];
          for (int64_t c = 0; c < wd[1]; ++c)
            for (int64_t p = 0; p < wd[2]; ++p)
              for (int64_t q = 0; q < wd[3]; ++q) {
                const int64_t row = i * v.stride - v.begin + p * v.dilation,
                              column = j * u.stride - u.begin + q * u.dilation;
                if (row < 0 || row >= xd[2] || column < 0 || column >= xd[3]) continue;
                const int64_t channel = m / per_group * wd[1] + c;
                sum += xs[static_cast<size_t>(((n * xd[1] + channel) * xd[2] + row) * xd[3] + column)] *
                       ws[static_cast<size_t>(((m * wd[1] + c) * wd[2] + p) * wd[3] + q)];
              }
          out.push_back(sum);
        }
  return Tensor::from(std::span<const double>(out), {xd[0], wd[0], out_h, out_w});
}

struct Case {
  Conv op;
  Dims x, w;
  Plane v, u;
  bool bias = false;
};

std::vector<Case> cases() {
  return {{{}, {1, 1, 4, 4}, {1, 1, 3, 3}, {}, {}},
          {{.pads = {1, 1, 1, 1}}, {2, 3, 7, 6}, {4, 3, 3, 3}, {.begin = 1, .end = 1}, {.begin = 1, .end = 1}, true},
          {{.pads = {0, 2, 1, 0}, .strides = {2, 3}}, {1, 2, 6, 8}, {3, 2, 2, 3}, {2, 1, 0, 1}, {3, 1, 2, 0}, true},
          {{.dilations = {2, 1}, .group = 2}, {1, 4, 6, 5}, {6, 2, 2, 2}, {1, 2}, {}},
          {{.group = 6, .pads = {1, 1, 1, 1}}, {2, 6, 5, 5}, {6, 1, 3, 3}, {1, 1, 1, 1}, {1, 1, 1, 1}, true},
          {{.group = 3, .strides = {2, 2}}, {1, 3, 6, 6}, {6, 1, 2, 2}, {2}, {2}},
          {{}, {2, 5, 3, 3}, {7, 5, 1, 1}, {}, {}, true},
          {{.auto_pad = "SAME_UPPER", .strides = {2, 1}}, {1, 2, 6, 5}, {2, 2, 3, 2}, {2, 1, 0, 1}, {1, 1, 0, 1}},
          {{.auto_pad = "SAME_LOWER", .strides = {2, 1}}, {1, 2, 6, 5}, {2, 2, 3, 2}, {2, 1, 1, 0}, {1, 1, 1, 0}}};
}

std::vector<Tensor> inputs_of(const Case& c) {
  return {values(c.x), values(c.w, 2), c.bias ? values({c.w[0]}, 3) : Tensor()};
}

TEST(Conv, MatchesTheDefinition) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(concat(Op(c.op)));
    const auto in = inputs_of(c);
    const Tensor expected = convolution(in[0], in[1], in[2], c.op.group, c.v, c.u);
    EXPECT_TRUE(close(run(c.op, in, 1)[0].cast(DType::f64), expected, 1e-6));
  }
}

TEST(Conv, FastKernelsMatchTheDefinition) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(concat(Op(c.op)));
    const auto in = inputs_of(c);
    const Tensor expected = convolution(in[0], in[1], in[2], c.op.group, c.v, c.u);
    const auto packed = run_fast(c.op, in, {.constants = c.bias ? std::vector<size_t>{1, 2} : std::vector<size_t>{1}});
    EXPECT_EQ(packed.name, "xnn.conv2d");
    EXPECT_TRUE(close(packed.outputs[0].cast(DType::f64), expected, 1e-5));
    const auto open = run_fast(c.op, in);
    EXPECT_EQ(open.name, "simd.conv2d_dynamic");
    EXPECT_TRUE(close(open.outputs[0].cast(DType::f64), expected, 1e-5));
  }
}

TEST(Conv, ThreeAxesAreSumsOfTwo) {
  // With a kernel of two planes each output plane is the sum of two convolutions of single planes.
  const Tensor x = values({1, 2, 3, 5, 4}), w = values({3, 2, 2, 3, 2}, 2);
  const auto y = run_fast(Conv{}, {x, w}, {.constants = {1}});
  EXPECT_EQ(y.refusals,
            (std::vector<std::string>{"xnn.conv2d: three spatial axes", "simd.conv2d_dynamic: three spatial axes"}));
  for (int64_t d = 0; d < 2; ++d) {
    const auto plane = [&](int64_t k) {
      return convolution(x.select(2, d + k).contiguous(), w.select(2, k).contiguous(), Tensor(), 1, {}, {})
          .to_vector<double>();
    };
    auto expected = plane(0);
    const auto second = plane(1);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] += second[i];
    EXPECT_TRUE(close(y.outputs[0].select(2, d).cast(DType::f64),
                      Tensor::from(std::span<const double>(expected), {1, 3, 3, 3}), 1e-6));
  }
}

TEST(Conv, OneAxisIsTwoWithOneRow) {
  const Tensor x = values({2, 4, 9}), w = values({6, 2, 3}, 2), bias = values({6}, 3);
  const Conv op{.dilations = {2}, .group = 2, .pads = {1, 2}, .strides = {2}};
  const Tensor expected =
      convolution(x.reshape({2, 4, 1, 9}), w.reshape({6, 2, 1, 3}), bias, 2, {}, {2, 2, 1, 2}).reshape({2, 6, 4});
  EXPECT_TRUE(close(run(op, {x, w, bias}).cast(DType::f64), expected, 1e-6));
  EXPECT_TRUE(close(run_fast(op, {x, w, bias}).outputs[0].cast(DType::f64), expected, 1e-5));
}

TEST(Conv, RoundsHalfPrecisionOnce) {
  const Tensor x = values({1, 3, 5, 5}).cast(DType::f16), w = values({2, 3, 3, 3}, 2).cast(DType::f16);
  const Tensor y = run(Conv{}, {x, w});
  EXPECT_TRUE(same_bits(y, run(Conv{}, {x.cast(DType::f32), w.cast(DType::f32)}).cast(DType::f16)));
}

TEST(Conv, AppliesTheBound) {
  const Tensor x = values({1, 2, 5, 5}), w = values({3, 2, 3, 3}, 2);
  auto expected = run(Conv{}, {x, w}).to_vector<float>();
  for (float& value : expected) value = std::max(0.0f, std::min(value, 0.75f));
  const Tensor bounded = Tensor::from(std::span<const float>(expected), {1, 3, 3, 3});
  for (const std::vector<size_t>& constants : {std::vector<size_t>{1}, std::vector<size_t>{}}) {
    const auto fast = run_fast(Conv{}, {x, w}, {.constants = constants, .clamp = Clamp{0, 0.75f}});
    EXPECT_NE(fast.name, "portable");
    EXPECT_TRUE(close(fast.outputs[0], bounded, 1e-6));
  }
}

TEST(Conv, InfersSymbolicShapes) {
  const Extent batch = Extent::symbol("batch"), h = Extent::symbol("h"), w = Extent::symbol("w");
  EXPECT_EQ(Inference(Conv{.pads = {1, 1, 1, 1}}).input({batch, 3, h, w}).input({8, 3, 3, 3}).input({8}).text(),
            "[batch, 8, h, w]");
  EXPECT_EQ(Inference(Conv{.strides = {2, 2}}).input({batch, 3, h, 9}).input({8, 3, 3, 3}).text(),
            "[batch, 8, floor((h - 1) / 2), 4]");
  EXPECT_EQ(Inference(Conv{}).input({batch, Extent::symbol("c", 3), h}).input({8, 3, 3}).text(), "[batch, 8, h - 2]");
  EXPECT_EQ(Inference(Conv{}).input({batch, Extent::symbol("c", 3), h}).input({8, 3, 3}).tracing().error(),
            "TraceError: Conv: 'X' has c channels, 'W' of shape [8, 3, 3] with group=1 expects 3 (equal in the example "
            "only)");
}

TEST(Conv, NamesEachWrongArgument) {
  const Tensor x = values({1, 2, 5, 4}), w = values({3, 2, 3, 3});
  EXPECT_EQ(infer_error(Conv{.group = 0}, {x, w}), "Conv: group expects at least 1, got 0");
  EXPECT_EQ(infer_error(Conv{.dilations = {1, 1, 1}}, {x, w}), "Conv: dilations expects 2 numbers, got 3");
  EXPECT_EQ(infer_error(Conv{.strides = {0, 1}}, {x, w}), "Conv: strides expects numbers of at least 1, got 0");
  EXPECT_EQ(infer_error(Conv{.pads = {1, 1}}, {x, w}), "Conv: pads expects 4 numbers, got 2");
  EXPECT_EQ(infer_error(Conv{.auto_pad = "FULL"}, {x, w}),
            "Conv: auto_pad expects NOTSET, SAME_UPPER, SAME_LOWER or VALID, got \"FULL\"");
  EXPECT_EQ(infer_error(Conv{.dilations = {3, 1}}, {x, w}),
            "Conv: a window that spans 7 does not fit axis 2 of size 5, padded by 0 and 0");
  EXPECT_EQ(infer_error(Conv{}, {x, values({3, 2, 3})}), "Conv: 'W' expects rank 4 as 'X', got shape [3, 2, 3]");
  EXPECT_EQ(infer_error(Conv{}, {x, w, values({3, 1})}), "Conv: 'B' expects rank 1, got shape [3, 1]");
  EXPECT_EQ(infer_error(Conv{}, {x, w.cast(DType::f64)}),
            "Conv: inputs 'X' and 'W' must have one dtype, got float32 and float64");
  EXPECT_EQ(infer_error(Conv{}, {x.cast(DType::i32), w.cast(DType::i32)}),
            "Conv: input 'X' expects a floating-point type, got int32");
}

TEST(ConvWeightGradient, IsFastInTwoDimensions) {
  const Tensor x = values({2, 4, 6, 5}), dy = values({2, 6, 3, 5}, 2);
  const ConvWeightGradient op{.group = 2, .kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}, .strides = {2, 1}};
  const auto fast = run_fast(op, {x, dy});
  EXPECT_EQ(fast.name, "simd.conv2d_weight_gradient");
  EXPECT_EQ(fast.outputs[0].dims(), (Dims{6, 2, 3, 3}));
  EXPECT_TRUE(close(fast.outputs[0], run(op, {x, dy}), 1e-5));
}

}  // namespace
}  // namespace onemodel::test
