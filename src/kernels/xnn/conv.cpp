#include "kernels/xnn/conv.h"

#include "kernels/xnn/columns.h"
#include "kernels/xnn/conv_parts.h"

namespace onemodel::kernels::xnn {

bool valid(const Conv2d& p, std::string& refusal) {
  refusal.clear();
  if (!initialize(refusal)) return false;
  if (p.n <= 0 || p.c <= 0 || p.h <= 0 || p.w <= 0 || p.m <= 0 || p.kernel_h <= 0 || p.kernel_w <= 0)
    refusal = "a size is zero";
  else if (p.stride_h <= 0 || p.stride_w <= 0 || p.dilation_h <= 0 || p.dilation_w <= 0)
    refusal = "a stride or dilation is not positive";
  else if (p.pad_top < 0 || p.pad_left < 0 || p.pad_bottom < 0 || p.pad_right < 0)
    refusal = "a padding is negative";
  else if (p.groups <= 0 || p.c % p.groups != 0 || p.m % p.groups != 0)
    refusal = concat(p.groups, " groups do not divide ", p.c, " and ", p.m, " channels");
  else if (p.h + p.pad_top + p.pad_bottom <= p.dilation_h * (p.kernel_h - 1) ||
           p.w + p.pad_left + p.pad_right <= p.dilation_w * (p.kernel_w - 1))
    refusal = "the kernel is larger than the padded input";
  else if (!(p.min < p.max))
    refusal = "the clamp's range is empty";
  return refusal.empty();
}

PreparedPtr conv2d(const Conv2d& given, const float* weights, const float* bias, std::string& refusal) {
  Conv2d p = given;
  if (!valid(p, refusal)) return nullptr;
  // with one channel or one position both layouts are the same
  const bool any_input = p.c == 1 || p.h * p.w == 1, any_output = p.m == 1 || p.out_h() * p.out_w() == 1;
  if ((!p.nhwc_input || any_input) && (!p.nhwc_output || any_output)) {
    p.nhwc_input = p.nhwc_output = false;
    // Measured: on small planes XNNPACK is faster, transposes included; elsewhere only where there is much to multiply.
    const bool small = p.h * p.w < 64 && p.kernel_h * p.kernel_w > 1;
    if (p.groups == p.c && (p.groups > 1 || p.m == 1) && !small)
      return conv2d_depthwise(p, weights, bias, bias != nullptr, refusal);
    const bool shallow = (p.c / p.groups) * p.kernel_h * p.kernel_w <= 32 && p.m / p.groups >= 24;
    if ((is_pointwise(p) && p.h * p.w >= 64) || shallow)
      return conv2d_columns(p, weights, bias, bias != nullptr, refusal);
  }
  p.nhwc_input = p.nhwc_input || any_input;
  p.nhwc_output = p.nhwc_output || any_output;
  return suits_winograd(p) ? conv2d_winograd(p, weights, bias, refusal) : conv2d_nhwc(p, weights, bias, refusal);
}

PreparedPtr conv2d_dynamic(const Conv2d& p, bool bias, std::string& refusal) {
  if (!valid(p, refusal)) return nullptr;
  if (p.groups == p.c && p.groups > 1) return conv2d_depthwise(p, nullptr, nullptr, bias, refusal);
  return conv2d_columns(p, nullptr, nullptr, bias, refusal);
}

}  // namespace onemodel::kernels::xnn
