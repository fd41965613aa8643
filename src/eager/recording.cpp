#include "eager/recording.h"

#include "eager/call_log.h"
#include "eager/record.h"

namespace onemodel {
namespace {

thread_local uint64_t g_sequence = 0;

std::vector<uint64_t> versions(std::span<const Tensor> tensors) {
  std::vector<uint64_t> out;
  for (const Tensor& tensor : tensors) out.push_back(tensor.defined() ? tensor.memory()->version() : 0);
  return out;
}

}  // namespace

std::vector<std::weak_ptr<Record>>*& activation_records() {
  thread_local std::vector<std::weak_ptr<Record>>* records = nullptr;
  return records;
}

void record(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs, const InferContext* traced) {
  std::vector<Tensor> results;
  for (const Tensor& output : outputs) results.push_back(output.detach());
  auto made = std::shared_ptr<Record>(new Record{.op = op,
                                                 .inputs = {inputs.begin(), inputs.end()},
                                                 .input_versions = versions(inputs),
                                                 .outputs = std::move(results),
                                                 .output_versions = versions(outputs),
                                                 .module_path = call_path(),
                                                 .sequence = ++g_sequence});
  if (traced) {
    for (const TensorType& type : traced->outputs()) made->output_shapes.push_back(type.shape);
    made->warnings = traced->warnings();
  }
  if (activation_records()) activation_records()->push_back(made);
  for (size_t i = 0; i < outputs.size(); ++i) {
    TensorState& state = ensure_state(outputs[i]);
    state.record = made;
    state.output_index = i;
    if (!traced) continue;
    mark_traced(outputs[i], made->output_shapes[i]);
    state.sizes = traced->output_shape_data(i);
  }
}

void refuse_trace(std::string_view op, std::string_view reason, const Tensor& input) {
  const std::string path = module_path();
  throw TraceError("UnsupportedOperation",
                   concat(op, input.defined() ? concat(" of ", type_of(input)) : "",
                          path.empty() ? "" : " in module '" + path + "'", " cannot be traced: ", reason));
}

void check_untraced(std::string_view op, std::string_view reason, const Tensor& input) {
  if (active_trace() != 0) refuse_trace(op, reason, input);
}

}  // namespace onemodel
