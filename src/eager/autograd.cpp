#include "eager/autograd.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "eager/apply.h"
#include "eager/recording.h"
#include "ops/grad.h"

namespace onemodel {
namespace {

class EagerApplier final : public Applier {
 public:
  std::vector<Tensor> apply(const Op& op, std::span<const Tensor> inputs, size_t output_count) override {
    return onemodel::apply(op, inputs, output_count);
  }
};

class GradMode {
 public:
  explicit GradMode(bool enabled) : before_(grad_enabled()) { set_grad_enabled(enabled); }
  ~GradMode() { set_grad_enabled(before_); }
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  bool before_;
};

constexpr std::string_view kNoGradients = "gradients are no part of the graph; change them outside of the trace";

bool wants_gradient(const Tensor& tensor) {
  const TensorState* state = tensor.defined() ? state_of(tensor) : nullptr;
  return state && (state->requires_grad || state->record);
}

class Backward {
 public:
  explicit Backward(BackwardOptions options) : options_(options) {}

  void run(const Tensor& output, Tensor gradient) {
    const GradMode mode(options_.create_graph);
    const InternalAccess internal;
    deliver(output, std::move(gradient), false);
    // Later operators first: a record is ready once all that used its outputs have been walked.
    while (!pending_.empty()) {
      auto last = std::prev(pending_.end());
      const std::shared_ptr<Record> record = last->second.record;
      const std::vector<Tensor> grads = std::move(last->second.grads);
      pending_.erase(last);
      walk(record, grads);
    }
  }

 private:
  struct Pending {
    std::shared_ptr<Record> record;
    std::vector<Tensor> grads;
  };

  Tensor sum(const Tensor& a, const Tensor& b) {
    return a.defined() ? (Var(a, &applier_) + Var(b, &applier_)).tensor() : b;
  }

  // By an operator, so that the record leads on.
  Tensor recorded_contiguous(const Tensor& gradient) {
    return gradient.is_contiguous() ? gradient : (Var(gradient, &applier_) * 1.0).tensor();
  }

  /// `is_fresh`: nothing else has the gradient, so that a leaf may keep it; a leaf has its own.
  void deliver(const Tensor& target, Tensor gradient, bool is_fresh) {
    TensorState* state = state_of(target);
    if (!state->record) {
      if (!state->requires_grad) return;
      if (options_.create_graph)
        state->grad = recorded_contiguous(sum(state->grad, gradient));
      else if (state->grad.defined())
        state->grad = sum(state->grad, gradient).contiguous();
      else
        state->grad = is_fresh && gradient.is_contiguous() ? std::move(gradient) : gradient.clone();
      return;
    }
    check<GradientError>(!state->record->outputs.empty(), state->record->op.name(),
                         ": its record was freed by an earlier backward or an activation scope; pass retain_graph to "
                         "walk it twice");
    Pending& entry = pending_[state->record->sequence];
    if (!entry.record) {
      entry.record = state->record;
      entry.grads.resize(state->record->outputs.size());
    }
    Tensor& slot = entry.grads[state->output_index];
    slot = sum(slot, gradient);
  }

  void check_versions(const Record& record) const {
    const auto unchanged = [&](const Tensor& tensor, uint64_t version, std::string_view what) {
      check<GradientError>(!tensor.defined() || tensor.memory()->version() == version, record.op.name(), ": '", what,
                           "', needed for the gradient, was changed in place after it was used");
    };
    for (size_t i = 0; i < record.inputs.size(); ++i)
      unchanged(record.inputs[i], record.input_versions[i], record.op.traits().input(i).name);
    for (size_t i = 0; i < record.outputs.size(); ++i)
      unchanged(record.outputs[i], record.output_versions[i], record.op.traits().outputs[i]);
  }

  // Whether gradient `index` is none of the tensors that the formula was given, nor another gradient, nor a view of any.
  static bool is_fresh(size_t index, const Gradients& found, std::initializer_list<std::span<const Tensor>> given) {
    const Tensor& gradient = found[index].tensor();
    const Storage& storage = *gradient.memory();
    if (gradient.memory().use_count() != 1 || storage.bytes() != gradient.bytes()) return false;
    const auto is_same = [&](const Tensor& other) { return same(other, gradient); };
    for (const auto tensors : given)
      if (std::ranges::any_of(tensors, is_same)) return false;
    return std::ranges::count_if(found, [&](const Var& other) { return is_same(other.tensor()); }) == 1;
  }

  // The outputs as a recorded gradient must see them: with the record that made them.
  static std::vector<Tensor> recorded_outputs(const std::shared_ptr<Record>& record) {
    std::vector<Tensor> out;
    for (size_t i = 0; i < record->outputs.size(); ++i) {
      out.push_back(record->outputs[i].detach());
      if (active_trace() != 0) mark_traced(out.back(), record->output_shapes[i]);
      TensorState& state = ensure_state(out.back());
      state.record = record;
      state.output_index = i;
    }
    return out;
  }

  void walk(const std::shared_ptr<Record>& shared, std::span<const Tensor> grads) {
    Record& record = *shared;
    const OpTraits& traits = record.op.traits();
    check_versions(record);
    check<GradientError>(traits.vjp != nullptr, record.op.name(), " has no gradient: ", traits.not_differentiable);
    std::unique_ptr<bool[]> needed(new bool[record.inputs.size()]);
    for (size_t i = 0; i < record.inputs.size(); ++i) needed[i] = wants_gradient(record.inputs[i]);
    const std::vector<Tensor> outputs = options_.create_graph ? recorded_outputs(shared) : record.outputs;
    GradContext context(record.inputs, outputs, grads, {needed.get(), record.inputs.size()}, applier_);
    const Gradients found = traits.vjp(record.op.data(), context);
    for (size_t i = 0; i < found.size() && i < record.inputs.size(); ++i)
      if (needed[i] && found[i].defined())
        deliver(record.inputs[i], found[i].tensor(), is_fresh(i, found, {record.inputs, outputs, grads}));
    if (!options_.retain_graph && !options_.create_graph) {
      record.inputs.clear();
      record.outputs.clear();
    }
  }

  BackwardOptions options_;
  EagerApplier applier_;
  std::map<uint64_t, Pending> pending_;  // by sequence
};

}  // namespace

void set_requires_grad(const Tensor& tensor, bool required) {
  check(tensor.defined(), "requires_grad: the tensor is undefined");
  check<DTypeError>(!required || is_floating(tensor.dtype()),
                    "requires_grad: only floating-point tensors have gradients, got ", tensor);
  TensorState& state = ensure_state(tensor);
  check<GradientError>(!state.record, "requires_grad: the tensor ", tensor,
                       " was computed by an operator; only leaves can be asked");
  state.requires_grad = required;
}

bool requires_grad(const Tensor& tensor) { return wants_gradient(tensor) || is_traced(tensor); }

Tensor grad(const Tensor& tensor) {
  const TensorState* state = state_of(tensor);
  return state ? state->grad : Tensor();
}

void set_grad(const Tensor& tensor, Tensor gradient) {
  check(tensor.defined(), "set_grad: the tensor is undefined");
  check_untraced("set_grad", kNoGradients, tensor);
  check<ShapeError>(!gradient.defined() || gradient.dims() == tensor.dims(), "set_grad: the gradient has shape ",
                    gradient.defined() ? gradient.dims() : Dims(), ", the tensor ", tensor.dims());
  check<DTypeError>(!gradient.defined() || gradient.dtype() == tensor.dtype(), "set_grad: the gradient is ",
                    gradient.defined() ? gradient.dtype() : DType::undefined, ", the tensor ", tensor.dtype());
  ensure_state(tensor).grad = std::move(gradient);
}

void zero_grad(const Tensor& tensor) {
  check_untraced("zero_grad", kNoGradients, tensor);
  if (TensorState* state = state_of(tensor)) state->grad = Tensor();
}

void backward(const Tensor& output, const Tensor& gradient, BackwardOptions options) {
  if (active_trace() != 0)
    refuse_trace("backward", "a graph has no gradients of the run that it was made from", output);
  check<GradientError>(wants_gradient(output), "backward: nothing that the tensor ", output,
                       " was computed from requires a gradient");
  if (!gradient.defined()) {
    check<GradientError>(output.numel() == 1, "backward: a gradient must be given for a tensor of shape ",
                         output.dims(), "; a loss is reduced before, by sum or mean");
    return Backward(options).run(output, Tensor::full(output.dims(), 1, output.dtype()));
  }
  check<ShapeError>(gradient.dims() == output.dims(), "backward: the gradient has shape ", gradient.dims(),
                    ", the tensor ", output.dims());
  check<DTypeError>(gradient.dtype() == output.dtype(), "backward: the gradient is ", gradient.dtype(), ", the tensor ",
                    output.dtype());
  Backward(options).run(output, gradient);
}

namespace {

/// Sources that require gradients and have none yet while this lives; afterwards they are as they were.
class AskedSources {
 public:
  explicit AskedSources(std::span<const Tensor> sources) : sources_(sources) {
    for (const Tensor& source : sources) {
      before_.emplace_back(ensure_state(source).requires_grad, grad(source));
      set_requires_grad(source);
      state_of(source)->grad = Tensor();
    }
  }
  AskedSources(const AskedSources&) = delete;
  AskedSources& operator=(const AskedSources&) = delete;
  ~AskedSources() {
    for (size_t i = 0; i < sources_.size(); ++i) {
      TensorState& state = *state_of(sources_[i]);
      state.requires_grad = before_[i].first;
      state.grad = std::move(before_[i].second);
    }
  }

 private:
  std::span<const Tensor> sources_;
  std::vector<std::pair<bool, Tensor>> before_;
};

}  // namespace

std::vector<Tensor> gradients(const Tensor& output, std::span<const Tensor> sources) {
  check<GradientError>(wants_gradient(output), "gradients: nothing was recorded of the tensor ", output);
  check<GradientError>(output.numel() == 1, "gradients: one element was expected, got ", output);
  const AskedSources asked(sources);
  Backward({.retain_graph = true, .create_graph = true}).run(output, Tensor::full(output.dims(), 1, output.dtype()));
  std::vector<Tensor> out;
  for (const Tensor& source : sources) out.push_back(grad(source));
  return out;
}

ActivationScope::ActivationScope() : before_(activation_records()) { activation_records() = &records_; }

ActivationScope::~ActivationScope() {
  activation_records() = before_;
  for (const auto& weak : records_) {
    if (const auto record = weak.lock()) {
      record->inputs.clear();
      record->outputs.clear();
    }
  }
}

}  // namespace onemodel
