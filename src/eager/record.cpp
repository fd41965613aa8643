#include "eager/record.h"

#include <algorithm>

#include "eager/functional_trace.h"
#include "eager/recording.h"
#include "ops/reshape.h"
#include "ops/traced_sizes.h"

namespace onemodel {
namespace {

thread_local uint64_t g_active_trace = 0;
thread_local bool g_grad_enabled = true;
thread_local std::vector<std::string> g_modules;

std::string where() { return g_modules.empty() ? std::string() : concat(" in module '", module_path(), "'"); }

}  // namespace

// A chain of a million operators must not free itself by recursion: records that only this one keeps are moved to a
// list and go one after the other.
Record::~Record() {
  thread_local std::vector<std::shared_ptr<Record>>* pending = nullptr;
  std::vector<std::shared_ptr<Record>> mine;
  const bool outermost = pending == nullptr;
  if (outermost) pending = &mine;
  for (Tensor& input : inputs) {
    TensorState* state = input.defined() ? state_of(input) : nullptr;
    if (!state || !state->record) continue;
    std::shared_ptr<Record> record = state->record;
    const std::weak_ptr<TensorExtension> extension = input.shared_extension();
    input = Tensor();
    if (extension.expired()) pending->push_back(std::move(record));  // else the tensor, or a view of it, lives on
  }
  inputs.clear();
  if (!outermost) return;
  while (!mine.empty()) {
    const std::shared_ptr<Record> next = std::move(mine.back());
    mine.pop_back();
  }
  pending = nullptr;
}

void TensorState::before_read(const Tensor& tensor, std::string_view how) {
  if (trace_id == 0 || trace_id != g_active_trace) return;
  throw TraceError("DataDependent", concat(how, ": the values of a traced tensor ", type_of(tensor), " were read",
                                           where(), "; what is decided from values would be frozen in the graph"));
}

void TensorState::before_write(const Tensor& tensor, std::string_view how) {
  if (trace_id == 0 || trace_id != g_active_trace) return;
  throw TraceError("InPlaceMutation",
                   concat(how, ": a traced tensor ", type_of(tensor), " was changed in place", where(),
                          functional_trace() ? "; a captured program knows updates by copy_, fill_, add_, ..." : ""));
}

void TensorState::before_view(const Tensor& tensor, std::string_view how) {
  const bool traced = is_traced(tensor);
  if (!traced && !record && !requires_grad) return;
  const std::string message = concat("Tensor::", how, ": a plain view of ", type_of(tensor), where(),
                                     traced ? " would be frozen in the graph" : " would lose its gradient",
                                     "; use the function of eager/functions.h", traced ? "" : ", or detach() first");
  if (traced) throw TraceError("DataDependent", message);
  throw GradientError(message);
}

void TensorState::after_copy(const Tensor& tensor, const Tensor& copy) {
  const bool traced = is_traced(tensor);
  if (!traced && (!g_grad_enabled || (!record && !requires_grad))) return;
  if (value.defined()) {
    const InternalAccess internal;
    Tensor(copy).copy_from(value);
  }
  const Op identity = Identity{};
  const TensorType type = type_of(tensor);
  InferContext context(identity.traits(), std::span(&type, 1), {}, 1);
  if (traced && sizes) context.set_shape_data(0, *sizes);
  if (traced) infer(identity, context);
  const std::vector<Tensor> source = current_operands(std::span(&tensor, 1), "clone");
  onemodel::record(identity, source, std::span(&copy, 1), traced ? &context : nullptr);
}

bool TensorState::survives_detach() const { return trace_id != 0 && trace_id == g_active_trace; }

TensorState* state_of(const Tensor& tensor) { return static_cast<TensorState*>(tensor.extension()); }

TensorState& ensure_state(const Tensor& tensor) {
  if (!tensor.extension()) tensor.set_extension(std::make_shared<TensorState>());
  return *state_of(tensor);
}

uint64_t active_trace() { return g_active_trace; }

void set_active_trace(uint64_t id) {
  g_active_trace = id;
  traced_sizes().clear();
}

bool is_traced(const Tensor& tensor) {
  const TensorState* state = state_of(tensor);
  return g_active_trace != 0 && state && state->trace_id == g_active_trace;
}

TensorType type_of(const Tensor& tensor) {
  return {tensor.dtype(), is_traced(tensor) ? state_of(tensor)->symbolic_shape : Shape(tensor.dims())};
}

void mark_traced(const Tensor& tensor, Shape symbolic_shape) {
  TensorState& state = ensure_state(tensor);
  state.trace_id = g_active_trace;
  std::vector<Extent>& sizes = traced_sizes();
  for (const Extent& extent : symbolic_shape)
    if (!extent.is_number() && std::ranges::find(sizes, extent) == sizes.end()) sizes.push_back(extent);
  state.symbolic_shape = std::move(symbolic_shape);
}

ModuleScope::ModuleScope(std::string_view name) { push_module(name); }
ModuleScope::~ModuleScope() { pop_module(); }

void push_module(std::string_view name) { g_modules.emplace_back(name); }
void pop_module() {
  if (!g_modules.empty()) g_modules.pop_back();
}

std::string module_path() {
  std::string path;
  for (const std::string& name : g_modules) {
    if (name.empty()) continue;
    if (!path.empty()) path += '.';
    path += name;
  }
  return path;
}

NoGrad::NoGrad() : before_(g_grad_enabled) { set_grad_enabled(false); }
NoGrad::~NoGrad() { g_grad_enabled = before_; }

bool grad_enabled() { return g_grad_enabled; }

void set_grad_enabled(bool enabled) {
  if (!enabled && g_active_trace != 0 && !functional_trace())
    throw TraceError("NoGradInTrace",
                     concat("no-grad mode was entered while tracing", where(), "; its results would be frozen"));
  g_grad_enabled = enabled;
}

}  // namespace onemodel
