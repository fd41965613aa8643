#include "eager/functional_trace.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "eager/record.h"

namespace onemodel {
namespace {

struct Updates {
  std::vector<Tensor> updated;
  std::set<std::shared_ptr<Storage>> stale;           // memory of values that were replaced
  std::map<const TensorState*, std::string> refused;  // what must not be updated, and what it is
};

thread_local Updates* g_updates = nullptr;

std::string where() {
  const std::string path = module_path();
  return path.empty() ? "" : concat("module '", path, "': ");
}

[[noreturn]] void refuse(std::string_view how, const Tensor& target, std::string_view why) {
  throw TraceError("InPlaceMutation", concat(where(), how, ": ", type_of(target), " was changed in place; ", why));
}

bool is_stale(const Tensor& tensor) { return g_updates->stale.contains(tensor.memory()); }

bool is_view(const Tensor& tensor) {
  const auto& record = state_of(tensor)->record;
  return record && std::ranges::any_of(record->inputs, [&](const Tensor& input) {
           return input.defined() && input.memory() == tensor.memory();
         });
}

}  // namespace

FunctionalTrace::FunctionalTrace() { g_updates = new Updates; }

// A value's record may hold the tensor that stands for it: the circle is cut.
FunctionalTrace::~FunctionalTrace() {
  const std::unique_ptr<Updates> ended(std::exchange(g_updates, nullptr));
  for (const Tensor& tensor : ended->updated)
    if (TensorState* state = state_of(tensor)) state->value = Tensor();
}

bool functional_trace() { return g_updates != nullptr; }

const Tensor& current_value(const Tensor& tensor) {
  const TensorState* state = tensor.defined() ? state_of(tensor) : nullptr;
  return state && state->value.defined() ? state->value : tensor;
}

std::vector<Tensor> current_operands(std::span<const Tensor> operands, std::string_view reader) {
  std::vector<Tensor> out;
  for (const Tensor& operand : operands) {
    out.push_back(current_value(operand));
    if (g_updates && out.back().defined() && is_stale(out.back()))
      throw TraceError("InPlaceMutation", concat(reader, ": ", type_of(operand),
                                                 " is a view of a tensor that was updated since; take the view after "
                                                 "the update, or clone() it before"));
  }
  return out;
}

void check_update(const Tensor& target, std::string_view how) {
  if (!is_traced(target))
    refuse(how, target,
           "it is a constant: a captured program updates parameters, buffers and elements of containers only");
  if (!g_updates) refuse(how, target, "a trace has no updates; export the program instead");
  const TensorState* state = state_of(target);
  if (const auto found = g_updates->refused.find(state); found != g_updates->refused.end())
    refuse(how, target, concat("it is ", found->second));
  if (is_view(target)) refuse(how, target, "it is a view of another tensor: update that with slice_scatter_");
}

void update_value(const Tensor& target, const Tensor& value, std::string_view how) {
  check_update(target, how);
  TensorState* state = state_of(target);
  check<ShapeError>(value.dims() == target.dims(), where(), how, ": a value of shape ", value.dims(),
                    " does not fit the target ", type_of(target));
  const TensorType type = type_of(value);
  if (type != type_of(target))
    throw TraceError("SymbolicShape", concat(where(), how, ": the value ", type, " does not fit ", type_of(target),
                                             " for every size that the program may have"));
  g_updates->stale.insert(current_value(target).memory());
  const auto is_same = [&](const Tensor& other) { return state_of(other) == state; };
  std::erase_if(g_updates->updated, is_same);
  g_updates->updated.push_back(target);
  state->value = value;
}

void forbid_updates(const Tensor& tensor, std::string what) { g_updates->refused[state_of(tensor)] = std::move(what); }

std::span<const Tensor> updated_tensors() { return g_updates->updated; }

}  // namespace onemodel
