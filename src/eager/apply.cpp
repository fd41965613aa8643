#include "eager/apply.h"

#include <algorithm>

#include "eager/record.h"
#include "eager/recording.h"
#include "ops/infer.h"

namespace onemodel {
namespace {

thread_local Arithmetic g_arithmetic = Arithmetic::fast;

void run_kernel(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  if (g_arithmetic == Arithmetic::fast) {
    std::vector<KernelRequest::Operand> in, out;
    for (const Tensor& t : inputs)
      in.push_back(t.defined() ? KernelRequest::Operand{t.dtype(), t.dims(), {}} : KernelRequest::Operand{});
    for (const Tensor& t : outputs) out.push_back({t.dtype(), t.dims(), {}});
    const KernelChoice choice = choose_kernel(op, {.inputs = in, .outputs = out});
    if (choice.kernel) {
      std::vector<Tensor> rows;
      for (const Tensor& t : inputs) rows.push_back(t.defined() ? t.contiguous() : t);
      const size_t bytes = choice.kernel->workspace_bytes();
      const auto workspace = bytes ? Storage::allocate(bytes) : nullptr;
      choice.kernel->run(rows, outputs, workspace ? workspace->data() : nullptr);
      return;
    }
  }
  evaluate(op, inputs, outputs);
}

std::vector<Tensor> apply_here(const Op& op, std::span<const Tensor> inputs, size_t output_count) {
  bool traced = false, wanted = false;
  std::vector<TensorType> types;
  types.reserve(inputs.size());
  for (const Tensor& input : inputs) {
    if (!input.defined()) {
      types.emplace_back();
      continue;
    }
    const TensorState* state = state_of(input);
    const bool input_traced = is_traced(input);
    traced |= input_traced;
    wanted |= input_traced || (state && (state->requires_grad || state->record));
    types.push_back(type_of(input));
  }
  if (const std::string_view reason = op.traits().info.untraceable; traced && !reason.empty())
    throw TraceError("UnsupportedOperation", concat(op.name(), " of ", types.front(), " cannot be traced: ", reason));

  const InternalAccess internal;
  // A traced operand's value is that of the example only: inference sees the sizes it was made from, if anything.
  std::vector<Tensor> known(inputs.begin(), inputs.end());
  InferContext context(op.traits(), types, known, output_count);
  context.set_tracing(traced);
  for (size_t i = 0; traced && i < inputs.size(); ++i) {
    if (!known[i].defined() || !is_traced(known[i])) continue;
    known[i] = Tensor();
    if (const auto& sizes = state_of(inputs[i])->sizes) context.set_shape_data(i, *sizes);
  }
  infer(op, context);

  std::vector<Tensor> outputs;
  if (op.traits().has_view && output_count == 1) {
    const Tensor view = op.traits().view(op.data(), inputs);
    if (view.defined()) outputs.push_back(view);
  }
  if (outputs.empty()) {
    for (const TensorType& type : context.outputs()) {
      const auto dims = type.shape.example();
      check<ShapeError>(dims.has_value(), op.name(), ": the size of the output ", type, " depends on values");
      outputs.push_back(Tensor::empty(*dims, type.dtype));
    }
    run_kernel(op, inputs, outputs);
  }
  const bool has_floating_output = std::ranges::any_of(outputs, [](const Tensor& t) { return is_floating(t.dtype()); });
  if (traced || (wanted && grad_enabled() && has_floating_output))
    record(op, inputs, outputs, traced ? &context : nullptr);
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
