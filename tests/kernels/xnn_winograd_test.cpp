// Convolutions by Winograd's method.

#include "kernels/xnn_conv_support.h"

namespace onemodel::kernels::xnn {
namespace {

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

}  // namespace
}  // namespace onemodel::kernels::xnn
