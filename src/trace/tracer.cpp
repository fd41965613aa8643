#include "trace/tracer.h"

#include <atomic>

#include "core/expanded_axis.h"
#include "eager/functional_trace.h"
#include "eager/record.h"
#include "format/file.h"
#include "runtime/onnx_file.h"
#include "trace/build_graph.h"
#include "trace/invalid_usage.h"
#include "trace/named_axes.h"

namespace onemodel {
namespace {

class OlderTensors final : public WriteWatch {
 public:
  explicit OlderTensors(const std::vector<TraceParameter>& parameters) : parameters_(parameters) {}

  void before_write(const Tensor& tensor, std::string_view how) override {
    const std::string path = module_path();
    throw TraceError(
        "InPlaceMutation",
        concat(path.empty() ? "" : concat("module '", path, "': "), how, ": ", describe(tensor), " would be changed; ",
               functional_trace()
                   ? "a captured program updates parameters, buffers and elements of containers only"
                   : "a trace has no updates, and its value of this run would be frozen in the graph: export the "
                     "program instead (exportProgram, export_program in C++)"));
  }

 private:
  std::string describe(const Tensor& tensor) const {
    for (const TraceParameter& parameter : parameters_) {
      if (parameter.tensor.memory() != tensor.memory()) continue;
      const std::string_view kind = parameter.kind == ConstantKind::parameter ? "parameter" : "buffer";
      return concat("the ", kind, " '", parameter.name, "', ", tensor, ",");
    }
    return concat(tensor, ", which was there before the trace,");
  }

  const std::vector<TraceParameter>& parameters_;
};

}  // namespace

void TracedModel::save(const std::string& path) const { save_onemodel(path, graph); }

void TracedModel::save_onnx(const std::string& path, std::optional<uint64_t> external_from) const {
  onemodel::save_onnx(path, graph, external_from);
}

Tracer::Tracer() {
  static std::atomic<uint64_t> next{0};
  require(active_trace() == 0, "Tracer: this thread is tracing already; finish that trace first");
  id_ = ++next;
  set_active_trace(id_);
  watch_ = std::make_unique<OlderTensors>(parameters_);
}

Tracer::~Tracer() {
  if (id_ != 0) set_active_trace(0);
}

void Tracer::check_active(std::string_view what) const {
  require(id_ != 0 && active_trace() == id_, "Tracer.", what, ": the trace is finished");
}

void Tracer::check_new_input(std::string_view name, const Tensor& example) const {
  check_active("input");
  require(!name.empty(), "Tracer.input: the name is empty");
  for (const TraceInput& other : inputs_)
    require(other.name != name, "Tracer.input: the name '", name, "' is used twice");
  require(example.defined(), "Tracer.input: the example of '", name, "' is undefined");
  require(!is_traced(example), "Tracer.input: the example of '", name, "', ", example,
          ", depends on another input of this trace");
}

Tensor Tracer::add_input(std::string_view name, const Tensor& example, Shape shape) {
  const InternalAccess internal;
  // An example that was expanded looks the same transposed or flipped, which other values would not.
  Tensor traced = expanded_axis(example) ? example.detach().contiguous() : example.detach();
  mark_traced(traced, shape);
  inputs_.push_back({std::string(name), traced, std::move(shape)});
  return traced;
}

Tensor Tracer::sized_input(std::string_view name, const Tensor& example, const Shape& shape) {
  check_new_input(name, example);
  const auto sizes = shape.example();
  require(sizes && *sizes == example.dims(), "Tracer.input: the sizes of '", name, "', ", example,
          ", are not those of ", shape);
  for (size_t i = 0; i < shape.rank(); ++i)
    for (const Extent& atom : shape[i].factors())
      require(atom.example().value_or(0) >= 2, "Tracer.input: axis ", i, " of '", name, "' has the size ", shape[i],
              ", where '", atom, "' has example size ", atom.example().value_or(0),
              "; a symbol's example size must be at least 2");
  return add_input(name, example, shape);
}

Tensor Tracer::input(std::string_view name, const Tensor& example, std::span<const std::string> axis_names) {
  check_new_input(name, example);
  const std::string subject = concat("'", name, "', ", example, ",");
  require(axis_names.empty() || axis_names.size() == example.rank(), "Tracer.input: ", subject, " has rank ",
          example.rank(), ", got ", axis_names.size(), " axis names");
  return add_input(name, example, shape_of_named_axes(subject, example.dims(), axis_names, inputs_));
}

void Tracer::parameter(std::string_view name, const Tensor& tensor, ConstantKind kind) {
  check_active("parameter");
  require(!name.empty(), "Tracer.parameter: the name is empty");
  for (const TraceParameter& other : parameters_)
    require(other.name != name, "Tracer.parameter: the name '", name, "' is used twice");
  parameters_.push_back({std::string(name), tensor, kind});
}

TracedModel Tracer::finish(std::span<const Tensor> outputs, std::span<const std::string> names) {
  check_active("finish");
  require(!outputs.empty() && outputs.size() == names.size(), "Tracer.finish: ", outputs.size(), " outputs and ",
          names.size(), " names");
  for (size_t i = 0; i < names.size(); ++i) {
    require(!names[i].empty(), "Tracer.finish: the name of output ", i, " is empty");
    for (size_t j = 0; j < i; ++j)
      require(names[i] != names[j], "Tracer.finish: the name '", names[i], "' is used twice");
    for (const TraceInput& input : inputs_)
      require(names[i] != input.name, "Tracer.finish: the name '", names[i], "' is that of an input");
    require(outputs[i].defined() && is_traced(outputs[i]), "Tracer.finish: output '", names[i], "', ", outputs[i],
            ", does not depend on an input of the trace");
  }
  const InternalAccess internal;
  TracedModel model = build_graph(inputs_, parameters_, outputs, names);
  for (const Tensor& output : outputs)
    if (TensorState* state = state_of(output)) state->record = nullptr;
  set_active_trace(0);
  watch_ = nullptr;
  id_ = 0;
  inputs_.clear();
  parameters_.clear();
  return model;
}

}  // namespace onemodel
