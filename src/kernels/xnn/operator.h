#pragma once
// XNNPACK's operators with an owner and with errors that have names. For the sources of this folder only.

#include <xnnpack.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.h"
#include "kernels/thread_pool.h"
#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

struct OperatorDeleter {
  void operator()(xnn_operator_t op) const { xnn_delete_operator(op); }
};
using Operator = std::unique_ptr<xnn_operator, OperatorDeleter>;

std::string_view status_name(xnn_status status);

/// Starts XNNPACK on the first call; false, with the reason, when it or our own loops cannot run on this machine.
/// Each factory asks first.
bool initialize(std::string& refusal);

/// False, with the reason, when XNNPACK did not take the parameters.
bool accepted(xnn_status status, std::string_view call, std::string& refusal);

/// For what cannot fail once a factory accepted. Throws std::logic_error.
void expect_success(xnn_status status, std::string_view call);

/// Runs an operator that is set up. `work`: about how many multiplications it takes; few stay on this thread.
inline void run_operator(const Operator& op, int64_t work) {
  pthreadpool* pool = work < 2 * kThreadWork ? nullptr : thread_pool().handle();
  expect_success(xnn_run_operator(op.get(), pool), "xnn_run_operator");
}

template <class... Parts>
std::nullptr_t refuse(std::string& refusal, const Parts&... parts) {
  refusal = concat(parts...);
  return nullptr;
}

inline constexpr size_t kAlignment = 64;
constexpr size_t align_up(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
/// Bytes of `count` floats that XNNPACK may read past the end, rounded up so that another buffer can follow.
constexpr size_t float_bytes(int64_t count) {
  return align_up(static_cast<size_t>(count) * sizeof(float) + XNN_EXTRA_BYTES);
}

inline const float* input_f32(const void* const* inputs, size_t i) { return static_cast<const float*>(inputs[i]); }
inline float* output_f32(void* const* outputs) { return static_cast<float*>(outputs[0]); }

}  // namespace onemodel::kernels::xnn
