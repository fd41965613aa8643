#include <vector>

#include "kernels/xnn/matmul.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/packed_tile.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

// A panel of b stays in the first cache while a block of rows passes it, and the rows in the second. Each block of the
// depth reads and writes all of c: 256 instead of 512 takes 6 % longer for matrices of 512 by 512.
constexpr size_t kDepth = 512;
constexpr size_t kRows = 192;
static_assert(kRows % kPanelRows == 0);

constexpr size_t parts(size_t size, size_t block) { return (size + block - 1) / block; }

class PackedProduct : public Prepared {
 public:
  PackedProduct(const FullyConnected& p, const float* b, const float* bias)
      : p_(p), panels_(to_size(p.n)), packed_(to_size(p.k) * panels_.packed()) {
    if (bias) bias_.assign(bias, bias + p.n);
    for (size_t i = 0; i < blocks(); ++i) {
      float* to = packed_.data() + begin(i) * panels_.packed();
      if (p.transposed_b)
        pack_lines(b + begin(i), to_size(p.k), panels_, begin(i + 1) - begin(i), to);
      else
        pack_rows(b + begin(i) * to_size(p.n), to_size(p.n), panels_, begin(i + 1) - begin(i), to);
    }
  }

  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    const size_t m = to_size(p_.m);
    const int64_t work = p_.m * p_.k * p_.n;
    const size_t threads = work < 2 * kThreadWork ? 1 : thread_pool().threads();
    size_t rows = kRows, panels = panels_.count();
    while (threads > 1 && parts(m, rows) * parts(panels_.count(), panels) < 3 * threads) {
      if (rows > 2 * kPanelRows && m > rows / 2)
        rows = parts(rows, 2 * kPanelRows) * kPanelRows;
      else if (panels > 1)
        panels = parts(panels, 2);
      else
        break;
    }
    const size_t down = parts(m, rows), tasks = down * parts(panels_.count(), panels);
    const auto body = [&](size_t first, size_t last) {
      for (size_t task = first; task < last; ++task) {
        const size_t row = task % down * rows, panel = task / down * panels;
        multiply(input_f32(inputs, 0), output_f32(outputs), row, std::min(rows, m - row), panel,
                 std::min(panel + panels, panels_.count()));
      }
    };
    parallel(tasks, to_size(kThreadWork * static_cast<int64_t>(tasks) / work + 1), body);
  }

 private:
  size_t blocks() const { return parts(to_size(p_.k), kDepth); }
  size_t begin(size_t block) const { return block * to_size(p_.k) / blocks(); }

  void multiply(const float* a, float* c, size_t row, size_t rows, size_t first, size_t last) const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < blocks(); ++i) {
      const bool finished = i + 1 == blocks();
      const PanelProduct product{.rows = rows,
                                 .depth = begin(i + 1) - begin(i),
                                 .a = a + row * to_size(p_.k) + begin(i),
                                 .a_stride = to_size(p_.k),
                                 .b = packed_.data() + begin(i) * panels_.packed(),
                                 .c = c + row * to_size(p_.n),
                                 .c_stride = to_size(p_.n),
                                 .accumulate = i > 0,
                                 .bias = finished && !bias_.empty() ? bias_.data() : nullptr,
                                 .min = finished ? p_.min : -kInfinity,
                                 .max = finished ? p_.max : kInfinity};
      multiply_panels(product, panels_, first, last);
    }
  }

  FullyConnected p_;
  Panels panels_;
  std::vector<float> packed_, bias_;  // packed: [block of the depth][panel][depth][column]
};

}  // namespace

PreparedPtr packed_product(const FullyConnected& p, const float* b, const float* bias) {
  return std::make_unique<PackedProduct>(p, b, bias);
}

}  // namespace onemodel::kernels::xnn
