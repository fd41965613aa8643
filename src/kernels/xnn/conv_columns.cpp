#include "kernels/xnn/columns.h"
#include "kernels/xnn/conv_parts.h"
#include "kernels/xnn/gemm.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

class ColumnsConv : public Prepared {
 public:
  ColumnsConv(const Conv2d& p, const float* weights, const float* bias, bool has_bias)
      : p_(p),
        constants_(p, weights, bias, has_bias),
        product_{.m = p.m / p.groups,
                 .k = column_rows(p) / p.groups,
                 .n = p.out_h() * p.out_w(),
                 .windows = is_pointwise(p) ? nullptr : &p_,
                 .min = p.min,
                 .max = p.max} {}

  size_t workspace_bytes() const override { return gemm_workspace_bytes(slots_); }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const float* weights = constants_.weights(inputs);
    const float* bias = constants_.bias(inputs);
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    const auto operands = [&](size_t i) {
      const int64_t index = static_cast<int64_t>(i), image = index / p_.groups, group = index % p_.groups;
      const float* source = x + image * p_.c * p_.h * p_.w;
      return Operands{.a = weights + group * product_.m * product_.k,
                      .b = product_.windows ? source : source + group * product_.k * product_.n,
                      .first_line = group * product_.k,
                      .c = y + index * product_.m * product_.n,
                      .row_bias = bias ? bias + group * product_.m : nullptr};
    };
    gemm(product_, to_size(p_.n * p_.groups), std::cref(operands), slots_, workspace);
  }

 private:
  Conv2d p_;
  ConvConstants constants_;
  Product product_;  // of one group of one image
  size_t slots_ = slots_for_pool();
};

}  // namespace

PreparedPtr conv2d_columns(const Conv2d& p, const float* weights, const float* bias, bool has_bias,
                           std::string& refusal) {
  if (p.nhwc_input || p.nhwc_output) return refuse(refusal, "the product of columns is NCHW");
  return std::make_unique<ColumnsConv>(p, weights, bias, has_bias);
}

}  // namespace onemodel::kernels::xnn
