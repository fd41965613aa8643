#include "eager/apply.h"

#include <algorithm>

#include "eager/functional_trace.h"
#include "eager/prepared_call.h"
#include "eager/record.h"
#include "eager/recording.h"
#include "eager/traceable_gradients.h"
#include "ops/infer.h"

namespace onemodel {
namespace {

thread_local Arithmetic g_arithmetic = Arithmetic::fast;

struct Uses {
  bool traced = false, recorded = false;
};

Uses uses_of(std::span<const Tensor> inputs) {
  Uses uses;
  for (const Tensor& input : inputs) {
    const TensorState* state = input.defined() ? state_of(input) : nullptr;
    if (!state) continue;
    uses.traced |= is_traced(input);
    uses.recorded |= state->requires_grad || state->record;
  }
  return uses;
}

std::vector<Tensor> apply_traced(const Op& op, std::span<const Tensor> inputs, size_t output_count) {
  std::vector<TensorType> types;
  for (const Tensor& input : inputs) types.push_back(input.defined() ? type_of(input) : TensorType{});
  if (const std::string_view reason = op.traits().info.untraceable; !reason.empty()) {
    if (const auto made = traceable_gradient(op, inputs)) return {*made};
    throw TraceError("UnsupportedOperation", concat(op.name(), " of ", types.front(), " cannot be traced: ", reason));
  }

  const InternalAccess internal;
  // A traced operand's value is that of the example only: inference sees the sizes it was made from, if anything.
  std::vector<Tensor> known(inputs.begin(), inputs.end());
  InferContext context(op.traits(), types, known, output_count);
  context.set_tracing(true);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!known[i].defined() || !is_traced(known[i])) continue;
    known[i] = Tensor();
    if (const auto& sizes = state_of(inputs[i])->sizes) context.set_shape_data(i, *sizes);
  }
  infer(op, context);
  std::vector<Tensor> outputs = run_call(*choose_call(op, inputs, context.outputs(), g_arithmetic), op, inputs);
  record(op, inputs, outputs, &context);
  return outputs;
}

std::vector<Tensor> apply_here(const Op& op, std::span<const Tensor> inputs, size_t output_count) {
  const Uses uses = uses_of(inputs);
  if (uses.traced) return apply_traced(op, current_operands(inputs, op.name()), output_count);
  if (op.traits().info.random && active_trace() != 0)
    refuse_trace("random numbers",
                 concat("what ", op.name(), " draws would be frozen in the graph; give it a traced input"));
  const InternalAccess internal;
  std::vector<Tensor> outputs = run_call(*prepare_call(op, inputs, output_count, g_arithmetic), op, inputs);
  const bool has_floating_output = std::ranges::any_of(outputs, [](const Tensor& t) { return is_floating(t.dtype()); });
  if (uses.recorded && grad_enabled() && has_floating_output) record(op, inputs, outputs);
  return outputs;
}

}  // namespace

Arithmetic eager_arithmetic() { return g_arithmetic; }
void set_eager_arithmetic(Arithmetic arithmetic) { g_arithmetic = arithmetic; }

std::vector<Tensor> apply(const Op& op, std::span<const Tensor> inputs, size_t output_count) {
  try {
    return apply_here(op, inputs, output_count);
  } catch (Error& error) {
    if (const std::string path = module_path(); !path.empty()) error.add_context(concat("module '", path, "'"));
    throw;
  }
}

Tensor apply(const Op& op, std::initializer_list<Tensor> inputs) {
  return apply(op, std::span<const Tensor>(inputs.begin(), inputs.size()), 1).front();
}

}  // namespace onemodel
