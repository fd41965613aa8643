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

// Makes the shape of an input whose axes have names: "batch", or a multiple of a symbol, "2*batch".
class NamedAxes {
 public:
  NamedAxes(const std::string& subject, const std::vector<TraceInput>& others, const Dims& dims)
      : subject_(subject), others_(others), shape_(dims) {}

  Shape shape(std::span<const std::string> names) {
    for (size_t axis = 0; axis < names.size(); ++axis)
      if (!names[axis].empty()) add(axis, names[axis]);
    return std::move(shape_);
  }

 private:
  void add(size_t axis, const std::string& name) {
    const size_t digits = name.find_first_not_of("0123456789");
    const bool has_factor = digits != name.npos && digits > 0 && digits < 9 && name[digits] == '*';
    const int64_t factor = has_factor ? std::stol(name) : 1, size = shape_[axis].number();
    const std::string symbol = has_factor ? name.substr(digits + 1) : name;
    const std::string named = concat("Tracer.input: axis ", axis, " of ", subject_, " is named '", name, "'");
    require(factor > 0 && !symbol.empty() && symbol.find_first_of("*+-/(), ") == symbol.npos &&
                !(symbol[0] >= '0' && symbol[0] <= '9'),
            named,
            "; a symbol does not begin with a digit and has none of * + - / ( ) , and space, which formulas of sizes "
            "have; a factor may come first (2*n)");
    require(size % factor == 0, named, " but has example size ", size, ", no multiple of ", factor);
    const Extent atom = Extent::symbol(symbol, size / factor);
    require(size / factor >= 2, named, " but has example size ", size, "; a symbol's example size must be at least 2");
    const Extent extent = atom * Extent(factor);
    for (const TraceInput& other : others_)
      for (const Extent& each : other.shape) check_apart(named, extent, each);
    for (size_t i = 0; i < axis; ++i) check_apart(named, extent, shape_[i]);
    shape_[axis] = extent;
  }

  // A symbol has one size, and neither it nor its multiple has that of another.
  void check_apart(const std::string& named, const Extent& extent, const Extent& other) const {
    const Extent symbol = extent.factors().front();
    for (const Extent& each : other.factors())
      require(!(each == symbol) || each.example() == symbol.example(), named, " and has example size ",
              extent.example().value_or(0), ", but '", symbol, "' cannot have example size ",
              each.example().value_or(0), " and ", symbol.example().value_or(0));
    const auto is_apart = [](const Extent& a, const Extent& b) { return a == b || a.example() != b.example(); };
    for (const Extent& each : other.factors())
      require(is_apart(symbol, each) && is_apart(extent, each) && is_apart(symbol, other) && is_apart(extent, other),
              named, " and has the same example size ", extent.example().value_or(0), " as the symbol '", other,
              "'; give them different sizes so that they can be told apart");
  }

  const std::string& subject_;
  const std::vector<TraceInput>& others_;
  Shape shape_;
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

void Tracer::check_new_input(std::string_view name, const Tensor& example) const {
  check_active("input");
  require(!name.empty(), "Tracer.input: the name is empty");
  for (const TraceInput& other : inputs_)
    require(other.name != name, "Tracer.input: the name '", name, "' is used twice");
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
  return add_input(name, example, NamedAxes(subject, inputs_, example.dims()).shape(axis_names));
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
