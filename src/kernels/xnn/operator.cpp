#include "kernels/xnn/operator.h"

namespace onemodel::kernels::xnn {

std::string_view status_name(xnn_status status) {
  switch (status) {
    case xnn_status_success: return "success";
    case xnn_status_uninitialized: return "uninitialized";
    case xnn_status_invalid_parameter: return "invalid_parameter";
    case xnn_status_invalid_state: return "invalid_state";
    case xnn_status_unsupported_parameter: return "unsupported_parameter";
    case xnn_status_unsupported_hardware: return "unsupported_hardware";
    case xnn_status_out_of_memory: return "out_of_memory";
    case xnn_status_reallocation_required: return "reallocation_required";
    default: return "unknown_status";
  }
}

bool accepted(xnn_status status, std::string_view call, std::string& refusal) {
  if (status == xnn_status_success) return true;
  refusal = concat("XNNPACK answered ", status_name(status), " to ", call);
  return false;
}

bool initialize(std::string& refusal) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    refusal = "this machine has no AVX2";
    return false;
  }
#endif
  static const xnn_status status = xnn_initialize(nullptr);
  return accepted(status, "xnn_initialize", refusal);
}

void expect_success(xnn_status status, std::string_view call) {
  if (status != xnn_status_success) [[unlikely]]
    throw std::logic_error(concat("XNNPACK answered ", status_name(status), " to ", call));
}

}  // namespace onemodel::kernels::xnn
