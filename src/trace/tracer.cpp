#include "trace/tracer.h"

#include <atomic>

#include "eager/functional_trace.h"
#include "eager/record.h"
#include "format/file.h"
#include "runtime/onnx_file.h"
#include "trace/build_graph.h"

namespace onemodel {
namespace {

template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (ok) [[likely]]
    return;
  const std::string path = module_path();
  throw TraceError("InvalidUsage", concat(path.empty() ? "" : concat("module '", path, "': "), parts...));
}

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

// An example that was expanded looks the same transposed or flipped, which other values would not.
bool repeats_elements(const Tensor& tensor) {
  for (size_t i = 0; i < tensor.rank(); ++i)
    if (tensor.dims()[i] > 1 && tensor.strides()[i] == 0) return true;
  return false;
}

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

std::optional<int64_t> Tracer::declared_size(std::string_view symbol) const {
  for (const TraceInput& input : inputs_)
    for (const Extent& extent : input.shape)
      if (!extent.is_number() && extent.text() == symbol) return extent.example();
  return {};
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
  Tensor traced = repeats_elements(example) ? example.detach().contiguous() : example.detach();
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
  Shape shape(example.dims());
  for (size_t i = 0; i < axis_names.size(); ++i) {
    const std::string& symbol = axis_names[i];
    if (symbol.empty()) continue;
    const int64_t size = example.dims()[i];
    require(symbol.find_first_of("*+-/(), ") == symbol.npos && !(symbol[0] >= '0' && symbol[0] <= '9'),
            "Tracer.input: axis ", i, " of ", subject, " is named '", symbol,
            "'; a symbol does not begin with a digit and has none of * + - / ( ) , and space, which formulas of sizes "
            "have");
    require(size >= 2, "Tracer.input: axis ", i, " of ", subject, " is named '", symbol, "' but has example size ",
            size, "; a symbol's example size must be at least 2");
    const auto declared = declared_size(symbol);
    require(!declared || *declared == size, "Tracer.input: axis ", i, " of ", subject, " has example size ", size,
            ", but the symbol '", symbol, "' has example size ", declared.value_or(0));
    const auto same_size = [&](const Extent& other) {
      require(other.is_number() || other.text() == symbol || other.example() != size, "Tracer.input: axis ", i, " of ",
              subject, " is named '", symbol, "' and has the same example size ", size, " as the symbol '", other,
              "'; give them different sizes so that they can be told apart");
    };
    for (const TraceInput& other : inputs_)
      for (const Extent& extent : other.shape) same_size(extent);
    for (size_t j = 0; j < i; ++j) {
      same_size(shape[j]);
      require(axis_names[j] != symbol || example.dims()[j] == size, "Tracer.input: axes ", j, " and ", i, " of ",
              subject, " are both named '", symbol, "' but have example sizes ", example.dims()[j], " and ", size);
    }
    shape[i] = Extent::symbol(symbol, size);
  }
  return add_input(name, example, std::move(shape));
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
