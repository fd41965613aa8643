#include "export/capture.h"

#include <algorithm>
#include <set>

#include "eager/record.h"
#include "export/same_view.h"
#include "export/structure.h"
#include "nn/random.h"
#include "ops/seeds.h"
#include "trace/build_graph.h"

namespace onemodel {
namespace {

InputKind input_kind(ConstantKind kind) {
  if (kind == ConstantKind::plain) return InputKind::constant;
  return kind == ConstantKind::parameter ? InputKind::parameter : InputKind::buffer;
}

std::string flat_name(InputKind kind, std::string path) {
  std::ranges::replace(path, '.', '_');
  return concat(kind == InputKind::parameter ? "p_" : kind == InputKind::buffer ? "b_" : "c_", path);
}

OutputKind mutation_kind(InputKind kind) {
  if (kind == InputKind::user_input) return OutputKind::user_input_mutation;
  return kind == InputKind::parameter ? OutputKind::parameter_mutation : OutputKind::buffer_mutation;
}

std::string describe(const InputSpec& spec) {
  return spec.is_state() ? concat("the ", kind_name(spec.kind), " '", spec.target, "'")
                         : concat("the input '", spec.name, "'");
}

}  // namespace

Capture::Capture(std::span<const nn::NamedTensor> state, std::map<const void*, std::string> module_paths)
    : generator_(nn::default_generator().state()), seeds_(seeds_state()), log_(std::move(module_paths)) {
  functional_.emplace();
  try {
    for (const nn::NamedTensor& named : state) lift(named);
  } catch (...) {
    restore();
    throw;
  }
}

Capture::~Capture() { restore(); }

void Capture::restore() {
  functional_.reset();  // while the updated tensors still have the state that it clears
  for (const Saved& saved : saved_) saved.tensor.set_extension(saved.extension);
  saved_.clear();
  lifted_.clear();
  nn::default_generator().set_state(generator_);
  restore_seeds(seeds_);
}

void Capture::lift(const nn::NamedTensor& named) {
  check(named.tensor.defined(), "capture: the tensor '", named.path, "' is undefined");
  const auto tied =
      std::ranges::find_if(lifted_, [&](const Lifted& other) { return is_same_view(other.tensor, named.tensor); });
  const bool is_in_dict = named.kind == ConstantKind::parameter || named.kind == ConstantKind::buffer;
  if (tied != lifted_.end() && is_in_dict) {
    InputSpec& spec = tied->spec;
    if (spec.persistent) {
      spec.aliases.push_back(named.path);
    } else {  // a path that is saved comes before one that is not
      spec.target = named.path;
      spec.name = flat_name(spec.kind, named.path);
      spec.persistent = true;
    }
  }
  for (const Saved& saved : saved_)
    if (same(saved.tensor, named.tensor)) return;
  const TensorState* before = state_of(named.tensor);
  const bool is_frozen = named.kind == ConstantKind::parameter && !(before && before->requires_grad);
  saved_.push_back({named.tensor, named.tensor.shared_extension()});
  named.tensor.set_extension(nullptr);
  if (tied != lifted_.end()) {
    named.tensor.set_extension(tied->tensor.shared_extension());
    return;
  }
  mark_traced(named.tensor, Shape(named.tensor.dims()));
  const InputKind kind = input_kind(named.kind);
  add({.kind = kind,
       .name = flat_name(kind, named.path),
       .target = named.path,
       .persistent = named.kind != ConstantKind::non_persistent_buffer,
       .frozen = is_frozen},
      named.tensor);
  if (kind == InputKind::constant) forbid_updates(named.tensor, describe(lifted_.back().spec));
}

void Capture::add(InputSpec spec, const Tensor& tensor) {
  for (const Lifted& other : lifted_) {
    if (other.tensor.memory() != tensor.memory()) continue;
    forbid_updates(tensor, concat(describe(spec), ", which shares memory with ", describe(other.spec)));
    forbid_updates(other.tensor, concat(describe(other.spec), ", which shares memory with ", describe(spec)));
  }
  lifted_.push_back({std::move(spec), tensor, tensor.extension()});
}

Tensor Capture::input(std::string_view name, const Tensor& example, const Shape& shape, bool is_element) {
  Tensor traced = tracer_.sized_input(name, example, shape);
  add({.kind = InputKind::user_input, .name = std::string(name)}, traced);
  if (!is_element) forbid_updates(traced, describe(lifted_.back().spec) + "; elements of containers may be updated");
  return traced;
}

std::vector<TraceInput> Capture::graph_inputs() const {
  std::set<std::string> taken;
  for (const Lifted& lifted : lifted_)
    if (!lifted.spec.is_state()) taken.insert(lifted.spec.name);
  std::vector<TraceInput> out;
  for (const Lifted& lifted : lifted_) {
    const std::string name = lifted.spec.is_state() ? take_name(taken, lifted.spec.name) : lifted.spec.name;
    out.push_back({name, lifted.tensor, type_of(lifted.tensor).shape});
  }
  return out;
}

void Capture::add_mutations(Captured& out, std::vector<Tensor>& values) const {
  for (const Tensor& updated : updated_tensors()) {
    for (size_t i = 0; i < lifted_.size(); ++i) {
      if (lifted_[i].state != updated.extension()) continue;
      const InputSpec& input = out.signature.inputs[i];
      out.signature.outputs.push_back({.kind = mutation_kind(input.kind),
                                       .name = input.name + "_out",
                                       .target = input.is_state() ? input.target : input.name});
      values.push_back(current_value(updated));
    }
  }
}

Captured Capture::finish(std::span<const Tensor> outputs, std::span<const std::string> names) {
  check(outputs.size() == names.size(), "capture: ", outputs.size(), " outputs and ", names.size(), " names");
  const std::vector<TraceInput> inputs = graph_inputs();
  Captured out;
  std::set<std::string> taken;
  for (size_t i = 0; i < inputs.size(); ++i) {
    out.signature.inputs.push_back(lifted_[i].spec);
    out.signature.inputs[i].name = inputs[i].name;
    taken.insert(inputs[i].name);
  }
  std::vector<Tensor> values;
  add_mutations(out, values);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined() || !is_traced(outputs[i]))
      throw TraceError("InvalidUsage", concat("output '", names[i], "', ", outputs[i],
                                              ", depends on no input and no state of the program"));
    out.signature.outputs.push_back({.kind = OutputKind::user_output, .name = names[i]});
    values.push_back(current_operands(outputs.subspan(i, 1), concat("output '", names[i], "'")).front());
  }
  std::vector<std::string> output_names;
  for (OutputSpec& output : out.signature.outputs) output_names.push_back(output.name = take_name(taken, output.name));

  const InternalAccess internal;
  const std::vector<Tensor> watched = watched_values(log_.calls());
  std::vector<std::string> watched_names;
  TracedModel model = build_graph(inputs, {}, values, output_names, watched, watched_names);
  out.graph = std::move(model.graph);
  out.warnings = std::move(model.warnings);
  for (const Tensor& value : values) {
    outputs_.push_back(value.detach());
    if (TensorState* made = state_of(value)) made->record = nullptr;  // else whoever holds it holds the whole run
  }
  out.calls = module_calls(log_.calls(), watched_names);
  for (const InputSpec& input : out.signature.inputs)
    if (!input.is_state()) out.calls.front().inputs.push_back(input.name);
  for (const OutputSpec& output : out.signature.outputs)
    if (output.kind == OutputKind::user_output) out.calls.front().outputs.push_back(output.name);
  return out;
}

std::vector<Tensor> Capture::plain_state() const {
  const InternalAccess internal;
  std::vector<Tensor> out;
  for (const Lifted& lifted : lifted_)
    if (lifted.spec.is_state()) out.push_back(lifted.tensor.detach());
  return out;
}

std::vector<nn::NamedTensor> state_of_module(const nn::Module& module) {
  std::vector<nn::NamedTensor> out = module.named_tensors();
  const auto parent = [](const nn::NamedTensor& named) {
    const size_t dot = named.path.rfind('.');
    return std::string_view(named.path).substr(0, dot == std::string::npos ? 0 : dot);
  };
  for (auto first = out.begin(); first != out.end();) {
    const auto last =
        std::find_if(first, out.end(), [&](const auto& named) { return parent(named) != parent(*first); });
    std::stable_partition(first, last, [](const auto& named) { return named.kind == ConstantKind::parameter; });
    first = last;
  }
  const std::vector<nn::NamedTensor> firsts = out;
  for (const auto& entry : module.state_dict()) {
    const auto is_same = [&](const nn::NamedTensor& named) { return same(named.tensor, entry.second); };
    const auto first = std::ranges::find_if(firsts, is_same);
    if (first == firsts.end() || first->path == entry.first) continue;
    const bool is_parameter = first->kind == ConstantKind::parameter;  // else a buffer that is saved
    out.push_back({entry.first, entry.second, is_parameter ? first->kind : ConstantKind::buffer});
  }
  return out;
}

std::map<const void*, std::string> module_paths(nn::Module& module) {
  std::map<const void*, std::string> out;
  for (const auto& [path, each] : module.named_modules()) out.emplace(each, path);
  return out;
}

}  // namespace onemodel
