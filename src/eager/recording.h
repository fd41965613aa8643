#pragma once
// How `apply` leaves a record.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "ops/infer.h"
#include "ops/op.h"

namespace onemodel {

struct Record;

/// Attaches a record of `op` to `outputs`. `traced`: what inference said of them while tracing, which makes them traced.
void record(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
            const InferContext* traced = nullptr);
/// Throws TraceError(UnsupportedOperation) naming the operator, its input where it has one, the reason and the module
/// path.
[[noreturn]] void refuse_trace(std::string_view op, std::string_view reason, const Tensor& input = {});
/// The same while this thread traces.
void check_untraced(std::string_view op, std::string_view reason, const Tensor& input = {});
/// The list that the innermost activation scope collects into; null outside of any.
std::vector<std::weak_ptr<Record>>*& activation_records();

}  // namespace onemodel
