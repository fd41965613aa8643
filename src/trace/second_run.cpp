#include "trace/second_run.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace onemodel {
namespace {

template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    throw TraceError("InvalidUsage", concat("verify: ", parts...));
}

// What the symbols of the inputs are in the examples.
SymbolSizes example_sizes(const Graph& graph, std::span<const Tensor> examples) {
  require(examples.size() == graph.inputs.size(), "the graph has ", graph.inputs.size(), " inputs, got ",
          examples.size(), " examples");
  SymbolSizes sizes;
  for (size_t i = 0; i < examples.size(); ++i) {
    const Value& input = graph.value(graph.inputs[i]);
    require(examples[i].defined() && examples[i].rank() == input.type.shape.rank(), "input '", input.name, "' is ",
            input.type, ", got the example ", examples[i]);
    for (size_t axis = 0; axis < examples[i].rank(); ++axis)
      if (const Extent& extent = input.type.shape[axis]; extent.atoms().size() == 1)
        sizes[extent.atoms().front()] = examples[i].dims()[axis] / extent.coefficient();
  }
  return sizes;
}

// By what the inputs' axes multiply the symbol; 1 at least.
std::set<int64_t> factors_of(const std::string& symbol, const Graph& graph) {
  std::set<int64_t> factors = {1};
  for (const ValueId input : graph.inputs)
    for (const Extent& extent : graph.value(input).type.shape)
      if (extent.atoms() == std::vector{symbol}) factors.insert(extent.coefficient());
  return factors;
}

}  // namespace

SymbolSizes second_sizes(const Graph& graph, std::span<const Tensor> examples, const SymbolSizes& wanted) {
  const SymbolSizes before = example_sizes(graph, examples);
  std::set<int64_t> taken;
  for (const Tensor& example : examples) taken.insert(example.dims().begin(), example.dims().end());
  for (const auto& [symbol, size] : wanted) {
    const auto known = before.find(symbol);
    require(known != before.end(), "'", symbol, "' is no symbol of the inputs, which have ",
            before.empty() ? "none: name symbolic axes first" : to_string(before));
    require(size >= 2 && size != known->second, "the size of '", symbol, "' is ", known->second,
            " in the example; expected another one of at least 2, got ", size);
    taken.insert(size);
  }
  SymbolSizes sizes = wanted;
  for (const auto& [symbol, size] : before) {
    if (sizes.contains(symbol)) continue;
    int64_t other = size + 1;
    const auto is_taken = [&](int64_t factor) { return taken.contains(factor * other); };
    const std::set<int64_t> factors = factors_of(symbol, graph);
    while (std::ranges::any_of(factors, is_taken)) ++other;
    for (const int64_t factor : factors) taken.insert(factor * other);
    sizes[symbol] = other;
  }
  return sizes;
}

std::vector<Tensor> second_inputs(const Graph& graph, std::span<const Tensor> examples, const SymbolSizes& sizes) {
  std::vector<Tensor> out;
  for (size_t i = 0; i < examples.size(); ++i) {
    Dims dims;
    for (Extent extent : graph.value(graph.inputs[i]).type.shape) {
      for (const std::string& symbol : extent.atoms()) extent = extent.substitute(symbol, sizes.at(symbol));
      dims.push_back(extent.number());
    }
    out.push_back(resized(examples[i], dims));
  }
  return out;
}

Tensor resized(const Tensor& example, const Dims& dims) {
  if (example.numel() == 0) return Tensor::zeros(dims, example.dtype());
  const InternalAccess internal;
  const Tensor source = example.contiguous();
  Tensor out = Tensor::empty(dims, example.dtype());
  const Dims &from = source.dims(), strides = source.strides();
  const size_t item = dtype_size(example.dtype());
  const std::byte* in = source.raw();
  std::byte* to = out.mutable_raw();
  Dims index = Dims::filled(dims.size(), 0);
  for (int64_t i = 0; i < out.numel(); ++i) {
    int64_t at = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis) at += index[axis] % from[axis] * strides[axis];
    std::memcpy(to + static_cast<size_t>(i) * item, in + static_cast<size_t>(at) * item, item);
    for (size_t axis = dims.size(); axis-- > 0;) {
      if (++index[axis] < dims[axis]) break;
      index[axis] = 0;
    }
  }
  return out;
}

std::string to_string(const SymbolSizes& sizes) {
  std::string out;
  for (const auto& [symbol, size] : sizes) out += concat(out.empty() ? "" : ", ", symbol, " = ", size);
  return out;
}

}  // namespace onemodel
