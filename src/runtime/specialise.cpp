#include "runtime/specialise.h"

#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/shape.h"

namespace onemodel {
namespace {

// Larger results are computed in every run: one copy per plan would cost more memory than it saves time.
constexpr size_t kMaxFoldedBytes = size_t{1} << 20;

class Specialiser {
 public:
  Specialiser(const Graph& graph, const Signature& signature) : graph_(graph) {
    const size_t count = graph.values.size();
    out_.dtypes.resize(count);
    out_.dims.resize(count);
    out_.constants.resize(count);
    for (size_t v = 0; v < count; ++v)
      if (const Tensor& constant = graph.values[v].constant; constant.defined())
        set_constant(static_cast<ValueId>(v), constant);
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      const auto v = static_cast<size_t>(graph.inputs[i]);
      out_.dtypes[v] = graph.values[v].type.dtype;
      out_.dims[v] = signature.dims[i];
      out_.constants[v] = signature.values[i];
    }
  }

  Specialised run() {
    for (const Node& node : graph_.nodes) {
      try {
        infer_node(node);
      } catch (Error& error) {
        error.add_context(location(node.name, node.op, node.module_path));
        throw;
      }
    }
    mark_needed();
    return std::move(out_);
  }

 private:
  void set_constant(ValueId id, const Tensor& tensor) {
    const auto v = static_cast<size_t>(id);
    out_.dtypes[v] = tensor.dtype();
    out_.dims[v] = tensor.dims();
    out_.constants[v] = tensor.contiguous();
  }

  void infer_node(const Node& node) {
    std::vector<TensorType> types;
    std::vector<Tensor> values;
    bool known = !node.op.traits().info.random;
    for (ValueId id : node.inputs) {
      const auto v = static_cast<size_t>(id);
      types.push_back(id == kNone ? TensorType{} : TensorType{out_.dtypes[v], Shape(out_.dims[v])});
      values.push_back(id == kNone ? Tensor() : out_.constants[v]);
      known &= id == kNone || values.back().defined();
    }
    InferContext context(node.op.traits(), types, values, node.outputs.size());
    infer(node.op, context);
    size_t bytes = 0;
    for (size_t i = 0; i < node.outputs.size(); ++i) bytes += set_output(node, context, i);
    if (known && node.op.traits().info.keeps_elements && !node.clamp)
      alias_constant(node);
    else if (known && bytes <= kMaxFoldedBytes && !node.clamp)
      evaluate_node(node, values);
  }

  size_t set_output(const Node& node, const InferContext& context, size_t i) {
    const TensorType& type = context.outputs()[i];
    check<ShapeError>(type.shape.is_concrete(), "output '", node.op.traits().outputs[i], "' has shape ", type.shape,
                      ", which depends on values known only while running");
    const Dims dims = type.shape.dims();
    if (node.outputs[i] == kNone) return 0;
    const auto v = static_cast<size_t>(node.outputs[i]);
    out_.dtypes[v] = type.dtype;
    out_.dims[v] = dims;
    if (const auto& data = context.output_shape_data(i); data && !node.clamp) set_from_shape_data(v, *data);
    return static_cast<size_t>(numel(dims)) * dtype_size(type.dtype);
  }

  void set_from_shape_data(size_t v, const ShapeData& data) {
    std::vector<int64_t> numbers;
    for (const Extent& extent : data) {
      if (!extent.is_number()) return;
      numbers.push_back(extent.number());
    }
    if (numel(out_.dims[v]) != static_cast<int64_t>(numbers.size())) return;
    const Tensor list = Tensor::from_ints(numbers).reshape(out_.dims[v]);
    out_.constants[v] = out_.dtypes[v] == DType::i64 ? list : list.cast(out_.dtypes[v]);
  }

  void alias_constant(const Node& node) {
    const auto from = static_cast<size_t>(node.inputs[0]), to = static_cast<size_t>(node.outputs[0]);
    if (node.outputs[0] != kNone) out_.constants[to] = out_.constants[from].reshape(out_.dims[to]);
  }

  void evaluate_node(const Node& node, std::span<const Tensor> inputs) {
    std::vector<Tensor> outputs;
    bool missing = false;
    for (ValueId id : node.outputs) {
      const auto v = static_cast<size_t>(id);
      missing |= id != kNone && !out_.constants[v].defined();
      outputs.push_back(id == kNone ? Tensor() : Tensor::empty(out_.dims[v], out_.dtypes[v]));
    }
    if (!missing) return;  // shape arithmetic told all
    evaluate(node.op, inputs, outputs);
    for (size_t i = 0; i < outputs.size(); ++i)
      if (node.outputs[i] != kNone) out_.constants[static_cast<size_t>(node.outputs[i])] = outputs[i];
  }

  void mark_needed() {
    out_.needed.resize(graph_.nodes.size());
    std::vector<bool> wanted(graph_.values.size());
    for (ValueId id : graph_.outputs) wanted[static_cast<size_t>(id)] = true;
    for (size_t n = graph_.nodes.size(); n-- > 0;) {
      const Node& node = graph_.nodes[n];
      for (ValueId id : node.outputs)
        if (id != kNone && wanted[static_cast<size_t>(id)] && !out_.constants[static_cast<size_t>(id)].defined())
          out_.needed[n] = true;
      if (!out_.needed[n]) continue;
      for (ValueId id : node.inputs)
        if (id != kNone) wanted[static_cast<size_t>(id)] = true;
    }
  }

  const Graph& graph_;
  Specialised out_;
};

}  // namespace

Specialised specialise(const Graph& graph, const Signature& signature) { return Specialiser(graph, signature).run(); }

std::vector<bool> inputs_that_decide_shapes(const Graph& graph) {
  std::vector<bool> decides(graph.values.size());
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    bool output_decides = false;
    for (ValueId id : node.outputs) output_decides |= id != kNone && decides[static_cast<size_t>(id)];
    output_decides &= !node.op.is<ShapeOf>();  // reads sizes only
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] != kNone && (output_decides || node.op.traits().input(i).is_shape_data))
        decides[static_cast<size_t>(node.inputs[i])] = true;
  }
  std::vector<bool> inputs;
  for (ValueId id : graph.inputs) inputs.push_back(decides[static_cast<size_t>(id)]);
  return inputs;
}

std::string location(std::string_view node, const Op& op, std::string_view module_path) {
  std::string text = concat("node '", node, "' (", op.name(), ")");
  return module_path.empty() ? text : concat(text, " in ", module_path);
}

}  // namespace onemodel
