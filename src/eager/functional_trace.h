#pragma once
// In-place updates while a program is captured: a tensor stands for a new value afterwards, its memory stays as it is.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// While one lives, the functions of eager/in_place.h give the traced tensors of this thread new values instead of
/// writing to memory, and no-grad mode may be entered. Updated tensors are their old selves again at its end.
/// At most one at a time.
class FunctionalTrace {
 public:
  FunctionalTrace();
  ~FunctionalTrace();
  FunctionalTrace(const FunctionalTrace&) = delete;
  FunctionalTrace& operator=(const FunctionalTrace&) = delete;
};
bool functional_trace();

/// What `tensor` stands for now: itself, or the value of its last update.
const Tensor& current_value(const Tensor& tensor);
/// The same for operands. Throws TraceError(InPlaceMutation), naming `reader`, for a view of memory whose tensor was updated
/// since: eagerly it would show the update.
std::vector<Tensor> current_operands(std::span<const Tensor> operands, std::string_view reader);

/// Throws TraceError(InPlaceMutation) when nothing may update `target`: see forbid_updates; views; tensors that are not
/// traced; any in a trace that is no FunctionalTrace.
void check_update(const Tensor& target, std::string_view how);
/// Makes `value`, which shares memory with no other tensor, what `target` stands for. Throws what check_update
/// throws, TraceError(SymbolicShape) when `value` has the shape of `target` only for the example's sizes; ShapeError when
/// it has another.
void update_value(const Tensor& target, const Tensor& value, std::string_view how);
/// Updates of the traced `tensor` are refused from now on; `what` says what it is ("the input 'x'").
void forbid_updates(const Tensor& tensor, std::string what);
/// Tensors that were updated, in the order of their last updates.
std::span<const Tensor> updated_tensors();

}  // namespace onemodel
