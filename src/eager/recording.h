#pragma once
// How `apply` leaves a record.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/extent.h"
#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel {

struct Record;

/// Attaches a record of `op` to `outputs`. `symbolic` has the outputs' shapes while tracing, and makes them traced.
void record(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
            std::span<const Shape> symbolic = {});
/// Throws TraceError(UnsupportedOperation) naming the operator, the reason and the module path.
[[noreturn]] void refuse_trace(std::string_view op, std::string_view reason);
/// The list that the innermost activation scope collects into; null outside of any.
std::vector<std::weak_ptr<Record>>*& activation_records();

}  // namespace onemodel
