#include <vector>

#include "kernels/xnn/conv_parts.h"
#include "kernels/xnn/layout.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool is_depthwise(const Conv2d& p) { return p.groups == p.c && p.groups > 1; }

/// ONNX's [m, c/groups, kh, kw] as [m, kh, kw, c/groups] or, depthwise, as [kh, kw, m].
std::vector<float> repack(const Conv2d& p, const float* weights) {
  const int64_t taps = p.kernel_h * p.kernel_w;
  std::vector<float> out(to_size(p.m * (p.c / p.groups) * taps));
  if (is_depthwise(p))
    transpose_planes(weights, out.data(), 1, p.m, taps);
  else
    transpose_planes(weights, out.data(), p.m, p.c / p.groups, taps);
  return out;
}

class NhwcConv : public Prepared {
 public:
  explicit NhwcConv(const Conv2d& p) : p_(p) {}

  bool prepare(const float* weights, const float* bias, std::string& refusal) {
    const auto u32 = [](int64_t v) { return static_cast<uint32_t>(v); };
    xnn_operator_t op = nullptr;
    size_t alignment = 0, out_h = 0, out_w = 0;
    if (!accepted(xnn_create_convolution2d_nhwc_f32(
                      u32(p_.pad_top), u32(p_.pad_right), u32(p_.pad_bottom), u32(p_.pad_left), u32(p_.kernel_h),
                      u32(p_.kernel_w), u32(p_.stride_h), u32(p_.stride_w), u32(p_.dilation_h), u32(p_.dilation_w),
                      u32(p_.groups), to_size(p_.c / p_.groups), to_size(p_.m / p_.groups), to_size(p_.c),
                      to_size(p_.m), repack(p_, weights).data(), bias, kClampsKeepNan ? p_.min : -kInfinity,
                      kClampsKeepNan ? p_.max : kInfinity, is_depthwise(p_) ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0,
                      nullptr, nullptr, &op),
                  "convolution create", refusal))
      return false;
    op_.reset(op);
    if (!accepted(xnn_reshape_convolution2d_nhwc_f32(op, to_size(p_.n), to_size(p_.h), to_size(p_.w), &operator_bytes_,
                                                     &alignment, &out_h, &out_w, thread_pool().handle()),
                  "convolution reshape", refusal))
      return false;
    if (out_h != to_size(p_.out_h()) || out_w != to_size(p_.out_w())) {
      refusal = "XNNPACK computes another output size";
      return false;
    }
    if (!p_.nhwc_input) input_bytes_ = float_bytes(p_.n * p_.c * p_.h * p_.w);
    if (!p_.nhwc_output) output_bytes_ = float_bytes(output_size());
    return true;
  }

  size_t workspace_bytes() const override {
    return input_bytes_ + output_bytes_ + align_up(operator_bytes_ + XNN_EXTRA_BYTES);
  }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    float* nhwc = output_bytes_ ? reinterpret_cast<float*>(workspace + input_bytes_) : y;
    if (input_bytes_) {
      float* copy = reinterpret_cast<float*>(workspace);
      transpose_planes(x, copy, p_.n, p_.c, p_.h * p_.w);
      x = copy;
    }
    expect_success(xnn_setup_convolution2d_nhwc_f32(op_.get(), workspace + input_bytes_ + output_bytes_, x, nhwc),
                   "convolution setup");
    run_operator(op_, output_size() * (p_.c / p_.groups) * p_.kernel_h * p_.kernel_w);
    if (output_bytes_) transpose_planes(nhwc, y, p_.n, p_.out_h() * p_.out_w(), p_.m);
    if (!kClampsKeepNan) add_bias_to_rows(y, nullptr, p_.n, p_.m, p_.out_h() * p_.out_w(), p_.min, p_.max);
  }

 private:
  int64_t output_size() const { return p_.n * p_.m * p_.out_h() * p_.out_w(); }

  Conv2d p_;
  Operator op_;
  size_t input_bytes_ = 0, output_bytes_ = 0, operator_bytes_ = 0;
};

}  // namespace

PreparedPtr conv2d_nhwc(const Conv2d& p, const float* weights, const float* bias, std::string& refusal) {
  if (p.kernel_h * p.kernel_w == 1 && p.c == p.groups && p.m == p.groups)
    return refuse(refusal, "XNNPACK's product by channel turns NaN into infinity");
  auto conv = std::make_unique<NhwcConv>(p);
  if (!conv->prepare(weights, bias, refusal)) return nullptr;
  return conv;
}

}  // namespace onemodel::kernels::xnn
