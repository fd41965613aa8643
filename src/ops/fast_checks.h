#pragma once
// Reasons that many fast kernels share for refusing.

#include <limits>

#include "ops/kernel.h"

namespace onemodel {

/// True when all operands are float32; `refusal` says so otherwise.
inline bool accepts_f32(const KernelRequest& request, std::string& refusal) {
  if (!request.all_f32()) refusal = "the dtype is not float32";
  return request.all_f32();
}

/// As above, for a kernel that cannot bound its result.
inline bool accepts_plain_f32(const KernelRequest& request, std::string& refusal) {
  if (request.clamp) refusal = "no fused bound";
  return !request.clamp && accepts_f32(request, refusal);
}

/// The bound asked for, or the whole line.
inline Clamp clamp_of(const KernelRequest& request) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return request.clamp.value_or(Clamp{-infinity, infinity});
}

}  // namespace onemodel
