#include "ops/window.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/conv.h"
#include "ops/conv_transpose.h"
#include "ops/pool.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch"), h = Extent::symbol("h", 32), w = Extent::symbol("w", 20);

std::string conv(const Conv& op, const Extent& height, int64_t kernel) {
  const Shape out = Inference(op).input({batch, 3, height, w}).input({8, 3, kernel, 1}).shape();
  EXPECT_EQ(out[0], batch);
  EXPECT_EQ(out[1], Extent(8));
  return concat(out[2]);
}

TEST(WindowExtents, KeepTheNameOfAnUnchangedSize) {
  EXPECT_EQ(conv({.pads = {1, 0, 1, 0}}, h, 3), "h");
  EXPECT_EQ(conv({.auto_pad = "SAME_UPPER"}, h, 5), "h");
  EXPECT_EQ(conv({.dilations = {2, 1}, .pads = {2, 0, 2, 0}}, h, 3), "h");
  EXPECT_EQ(conv({}, h, 1), "h");
}

TEST(WindowExtents, NameASizeByItsFormula) {
  EXPECT_EQ(conv({}, h, 3), "h - 2");
  EXPECT_EQ(conv({.pads = {2, 0, 2, 0}}, h, 3), "h + 2");
  EXPECT_EQ(conv({.pads = {1, 0, 1, 0}, .strides = {2, 1}}, h, 3), "floor((h + 1) / 2)");
  EXPECT_EQ(conv({.strides = {2, 1}}, h, 2), "floor(h / 2)");
}

TEST(WindowExtents, GiveEqualSizesOneName) {
  const std::string half = conv({.pads = {1, 0, 1, 0}, .strides = {2, 1}}, h, 3);
  EXPECT_EQ(conv({.auto_pad = "SAME_UPPER", .strides = {2, 1}}, h, 3), half);
  EXPECT_EQ(conv({.strides = {2, 1}}, h, 1), half);
  EXPECT_EQ(conv({.pads = {2, 0, 2, 0}, .strides = {2, 1}}, h, 5), half);
}

TEST(WindowExtents, DivideMultiplesExactly) {
  EXPECT_EQ(conv({.pads = {1, 0, 1, 0}, .strides = {2, 1}}, h * 2, 3), "h");
  EXPECT_EQ(conv({.strides = {2, 1}}, h * 2, 2), "h");
  EXPECT_EQ(Inference(ConvTranspose{.pads = {1, 1, 1, 1}, .strides = {2, 2}})
                .input({batch, 8, h, w})
                .input({8, 3, 4, 4})
                .text(),
            "[batch, 3, 2*h, 2*w]");
}

TEST(WindowExtents, KnowTheSizeOfTheExample) {
  const Shape out =
      Inference(Conv{.pads = {1, 1, 1, 1}, .strides = {2, 3}}).input({2, 3, h, w}).input({8, 3, 3, 3}).shape();
  EXPECT_EQ(out.example(), (Dims{2, 8, 16, 7}));
}

// Expected sizes by the rule in words: slide while the window starts inside the input or the padding before it, and,
// without ceil_mode, while it also ends inside the padded input.
int64_t count_by_sliding(int64_t size, int64_t kernel, int64_t stride, int64_t dilation, int64_t begin, int64_t end,
                         bool ceil) {
  const int64_t span = dilation * (kernel - 1) + 1;
  int64_t count = 0;
  for (int64_t start = -begin;; start += stride) {
    const bool ends_inside = start + span <= size + end;
    const bool reached_by_rounding = start - stride + span < size + end && start < size;
    if (!(ends_inside || (ceil && reached_by_rounding))) return count;
    if (ceil && start >= size) return count;
    ++count;
  }
}

TEST(WindowExtents, CountWindowsInBothRoundings) {
  for (int64_t size = 3; size < 12; ++size)
    for (int64_t kernel : {1, 2, 3})
      for (int64_t stride : {1, 2, 3, 4})
        for (int64_t dilation : {1, 2})
          for (int64_t begin : {0, 1})
            for (int64_t end : {0, 1})
              for (bool ceil : {false, true}) {
                const int64_t expected = count_by_sliding(size, kernel, stride, dilation, begin, end, ceil);
                if (expected < 1) continue;
                const MaxPool pool{.ceil_mode = ceil,
                                   .dilations = {dilation},
                                   .kernel_shape = {kernel},
                                   .pads = {begin, end},
                                   .strides = {stride}};
                const Shape shape = Inference(pool).input({1, 1, size}).shape();
                EXPECT_EQ(shape[2], Extent(expected))
                    << concat("size ", size, ", kernel ", kernel, ", stride ", stride, ", dilation ", dilation,
                              ", pads ", begin, " ", end, ", ceil ", ceil);
                const Shape symbolic = Inference(pool).input({1, 1, Extent::symbol("n", size)}).shape();
                EXPECT_EQ(symbolic[2].example(), expected) << concat(symbolic);
              }
}

TEST(WindowExtents, RefuseNumbersThatCouldOverflow) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  const auto error = [](const MaxPool& pool) { return Inference(pool).input({1, 1, 9}).error(); };
  EXPECT_EQ(error({.kernel_shape = {1}, .pads = {huge, huge}}),
            "ArgumentError: MaxPool: pads expects numbers of at most 2147483647, got 9223372036854775807");
  EXPECT_EQ(error({.kernel_shape = {huge}}),
            "ArgumentError: MaxPool: kernel_shape expects numbers of at most 2147483647, got 9223372036854775807");
  const int64_t large = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(error({.dilations = {large}, .kernel_shape = {large}, .pads = {large, large}, .strides = {large}}),
            "ShapeError: MaxPool: a window that spans 4611686011984936963 does not fit axis 2 of size 9, padded by "
            "2147483647 and 2147483647");
}

TEST(WindowPadding, SplitsSamePaddingEvenly) {
  const std::vector<int64_t> strides{2};
  const auto window = [&](std::string_view mode, int64_t size, int64_t kernel) {
    return concrete_window({.auto_pad = mode, .strides = strides}, {size}, {kernel});
  };
  EXPECT_EQ(onnx_pads(window("SAME_UPPER", 6, 3)), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(onnx_pads(window("SAME_LOWER", 6, 3)), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(onnx_pads(window("SAME_UPPER", 5, 3)), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(onnx_pads(window("SAME_UPPER", 6, 1)), (std::vector<int64_t>{0, 0}));
}

}  // namespace
}  // namespace onemodel::test
