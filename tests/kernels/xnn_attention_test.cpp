#include "kernels/xnn/attention.h"

#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {
namespace {

using Floats = std::vector<float>;
constexpr double kTolerance = 2e-6;

// The definition, in double.
std::vector<double> reference(const Attention& p, const Floats& q, const Floats& k, const Floats& v, const Floats& mask,
                              size_t size) {
  std::vector<double> y(size);
  const auto at = [](const Floats& x, int64_t i) { return double{x[static_cast<size_t>(i)]}; };
  for (const Attention::Block& block : p.blocks)
    for (int64_t r = 0; r < p.rows; ++r) {
      std::vector<double> weights;
      double highest = -INFINITY, total = 0;
      for (int64_t c = 0; c < p.keys; ++c) {
        double sum = 0;
        for (int64_t i = 0; i < p.depth; ++i)
          sum +=
              at(q, block.q + r * p.q_row + i) * at(k, block.k + (p.transposed_k ? i * p.k_row + c : c * p.k_row + i));
        sum *= double{p.scale};
        if (p.mask != Attention::none) {
          const double m = at(mask, block.mask + r * p.mask_row + c * p.mask_column);
          sum = p.mask == Attention::added ? sum + m : m != 0 ? sum : double{p.fill};
        }
        weights.push_back(sum);
        if (sum > highest || std::isnan(sum)) highest = sum;
        if (std::isnan(highest)) break;
      }
      weights.resize(static_cast<size_t>(p.keys), NAN);
      for (double& w : weights) total += w = std::exp(w - highest);
      for (int64_t i = 0; i < p.width; ++i) {
        double sum = 0;
        for (int64_t c = 0; c < p.keys; ++c)
          sum += weights[static_cast<size_t>(c)] / total * at(v, block.v + c * p.v_row + i);
        y[static_cast<size_t>(block.y + r * p.y_row + i)] = sum;
      }
    }
  return y;
}

// As reference, through the kernel; the mask's bytes where it chooses.
void check(const Attention& p, const std::vector<Floats>& inputs, size_t size) {
  SCOPED_TRACE(concat(p.blocks.size(), " x ", p.rows, "x", p.keys, " of ", p.depth, ", ", p.width,
                      p.transposed_k ? " transposed" : "", " mask ", int{p.mask}));
  const auto expected = reference(p, inputs[0], inputs[1], inputs[2], inputs.size() > 3 ? inputs[3] : Floats(), size);
  std::string refusal;
  PreparedPtr kernel = attention(p, refusal);
  ASSERT_TRUE(kernel) << refusal;
  std::vector<Floats> given = inputs;
  if (p.mask == Attention::chosen) {
    const std::vector<uint8_t> bytes(inputs[3].begin(), inputs[3].end());
    given[3].assign(bytes.size() / sizeof(float) + 1, 0);
    std::memcpy(given[3].data(), bytes.data(), bytes.size());
  }
  expect_close(run_kernel(*kernel, given, size), expected, kTolerance);
}

// Blocks one behind the other.
Attention dense(int64_t blocks, int64_t rows, int64_t keys, int64_t depth, int64_t width) {
  Attention p{.rows = rows,
              .keys = keys,
              .depth = depth,
              .width = width,
              .scale = 0.3f,
              .q_row = depth,
              .k_row = depth,
              .v_row = width,
              .y_row = width,
              .blocks = {}};
  for (int64_t i = 0; i < blocks; ++i)
    p.blocks.push_back({i * rows * depth, i * keys * depth, i * keys * width, 0, i * rows * width});
  return p;
}

std::vector<Floats> operands(const Attention& p) {
  const auto blocks = static_cast<int64_t>(p.blocks.size());
  return {random_floats(blocks * p.rows * p.depth, 1, -2, 2), random_floats(blocks * p.keys * p.depth, 2, -2, 2),
          random_floats(blocks * p.keys * p.width, 3)};
}

size_t result_size(const Attention& p) { return p.blocks.size() * static_cast<size_t>(p.rows * p.width); }

TEST(Attention, OfEverySize) {
  with_threads([] {
    for (int64_t rows : {1, 5, 6, 9, 261})
      for (int64_t keys : {1, 7, 128, 261})
        for (int64_t width : {1, 8, 67}) {
          const Attention p = dense(2, rows, keys, 13, width);
          check(p, operands(p), result_size(p));
        }
    const Attention p = dense(7, 64, 64, 64, 64);
    check(p, operands(p), result_size(p));
  });
}

TEST(Attention, OfTransposedKeys) {
  for (int64_t rows : {2, 11})
    for (int64_t keys : {5, 131}) {
      Attention p = dense(2, rows, keys, 6, 9);
      p.transposed_k = true;
      p.k_row = keys;
      check(p, operands(p), result_size(p));
    }
}

TEST(Attention, OfHeadsSideBySide) {
  for (int64_t rows : {2, 21}) {
    constexpr int64_t kHeads = 3, kDepth = 4, kWidth = 10, kKeys = 140;
    Attention p = dense(0, rows, kKeys, kDepth, kWidth);
    p.q_row = p.k_row = kHeads * kDepth;
    p.v_row = p.y_row = kHeads * kWidth;
    for (int64_t h = 0; h < kHeads; ++h) p.blocks.push_back({h * kDepth, h * kDepth, h * kWidth, 0, h * kWidth});
    check(p, operands(p), result_size(p));
  }
}

TEST(Attention, Masks) {
  for (Attention::Mask kind : {Attention::added, Attention::chosen})
    for (int64_t rows : {2, 21})
      for (const auto& [row, column] : {std::pair<int64_t, int64_t>{0, 0}, {0, 1}, {1, 0}, {150, 1}})
        for (float fill : {-kInf, -1e9f}) {
          Attention p = dense(2, rows, 150, 6, 9);
          p.mask = kind, p.fill = fill, p.mask_row = row, p.mask_column = column;
          const int64_t size = rows * (column ? 150 : 1);
          p.blocks[1].mask = row ? size : 0;
          auto inputs = operands(p);
          inputs.push_back(random_floats(2 * size, 4, -3, 3));
          if (kind == Attention::chosen)
            for (float& m : inputs[3]) m = m > 0 ? 1 : 0;
          check(p, inputs, result_size(p));
        }
}

TEST(Attention, RowsOfNothingAndNaN) {
  for (int64_t rows : {3, 9}) {
    Attention p = dense(2, rows, 270, 6, 9);
    p.mask = Attention::added, p.mask_row = 270, p.mask_column = 1;
    auto inputs = operands(p);
    inputs.emplace_back(static_cast<size_t>(rows * 270));
    std::fill_n(inputs[3].begin(), 270, -kInf);        // the first row sees no key
    std::fill_n(inputs[3].begin() + 270, 200, -kInf);  // the second only late ones
    inputs[0][2 * 6] = kNan;                           // the third, of the first block
    check(p, inputs, result_size(p));
  }
}

TEST(Attention, RefusesEmptySizes) {
  const auto make = [](const Attention& p) {
    return refusal_of([&](std::string& refusal) { return attention(p, refusal); });
  };
  EXPECT_EQ(make(dense(0, 2, 2, 2, 2)), "a size is zero");
  EXPECT_EQ(make(dense(1, 2, 0, 2, 2)), "a size is zero");
}

}  // namespace
}  // namespace onemodel::kernels::xnn
