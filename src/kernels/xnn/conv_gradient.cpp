#include "kernels/xnn/columns.h"
#include "kernels/xnn/conv_parts.h"
#include "kernels/xnn/gemm.h"
#include "kernels/xnn/gemv.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

/// With stride 1: a convolution of dy with the weights turned by 180 degrees and their channels swapped.
class TurnedInputGradient : public Prepared {
 public:
  TurnedInputGradient(const Conv2d& p, PreparedPtr conv)
      : p_(p), conv_(std::move(conv)), weight_bytes_(float_bytes(p.m * (p.c / p.groups) * p.kernel_h * p.kernel_w)) {}

  size_t workspace_bytes() const override { return weight_bytes_ + conv_->workspace_bytes(); }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    float* turned = reinterpret_cast<float*>(workspace);
    turn(input_f32(inputs, 1), turned);
    const void* operands[] = {inputs[0], turned, nullptr};
    conv_->run(operands, outputs, workspace + weight_bytes_);
  }

 private:
  void turn(const float* weights, float* turned) const {
    const int64_t outer = p_.m / p_.groups, inner = p_.c / p_.groups, taps = p_.kernel_h * p_.kernel_w;
    for (int64_t g = 0; g < p_.groups; ++g)
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t i = 0; i < inner; ++i) {
          const float* from = weights + ((g * outer + o) * inner + i) * taps;
          std::reverse_copy(from, from + taps, turned + ((g * inner + i) * outer + o) * taps);
        }
  }

  Conv2d p_;
  PreparedPtr conv_;
  size_t weight_bytes_;
};

/// The transposed weights times dy are the gradients of the columns; of pointwise kernels, of x.
class ColumnsInputGradient : public Prepared {
 public:
  explicit ColumnsInputGradient(const Conv2d& p)
      : p_(p),
        product_{.m = column_rows(p) / p.groups, .k = p.m / p.groups, .n = p.out_h() * p.out_w(), .transposed_a = true},
        columns_bytes_(is_pointwise(p) ? 0 : float_bytes(column_rows(p) * p.out_h() * p.out_w())) {}

  size_t workspace_bytes() const override { return columns_bytes_ + gemm_workspace_bytes(slots_); }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* dy = input_f32(inputs, 0);
    const float* weights = input_f32(inputs, 1);
    float* dx = output_f32(outputs);
    const auto operands = [&](size_t i) {
      const int64_t group = static_cast<int64_t>(i);
      float* columns = columns_bytes_ ? reinterpret_cast<float*>(workspace) : dx;
      return Operands{.a = weights + group * product_.m * product_.k,
                      .b = dy + group * product_.k * product_.n,
                      .c = columns + group * product_.m * product_.n};
    };
    for (int64_t i = 0; i < p_.n; ++i, dy += p_.m * p_.out_h() * p_.out_w(), dx += p_.c * p_.h * p_.w) {
      gemm(product_, to_size(p_.groups), std::cref(operands), slots_, workspace + columns_bytes_);
      if (columns_bytes_) columns_to_image(p_, reinterpret_cast<float*>(workspace), dx);
    }
  }

 private:
  Conv2d p_;
  Product product_;  // of one group of one image
  size_t columns_bytes_, slots_ = slots_for_pool();
};

/// dy times the transposed columns, summed over the images.
class WeightGradient : public Prepared {
 public:
  explicit WeightGradient(const Conv2d& p)
      : p_(p),
        product_{.m = p.m / p.groups,
                 .k = p.out_h() * p.out_w(),
                 .n = column_rows(p) / p.groups,
                 .transposed_b = true,
                 .windows = is_pointwise(p) ? nullptr : &p_} {}

  size_t workspace_bytes() const override {
    return product_.m > 1 ? gemm_workspace_bytes(slots_) : slots_ * float_bytes(product_.k);
  }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* x = input_f32(inputs, 0);
    const float* dy = input_f32(inputs, 1);
    float* dw = output_f32(outputs);
    if (product_.m == 1) return run_lines(x, dy, dw, workspace);
    bool accumulate = false;
    const auto operands = [&](size_t i) {
      const int64_t group = static_cast<int64_t>(i);
      return Operands{.a = dy + group * product_.m * product_.k,
                      .b = product_.windows ? x : x + group * product_.n * product_.k,
                      .first_line = group * product_.n,
                      .c = dw + group * product_.m * product_.n,
                      .accumulate = accumulate};
    };
    for (int64_t i = 0; i < p_.n; ++i, x += p_.c * p_.h * p_.w, dy += p_.m * p_.out_h() * p_.out_w()) {
      accumulate = i > 0;
      gemm(product_, to_size(p_.groups), std::cref(operands), slots_, workspace);
    }
  }

 private:
  /// With one output channel to a group, each weight is the product of a line and a plane of dy.
  void run_lines(const float* x, const float* dy, float* dw, std::byte* workspace) const {
    const auto body = [&](size_t slot, size_t first, size_t last) {
      float* line = reinterpret_cast<float*>(workspace + slot * float_bytes(product_.k));
      for (size_t i = first; i < last; ++i) {
        const int64_t index = static_cast<int64_t>(i);
        dw[i] = 0;
        for (int64_t image = 0; image < p_.n; ++image) {
          window_line(p_, x + image * p_.c * p_.h * p_.w, index, 0, to_size(product_.k), line);
          dw[i] += dot(line, dy + (image * p_.m + index / product_.n) * product_.k, to_size(product_.k));
        }
      }
    };
    parallel_slots(to_size(column_rows(p_)), column_rows(p_) * p_.n * product_.k, slots_, body);
  }

  Conv2d p_;
  Product product_;  // of one group of one image
  size_t slots_ = slots_for_pool();
};

bool nchw(const Conv2d& p, std::string& refusal) {
  if (!valid(p, refusal)) return false;
  if (!p.nhwc_input && !p.nhwc_output) return true;
  refusal = "gradients are NCHW";
  return false;
}

}  // namespace

PreparedPtr conv2d_input_gradient(const Conv2d& p, std::string& refusal) {
  if (!nchw(p, refusal)) return nullptr;
  const int64_t reach_h = p.dilation_h * (p.kernel_h - 1), reach_w = p.dilation_w * (p.kernel_w - 1);
  // A turned convolution gathers m lines for c results, and turns all weights; adding up columns touches c lines.
  const bool prefers_columns = 2 * p.c < p.m || p.out_h() * p.out_w() < p.m / p.groups || is_pointwise(p);
  const bool depthwise = p.groups == p.c && p.groups > 1;
  if ((depthwise || !prefers_columns) && p.stride_h == 1 && p.stride_w == 1 && p.pad_top <= reach_h &&
      p.pad_bottom <= reach_h && p.pad_left <= reach_w && p.pad_right <= reach_w) {
    Conv2d turned{.n = p.n,
                  .c = p.m,
                  .h = p.out_h(),
                  .w = p.out_w(),
                  .m = p.c,
                  .kernel_h = p.kernel_h,
                  .kernel_w = p.kernel_w,
                  .dilation_h = p.dilation_h,
                  .dilation_w = p.dilation_w,
                  .pad_top = reach_h - p.pad_top,
                  .pad_left = reach_w - p.pad_left,
                  .pad_bottom = reach_h - p.pad_bottom,
                  .pad_right = reach_w - p.pad_right,
                  .groups = p.groups};
    PreparedPtr conv = conv2d_dynamic(turned, false, refusal);
    if (!conv) return nullptr;
    return std::make_unique<TurnedInputGradient>(p, std::move(conv));
  }
  return std::make_unique<ColumnsInputGradient>(p);
}

PreparedPtr conv2d_weight_gradient(const Conv2d& p, std::string& refusal) {
  if (!nchw(p, refusal)) return nullptr;
  return std::make_unique<WeightGradient>(p);
}

}  // namespace onemodel::kernels::xnn
