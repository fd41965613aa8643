#include "kernels/xnn/pool.h"

#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {
namespace {

using Floats = std::vector<float>;

/// `average` or maximum over the taps inside x; the average divides by the taps inside x or inside the padded x.
std::vector<double> pooled(const Pool2d& p, const Floats& x, bool average) {
  std::vector<double> y;
  for (int64_t plane = 0; plane < p.n * p.c; ++plane)
    for (int64_t i = 0; i < p.out_h; ++i)
      for (int64_t j = 0; j < p.out_w; ++j) {
        double sum = 0, best = -std::numeric_limits<double>::infinity();
        int64_t inside = 0, padded = 0;
        for (int64_t a = 0; a < p.kernel_h; ++a)
          for (int64_t b = 0; b < p.kernel_w; ++b) {
            const int64_t r = i * p.stride_h + a * p.dilation_h - p.pad_top;
            const int64_t c = j * p.stride_w + b * p.dilation_w - p.pad_left;
            padded += r < p.h + p.pad_bottom && c < p.w + p.pad_right;
            if (r < 0 || c < 0 || r >= p.h || c >= p.w) continue;
            ++inside;
            const double v = double{x[size_t((plane * p.h + r) * p.w + c)]};
            sum += v;
            best = std::isnan(v) || std::isnan(best) ? kNan : std::max(best, v);
          }
        y.push_back(average ? sum / static_cast<double>(p.count_include_pad ? padded : inside) : best);
      }
  return y;
}

const Pool2d kCases[] = {
    {.n = 1, .c = 1, .h = 1, .w = 1, .out_h = 1, .out_w = 1, .kernel_h = 1, .kernel_w = 1},
    {.n = 2,
     .c = 3,
     .h = 8,
     .w = 10,
     .out_h = 4,
     .out_w = 5,
     .kernel_h = 2,
     .kernel_w = 2,
     .stride_h = 2,
     .stride_w = 2},
    {.n = 1,
     .c = 5,
     .h = 11,
     .w = 37,
     .out_h = 6,
     .out_w = 19,
     .kernel_h = 3,
     .kernel_w = 3,
     .stride_h = 2,
     .stride_w = 2,
     .pad_top = 1,
     .pad_left = 1,
     .pad_bottom = 1,
     .pad_right = 1},
    {.n = 1,
     .c = 2,
     .h = 9,
     .w = 33,
     .out_h = 9,
     .out_w = 33,
     .kernel_h = 3,
     .kernel_w = 5,
     .pad_top = 1,
     .pad_left = 2,
     .pad_bottom = 1,
     .pad_right = 2},
    {.n = 1,
     .c = 20,
     .h = 10,
     .w = 50,
     .out_h = 3,
     .out_w = 16,
     .kernel_h = 4,
     .kernel_w = 3,
     .stride_h = 3,
     .stride_w = 3,
     .pad_top = 0,
     .pad_left = 2,
     .pad_bottom = 1,
     .pad_right = 0},
    {.n = 1,
     .c = 2,
     .h = 12,
     .w = 13,
     .out_h = 8,
     .out_w = 11,
     .kernel_h = 3,
     .kernel_w = 2,
     .dilation_h = 2,
     .dilation_w = 3,
     .pad_top = 0,
     .pad_left = 1,
     .pad_bottom = 0,
     .pad_right = 0},
    // rounded up: the last windows reach behind the padding
    {.n = 1,
     .c = 2,
     .h = 7,
     .w = 8,
     .out_h = 4,
     .out_w = 4,
     .kernel_h = 3,
     .kernel_w = 3,
     .stride_h = 2,
     .stride_w = 2,
     .pad_top = 0,
     .pad_left = 1,
     .pad_bottom = 0,
     .pad_right = 0},
    {.n = 1,
     .c = 3,
     .h = 1,
     .w = 100,
     .out_h = 1,
     .out_w = 34,
     .kernel_h = 1,
     .kernel_w = 4,
     .stride_w = 3,
     .pad_left = 1,
     .pad_right = 2},
};

TEST(XnnMaxPool, MatchesTheDefinition) {
  with_threads([] {
    for (const Pool2d& p : kCases) {
      const Floats x = random_floats(p.n * p.c * p.h * p.w, 1, -2, -1);  // below the padding, were it zero
      check_kernel([&](std::string& refusal) { return max_pool(p, refusal); }, {x}, pooled(p, x, false), 0);
    }
  });
}

TEST(XnnMaxPool, KeepsNanAndInfinity) {
  for (const Pool2d& p : kCases)
    for (float nan : {kNan, -kNan}) {
      Floats x = random_floats(p.n * p.c * p.h * p.w, 1);
      for (size_t i = 0; i < x.size(); i += 7) x[i] = i % 3 == 0 ? nan : i % 3 == 1 ? kInf : -kInf;
      check_kernel([&](std::string& refusal) { return max_pool(p, refusal); }, {x}, pooled(p, x, false), 0);
    }
}

TEST(XnnAveragePool, MatchesTheDefinition) {
  with_threads([] {
    for (Pool2d p : kCases)
      for (bool include : {false, true}) {
        p.count_include_pad = include;
        const Floats x = random_floats(p.n * p.c * p.h * p.w, 1);
        check_kernel([&](std::string& refusal) { return average_pool(p, refusal); }, {x}, pooled(p, x, true));
      }
  });
}

TEST(XnnGlobalAveragePool, IsTheMeanOfEachPlane) {
  with_threads([] {
    for (auto [planes, size] : {std::pair<int64_t, int64_t>{1, 1}, {3, 7}, {64, 49}, {5, 12544}}) {
      const Floats x = random_floats(planes * size, 1);
      std::vector<double> y(size_t(planes), 0.0);
      for (size_t i = 0; i < x.size(); ++i) y[i / size_t(size)] += double{x[i]} / static_cast<double>(size);
      check_kernel([&](std::string& refusal) { return global_average_pool(planes, size, refusal); }, {x}, y);
    }
  });
}

TEST(XnnPool, RefusesWithAReason) {
  const auto refused = [](auto change) {
    Pool2d p{.n = 1,
             .c = 1,
             .h = 4,
             .w = 4,
             .out_h = 2,
             .out_w = 2,
             .kernel_h = 2,
             .kernel_w = 2,
             .stride_h = 2,
             .stride_w = 2};
    change(p);
    const std::string reason = refusal_of([&](auto& r) { return max_pool(p, r); });
    EXPECT_EQ(refusal_of([&](auto& r) { return average_pool(p, r); }), reason);
    return reason;
  };
  EXPECT_EQ(refused([](Pool2d& p) { p.c = 0; }), "a size is zero");
  EXPECT_EQ(refused([](Pool2d& p) { p.dilation_h = 0; }), "a stride or dilation is not positive");
  EXPECT_EQ(refused([](Pool2d& p) { p.pad_right = -1; }), "a padding is negative");
  EXPECT_EQ(refused([](Pool2d& p) { p.out_h = 3; }), "a window lies in the padding alone");
  EXPECT_EQ(refused([](Pool2d& p) { p.pad_left = 2; }), "a window lies in the padding alone");
}

}  // namespace
}  // namespace onemodel::kernels::xnn
