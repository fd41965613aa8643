#include "kernels/xnn/conv.h"

#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {
namespace {

using Floats = std::vector<float>;
constexpr double kTolerance = 5e-6;

/// Calls `f(x index, weight index, y index)` for every multiplication of the convolution.
template <class F>
void each_product(const Conv2d& p, const F& f) {
  const int64_t in = p.c / p.groups, out = p.m / p.groups;
  for (int64_t n = 0; n < p.n; ++n)
    for (int64_t m = 0; m < p.m; ++m)
      for (int64_t i = 0; i < p.out_h(); ++i)
        for (int64_t j = 0; j < p.out_w(); ++j)
          for (int64_t c = 0; c < in; ++c)
            for (int64_t a = 0; a < p.kernel_h; ++a)
              for (int64_t b = 0; b < p.kernel_w; ++b) {
                const int64_t y = i * p.stride_h + a * p.dilation_h - p.pad_top;
                const int64_t x = j * p.stride_w + b * p.dilation_w - p.pad_left;
                if (y < 0 || y >= p.h || x < 0 || x >= p.w) continue;
                f(((n * p.c + m / out * in + c) * p.h + y) * p.w + x, ((m * in + c) * p.kernel_h + a) * p.kernel_w + b,
                  ((n * p.m + m) * p.out_h() + i) * p.out_w() + j);
              }
}

int64_t x_size(const Conv2d& p) { return p.n * p.c * p.h * p.w; }
int64_t y_size(const Conv2d& p) { return p.n * p.m * p.out_h() * p.out_w(); }
int64_t weight_size(const Conv2d& p) { return p.m * (p.c / p.groups) * p.kernel_h * p.kernel_w; }

template <class T>
std::vector<T> to_nhwc(const std::vector<T>& x, int64_t n, int64_t c, int64_t plane) {
  std::vector<T> y(x.size());
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < c; ++j)
      for (int64_t k = 0; k < plane; ++k) y[size_t((i * plane + k) * c + j)] = x[size_t((i * c + j) * plane + k)];
  return y;
}

/// Refused in NHWC.
bool scales_channels(const Conv2d& p) {
  return p.kernel_h * p.kernel_w == 1 && p.groups > 1 && p.c == p.groups && p.m == p.groups;
}

std::string describe(const Conv2d& p) {
  return concat("x [", p.n, ", ", p.c, ", ", p.h, ", ", p.w, "] to ", p.m, " by ", p.kernel_h, "x", p.kernel_w,
                ", stride ", p.stride_h, " ", p.stride_w, ", dilation ", p.dilation_h, " ", p.dilation_w, ", pads ",
                p.pad_top, " ", p.pad_left, " ", p.pad_bottom, " ", p.pad_right, ", groups ", p.groups);
}

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

// Odd sizes, channels that are no multiple of 8, several blocks of tiles.
const Conv2d kWinogradCases[] = {
    {.n = 2,
     .c = 16,
     .h = 9,
     .w = 11,
     .m = 20,
     .kernel_h = 3,
     .kernel_w = 3,
     .pad_top = 1,
     .pad_left = 1,
     .pad_bottom = 1,
     .pad_right = 1},
    {.n = 1, .c = 19, .h = 12, .w = 14, .m = 17, .kernel_h = 3, .kernel_w = 3, .pad_left = 1, .pad_bottom = 1},
    {.n = 3, .c = 24, .h = 24, .w = 25, .m = 24, .kernel_h = 3, .kernel_w = 3},
};

struct Data {
  explicit Data(const Conv2d& p)
      : x(random_floats(x_size(p), 1)),
        w(random_floats(weight_size(p), 2)),
        bias(random_floats(p.m, 3)),
        dy(random_floats(y_size(p), 4)) {}
  Floats x, w, bias, dy;

  std::vector<double> convolve(const Conv2d& p, bool with_bias) const {
    std::vector<double> y(dy.size());
    each_product(p, [&](auto i, auto j, auto k) { y[size_t(k)] += double{x[size_t(i)]} * double{w[size_t(j)]}; });
    const size_t plane = size_t(p.out_h() * p.out_w());
    for (size_t i = 0; i < y.size(); ++i) {
      if (with_bias) y[i] += double{bias[i / plane % size_t(p.m)]};
      y[i] = std::min(std::max(y[i], double{p.min}), double{p.max});
    }
    return y;
  }
};

void check_constant(const Conv2d& p, bool with_bias) {
  SCOPED_TRACE(describe(p));
  const Data data(p);
  const auto make = [&](std::string& refusal) {
    Floats w = data.w, bias = data.bias;  // gone before the run
    return conv2d(p, w.data(), with_bias ? bias.data() : nullptr, refusal);
  };
  std::vector<double> y = data.convolve(p, with_bias);
  if (p.nhwc_output) y = to_nhwc(y, p.n, p.m, p.out_h() * p.out_w());
  check_kernel(make, {p.nhwc_input ? to_nhwc(data.x, p.n, p.c, p.h * p.w) : data.x}, y, kTolerance);
}

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

TEST(XnnConv2d, MatchesTheDefinitionByWinogradsMethod) {
  with_threads([] {
    for (Conv2d p : kWinogradCases) {
      check_constant(p, false);
      for (int flags = 0; flags < 4; ++flags) {
        p.nhwc_input = (flags & 1) != 0;
        p.nhwc_output = (flags & 2) != 0;
        check_constant(p, true);
      }
      p.min = 0;
      p.max = 0.5f;
      check_constant(p, true);
    }
  });
}

TEST(XnnConv2d, SpreadsNanToItsTileOnlyByWinogradsMethod) {
  const Conv2d& p = kWinogradCases[0];
  Data data(p);
  data.x[0] = kNan;  // one of the first 4x4 patch, and of no other
  std::string refusal;
  const PreparedPtr kernel = conv2d(p, data.w.data(), nullptr, refusal);
  const Floats y = run_kernel<float>(*kernel, {data.x}, data.dy.size());
  for (int64_t m = 0; m < p.m; ++m)
    for (int64_t i = 0; i < p.h * p.w; ++i)
      EXPECT_EQ(std::isnan(y[size_t(m * p.h * p.w + i)]), i / p.w < 2 && i % p.w < 2) << m << " " << i;
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
