#include "kernels/xnn/conv.h"

#include "kernels/xnn_conv_support.h"

namespace onemodel::kernels::xnn {
namespace {

const Conv2d kCases[] = {
    {.n = 1, .c = 1, .h = 1, .w = 1, .m = 1, .kernel_h = 1, .kernel_w = 1},
    {.n = 2, .c = 3, .h = 5, .w = 7, .m = 4, .kernel_h = 1, .kernel_w = 1},
    {.n = 3, .c = 5, .h = 1, .w = 1, .m = 7, .kernel_h = 1, .kernel_w = 1},
    {.n = 2, .c = 3, .h = 9, .w = 8, .m = 5, .kernel_h = 1, .kernel_w = 1, .stride_h = 2, .stride_w = 3},
    {.n = 1,
     .c = 3,
     .h = 11,
     .w = 13,
     .m = 8,
     .kernel_h = 3,
     .kernel_w = 3,
     .pad_top = 1,
     .pad_left = 1,
     .pad_bottom = 1,
     .pad_right = 1},
    {.n = 2,
     .c = 4,
     .h = 10,
     .w = 9,
     .m = 6,
     .kernel_h = 3,
     .kernel_w = 5,
     .stride_h = 2,
     .stride_w = 2,
     .pad_top = 0,
     .pad_left = 3,
     .pad_bottom = 2,
     .pad_right = 1},
    {.n = 1,
     .c = 4,
     .h = 12,
     .w = 15,
     .m = 4,
     .kernel_h = 3,
     .kernel_w = 2,
     .dilation_h = 2,
     .dilation_w = 3,
     .pad_top = 2,
     .pad_left = 1,
     .pad_bottom = 0,
     .pad_right = 4},
    {.n = 2,
     .c = 6,
     .h = 7,
     .w = 7,
     .m = 9,
     .kernel_h = 3,
     .kernel_w = 3,
     .pad_top = 1,
     .pad_left = 0,
     .pad_bottom = 0,
     .pad_right = 1,
     .groups = 3},
    {.n = 1, .c = 4, .h = 6, .w = 5, .m = 8, .kernel_h = 1, .kernel_w = 1, .groups = 2},
    {.n = 1,
     .c = 2,
     .h = 1,
     .w = 50,
     .m = 3,
     .kernel_h = 1,
     .kernel_w = 7,
     .stride_w = 2,
     .pad_left = 3,
     .pad_right = 3},
    {.n = 1, .c = 2, .h = 5, .w = 5, .m = 3, .kernel_h = 5, .kernel_w = 5},
    {.n = 1,
     .c = 2,
     .h = 2,
     .w = 2,
     .m = 3,
     .kernel_h = 3,
     .kernel_w = 3,
     .pad_top = 4,
     .pad_left = 3,
     .pad_bottom = 2,
     .pad_right = 5},  // some outputs see padding alone
    {.n = 2,
     .c = 5,
     .h = 19,
     .w = 37,
     .m = 5,
     .kernel_h = 3,
     .kernel_w = 3,
     .pad_top = 1,
     .pad_left = 1,
     .pad_bottom = 1,
     .pad_right = 1,
     .groups = 5},
    {.n = 1,
     .c = 3,
     .h = 20,
     .w = 33,
     .m = 6,
     .kernel_h = 5,
     .kernel_w = 5,
     .stride_h = 2,
     .stride_w = 2,
     .pad_top = 2,
     .pad_left = 1,
     .pad_bottom = 0,
     .pad_right = 2,
     .groups = 3},
    {.n = 1,
     .c = 4,
     .h = 7,
     .w = 7,
     .m = 4,
     .kernel_h = 3,
     .kernel_w = 3,
     .stride_h = 2,
     .stride_w = 2,
     .pad_top = 0,
     .pad_left = 0,
     .pad_bottom = 1,
     .pad_right = 1,
     .groups = 4},
    {.n = 1,
     .c = 2,
     .h = 9,
     .w = 40,
     .m = 4,
     .kernel_h = 2,
     .kernel_w = 4,
     .stride_h = 1,
     .stride_w = 3,
     .dilation_h = 3,
     .dilation_w = 2,
     .pad_top = 2,
     .pad_left = 5,
     .pad_bottom = 1,
     .pad_right = 0,
     .groups = 2},
    {.n = 1,
     .c = 3,
     .h = 8,
     .w = 21,
     .m = 3,
     .kernel_h = 5,
     .kernel_w = 5,
     .pad_top = 2,
     .pad_left = 2,
     .pad_bottom = 2,
     .pad_right = 2,
     .groups = 3},
    {.n = 1,
     .c = 2,
     .h = 6,
     .w = 20,
     .m = 2,
     .kernel_h = 3,
     .kernel_w = 3,
     .dilation_h = 2,
     .dilation_w = 2,
     .pad_top = 2,
     .pad_left = 2,
     .pad_bottom = 2,
     .pad_right = 2,
     .groups = 2},
    {.n = 2, .c = 3, .h = 5, .w = 9, .m = 3, .kernel_h = 1, .kernel_w = 1, .groups = 3},
};

TEST(XnnConv2d, MatchesTheDefinition) {
  with_threads([] {
    for (const Conv2d& p : kCases)
      for (bool bias : {false, true}) check_constant(p, bias);
  });
}

TEST(XnnConv2d, TakesAndGivesNhwc) {
  for (Conv2d p : kCases)
    for (int flags = 1; flags < 4; ++flags) {
      p.nhwc_input = (flags & 1) != 0;
      p.nhwc_output = (flags & 2) != 0;
      if (!scales_channels(p)) check_constant(p, true);
    }
}

TEST(XnnConv2d, Clamps) {
  for (Conv2d p : kCases) {
    p.min = 0;
    check_constant(p, true);
    p.max = 0.5f;
    check_constant(p, false);
  }
}

TEST(XnnConv2d, KeepsNanThroughTheClamp) {
  for (Conv2d p : kCases)
    for (float nan : {kNan, -kNan})
      for (bool nhwc : {false, true}) {
        if (nhwc && scales_channels(p)) continue;
        SCOPED_TRACE(describe(p));
        p.nhwc_input = p.nhwc_output = nhwc;
        p.min = 0;
        p.max = 6;
        Data data(p);
        data.x.assign(data.x.size(), nan);
        std::string refusal;
        PreparedPtr kernel = conv2d(p, data.w.data(), nullptr, refusal);
        ASSERT_TRUE(kernel) << refusal;
        std::vector<bool> sees_input(data.dy.size());
        each_product(p, [&](auto, auto, auto k) { sees_input[size_t(k)] = true; });
        if (nhwc) sees_input = to_nhwc(sees_input, p.n, p.m, p.out_h() * p.out_w());
        const Floats y = run_kernel<float>(*kernel, {data.x}, data.dy.size());
        for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), sees_input[i]) << "at " << i << ": " << y[i];
      }
}

TEST(XnnConv2dDynamic, MatchesTheDefinition) {
  with_threads([] {
    for (Conv2d p : kCases)
      for (bool bias : {false, true}) {
        SCOPED_TRACE(describe(p));
        p.max = bias ? 0.75f : kInf;
        const Data data(p);
        std::vector<Floats> inputs = {data.x, data.w};
        if (bias) inputs.push_back(data.bias);
        check_kernel([&](std::string& refusal) { return conv2d_dynamic(p, bias, refusal); }, inputs,
                     data.convolve(p, bias), kTolerance);
      }
  });
}

TEST(XnnConv2dGradient, MatchesTheDefinition) {
  with_threads([] {
    for (const Conv2d& p : kCases) {
      SCOPED_TRACE(describe(p));
      const Data data(p);
      std::vector<double> dx(data.x.size()), dw(data.w.size());
      each_product(p, [&](auto i, auto j, auto k) {
        dx[size_t(i)] += double{data.dy[size_t(k)]} * double{data.w[size_t(j)]};
        dw[size_t(j)] += double{data.dy[size_t(k)]} * double{data.x[size_t(i)]};
      });
      check_kernel([&](std::string& refusal) { return conv2d_input_gradient(p, refusal); }, {data.dy, data.w}, dx,
                   kTolerance);
      check_kernel([&](std::string& refusal) { return conv2d_weight_gradient(p, refusal); }, {data.x, data.dy}, dw,
                   kTolerance);
    }
  });
}

TEST(XnnConv2d, RefusesWithAReason) {
  const Conv2d good{.n = 1, .c = 4, .h = 5, .w = 5, .m = 4, .kernel_h = 3, .kernel_w = 3};
  const Floats w(1000);
  const auto refused = [&](auto change) {
    Conv2d p = good;
    change(p);
    const std::string reason = refusal_of([&](auto& r) { return conv2d(p, w.data(), nullptr, r); });
    EXPECT_EQ(refusal_of([&](auto& r) { return conv2d_dynamic(p, false, r); }), reason);
    EXPECT_EQ(refusal_of([&](auto& r) { return conv2d_input_gradient(p, r); }), reason);
    EXPECT_EQ(refusal_of([&](auto& r) { return conv2d_weight_gradient(p, r); }), reason);
    return reason;
  };
  EXPECT_EQ(refused([](Conv2d& p) { p.n = 0; }), "a size is zero");
  EXPECT_EQ(refused([](Conv2d& p) { p.stride_w = 0; }), "a stride or dilation is not positive");
  EXPECT_EQ(refused([](Conv2d& p) { p.pad_left = -1; }), "a padding is negative");
  EXPECT_EQ(refused([](Conv2d& p) { p.groups = 3; }), "3 groups do not divide 4 and 4 channels");
  EXPECT_EQ(refused([](Conv2d& p) { p.dilation_h = 3; }), "the kernel is larger than the padded input");
  EXPECT_EQ(refused([](Conv2d& p) { p.min = 2, p.max = 1; }), "the clamp's range is empty");
}

TEST(XnnConv2d, RefusesNhwcWhereItIsNotOffered) {
  Conv2d p{.n = 1, .c = 4, .h = 5, .w = 5, .m = 4, .kernel_h = 3, .kernel_w = 3, .nhwc_input = true};
  EXPECT_EQ(refusal_of([&](auto& r) { return conv2d_dynamic(p, false, r); }), "the product of columns is NCHW");
  EXPECT_EQ(refusal_of([&](auto& r) { return conv2d_input_gradient(p, r); }), "gradients are NCHW");
  p.groups = 4;
  const Floats w(100);
  Conv2d scale{.n = 1, .c = 4, .h = 5, .w = 5, .m = 4, .kernel_h = 1, .kernel_w = 1, .groups = 4, .nhwc_output = true};
  EXPECT_EQ(refusal_of([&](auto& r) { return conv2d(scale, w.data(), nullptr, r); }),
            "XNNPACK's product by channel turns NaN into infinity");
  EXPECT_EQ(refusal_of([&](auto& r) { return conv2d_dynamic(p, false, r); }), "the direct depthwise loop is NCHW");
}

}  // namespace
}  // namespace onemodel::kernels::xnn
