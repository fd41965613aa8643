#include "kernels/xnn/pool.h"

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/xnn/operator.h"
#include "kernels/xnn/reduce.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

OM_SIMD_BEGIN

/// A running maximum that remembers a NaN.
struct Max {
  static constexpr float kIdentity = -std::numeric_limits<float>::infinity();
  F8 value;
  I8 nan;
  OM_INLINE Max() : value(splat8(kIdentity)), nan{} {}
  OM_INLINE void take(F8 x) {
    value = select(x > value, x, value);
    nan |= x != x;
  }
  OM_INLINE F8 result() const { return select(nan, splat8(std::numeric_limits<float>::quiet_NaN()), value); }
};

struct Sum {
  static constexpr float kIdentity = 0;
  F8 value;
  OM_INLINE Sum() : value{} {}
  OM_INLINE void take(F8 x) { value += x; }
  OM_INLINE F8 result() const { return value; }
};

/// to[i] = the combination of `count` rows, `stride` apart. `kCount`: count where it is known; 0: any.
template <class Op, size_t kCount>
OM_INLINE void combine_rows(const float* x, size_t stride, size_t count, float* to, size_t width) {
  if (kCount) count = kCount;
  for (size_t i = 0; i < width; i += 8) {
    Op op;
    if (i + 8 <= width)
      for (size_t r = 0; r < count; ++r) op.take(load8(x + r * stride + i));
    else
      for (size_t r = 0; r < count; ++r) op.take(load_some(x + r * stride + i, width - i));
    store_some(to + i, op.result(), width - i);
  }
}

/// y[i] = the combination of row[i * stride + k * dilation] for k in [0, kernel), divided by divisors[i] * height.
template <class Op, int kStride, size_t kKernel>
OM_INLINE void combine_columns(const float* row, size_t stride, size_t dilation, size_t kernel, const float* divisors,
                               float height, float* y, size_t outputs) {
  if (kKernel) kernel = kKernel;
  for (size_t i = 0; i < outputs; i += 8) {
    Op op;
    for (size_t k = 0; k < kernel; ++k) op.take(load_strided<kStride>(row + i * stride + k * dilation, stride));
    F8 result = op.result();
    if (divisors) result /= load8(divisors + i) * height;
    store_some(y + i, result, outputs - i);
  }
}

template <class Op>
void pool_rows(const float* x, size_t stride, size_t count, float* to, size_t width) {
  if (count == 2) return combine_rows<Op, 2>(x, stride, 2, to, width);
  combine_rows<Op, 0>(x, stride, count, to, width);
}
template <class Op>
void pool_columns(const float* row, size_t stride, size_t dilation, size_t kernel, const float* divisors, float height,
                  float* y, size_t outputs) {
  if (stride == 2 && kernel == 2) return combine_columns<Op, 2, 2>(row, 2, dilation, 2, divisors, height, y, outputs);
  if (stride == 2) return combine_columns<Op, 2, 0>(row, 2, dilation, kernel, divisors, height, y, outputs);
  if (stride == 1) return combine_columns<Op, 1, 0>(row, 1, dilation, kernel, divisors, height, y, outputs);
  combine_columns<Op, 0, 0>(row, stride, dilation, kernel, divisors, height, y, outputs);
}

OM_SIMD_END

/// The taps of output `i` that fall into [low, high) of the input, as first tap and count.
struct Taps {
  int64_t first, count;
};
Taps taps(int64_t i, int64_t stride, int64_t pad, int64_t dilation, int64_t kernel, int64_t low, int64_t high) {
  const int64_t start = i * stride - pad;
  const int64_t first = start >= low ? 0 : (low - start + dilation - 1) / dilation;
  const int64_t last = start >= high ? 0 : std::min(kernel, (high - start + dilation - 1) / dilation);
  return {first, std::max<int64_t>(0, last - first)};
}

class Pool : public Prepared {
 public:
  Pool(const Pool2d& p, bool average)
      : p_(p), average_(average), row_(padded_row(p.out_w, p.stride_w, p.dilation_w, p.kernel_w, p.pad_left, p.w)) {
    if (!average) return;
    for (int64_t i = 0; i < (p.out_w + 7) / 8 * 8; ++i)
      divisors_.push_back(static_cast<float>(std::max<int64_t>(1, columns(i, p.count_include_pad).count)));
  }

  Taps columns(int64_t i, bool with_pad) const {
    return taps(i, p_.stride_w, p_.pad_left, p_.dilation_w, p_.kernel_w, with_pad ? -p_.pad_left : 0,
                with_pad ? p_.w + p_.pad_right : p_.w);
  }
  Taps rows(int64_t i, bool with_pad) const {
    return taps(i, p_.stride_h, p_.pad_top, p_.dilation_h, p_.kernel_h, with_pad ? -p_.pad_top : 0,
                with_pad ? p_.h + p_.pad_bottom : p_.h);
  }
  bool some_window_is_empty() const {
    for (int64_t i = 0; i < p_.out_h; ++i)
      if (rows(i, false).count == 0) return true;
    for (int64_t i = 0; i < p_.out_w; ++i)
      if (columns(i, false).count == 0) return true;
    return false;
  }

  size_t workspace_bytes() const override { return slots_ * row_ * sizeof(float); }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    const auto body = [&](size_t slot, size_t first, size_t last) {
      float* row = reinterpret_cast<float*>(workspace) + slot * row_;
      std::fill(row, row + row_, average_ ? Sum::kIdentity : Max::kIdentity);
      for (size_t plane = first; plane < last; ++plane)
        pool_plane(x + plane * to_size(p_.h * p_.w), y + plane * to_size(p_.out_h * p_.out_w), row);
    };
    const int64_t work = p_.n * p_.c * p_.out_h * p_.out_w * p_.kernel_h * p_.kernel_w;
    parallel_slots(to_size(p_.n * p_.c), work, slots_, body);
  }

 private:
  void pool_plane(const float* x, float* y, float* row) const {
    const size_t width = to_size(p_.w), outputs = to_size(p_.out_w);
    for (int64_t i = 0; i < p_.out_h; ++i, y += outputs) {
      const Taps inside = rows(i, false);
      const float* top = x + (i * p_.stride_h - p_.pad_top + inside.first * p_.dilation_h) * p_.w;
      (average_ ? pool_rows<Sum> : pool_rows<Max>)(top, to_size(p_.dilation_h) * width, to_size(inside.count),
                                                   row + p_.pad_left, width);
      (average_ ? pool_columns<Sum> : pool_columns<Max>)(row, to_size(p_.stride_w), to_size(p_.dilation_w),
                                                         to_size(p_.kernel_w), average_ ? divisors_.data() : nullptr,
                                                         static_cast<float>(rows(i, p_.count_include_pad).count), y,
                                                         outputs);
    }
  }

  Pool2d p_;
  bool average_;
  size_t row_;
  size_t slots_ = slots_for_pool();
  std::vector<float> divisors_;
};

PreparedPtr make_pool(const Pool2d& p, bool average, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  if (p.n <= 0 || p.c <= 0 || p.h <= 0 || p.w <= 0 || p.out_h <= 0 || p.out_w <= 0 || p.kernel_h <= 0 ||
      p.kernel_w <= 0)
    return refuse(refusal, "a size is zero");
  if (p.stride_h <= 0 || p.stride_w <= 0 || p.dilation_h <= 0 || p.dilation_w <= 0)
    return refuse(refusal, "a stride or dilation is not positive");
  if (p.pad_top < 0 || p.pad_left < 0 || p.pad_bottom < 0 || p.pad_right < 0)
    return refuse(refusal, "a padding is negative");
  auto pool = std::make_unique<Pool>(p, average);
  if (pool->some_window_is_empty()) return refuse(refusal, "a window lies in the padding alone");
  return pool;
}

}  // namespace

PreparedPtr max_pool(const Pool2d& p, std::string& refusal) { return make_pool(p, false, refusal); }
PreparedPtr average_pool(const Pool2d& p, std::string& refusal) { return make_pool(p, true, refusal); }
PreparedPtr global_average_pool(int64_t planes, int64_t size, std::string& refusal) {
  return reduce(Reduce::mean, {planes, size}, {1}, refusal);
}

}  // namespace onemodel::kernels::xnn
