#include "export/example_sizes.h"

#include <algorithm>
#include <optional>

namespace onemodel {
namespace {

// Sizes that are tried for one that varies.
constexpr int64_t kTries = 64;
// What values may take at sizes that nobody ran with, and that a file may have made up.
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

// Where an axis has its size from: itself, when nothing is said.
SizeRelation relation_of(const Graph& graph, const Extent& extent) {
  const std::string text = extent.text();
  if (const auto stated = stated_relation(extent)) return *stated;
  if (const SizeRelation* named = graph.contract ? graph.contract->relation_of(text) : nullptr) return *named;
  return {text, text};
}

class OtherSizes {
 public:
  explicit OtherSizes(const ExportedProgram& program)
      : program_(program),
        inputs_(std::span(program.graph.inputs).subspan(program.signature.state_count())),
        contract_(user_contract(program.graph, program.signature)),
        examples_(examples_of(program)) {
    for (const ValueId id : inputs_)
      for (const Extent& extent : shape(id)) {
        if (extent.is_number()) continue;
        const SizeRelation relation = relation_of(program.graph, extent);
        roots_[relation.root] = (extent.example().value_or(0) - relation.offset) / relation.scale;
      }
  }

  std::vector<SizedInputs> run() const {
    std::vector<SizedInputs> out;
    SymbolSizes larger = roots_, smaller = roots_;
    for (const auto& [root, size] : roots_) {
      larger[root] = first_taken(root, larger, size + 1, std::min(size + kTries, 2 * size + 2));
      smaller[root] = first_taken(root, smaller, std::max<int64_t>(1, size - kTries), size);
    }
    for (const SymbolSizes& sizes : {larger, smaller})
      if (sizes != roots_) out.push_back({sizes, inputs_at(sizes)});
    return out;
  }

 private:
  const Shape& shape(ValueId id) const { return program_.graph.value(id).type.shape; }

  // The first size in [from, to] that the program takes when the others are those of the examples: one that no other root has, here
  // or in `chosen`, where there is one, so that sizes are told apart. Else that of the example.
  int64_t first_taken(const std::string& root, const SymbolSizes& chosen, int64_t from, int64_t to) const {
    const auto has_it = [&](const SymbolSizes& all, int64_t size) {
      return std::ranges::any_of(all, [&](const auto& each) { return each.first != root && each.second == size; });
    };
    SymbolSizes sizes = roots_;
    std::optional<int64_t> shared;
    for (int64_t size = from; size <= to; ++size) {
      sizes[root] = size;
      const bool is_shared = has_it(roots_, size) || has_it(chosen, size);
      if ((is_shared && shared) || !is_taken(sizes)) continue;
      if (!is_shared) return size;
      shared = size;
    }
    return shared.value_or(roots_.at(root));
  }

  Dims dims_at(ValueId id, const SymbolSizes& sizes) const {
    Dims out;
    for (const Extent& extent : shape(id)) {
      if (extent.is_number()) {
        out.push_back(extent.number());
        continue;
      }
      const SizeRelation relation = relation_of(program_.graph, extent);
      out.push_back(relation.scale * sizes.at(relation.root) + relation.offset);
    }
    return out;
  }

  bool is_taken(const SymbolSizes& sizes) const {
    std::vector<Tensor> inputs;
    for (const ValueId id : inputs_) {
      const Dims dims = dims_at(id, sizes);
      if (std::ranges::any_of(dims, [](int64_t size) { return size < 1; })) return false;
      inputs.push_back(Tensor::empty({}, program_.graph.value(id).type.dtype).expand(dims));
    }
    try {
      contract_.check(inputs);
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  std::vector<Tensor> inputs_at(const SymbolSizes& sizes) const {
    std::vector<Tensor> out;
    for (size_t i = 0; i < inputs_.size(); ++i) out.push_back(resized(examples_[i], dims_at(inputs_[i], sizes)));
    return out;
  }

  const ExportedProgram& program_;
  std::span<const ValueId> inputs_;
  InputContract contract_;
  std::vector<Tensor> examples_;
  SymbolSizes roots_;  // as in the examples
};

uint64_t bytes_of(const TensorType& type) {
  uint64_t bytes = dtype_size(type.dtype);
  for (const Extent& extent : type.shape) {
    const auto size = static_cast<uint64_t>(extent.example().value_or(1));
    if (__builtin_mul_overflow(bytes, size, &bytes)) return kMostBytes + 1;
  }
  return std::min(bytes, kMostBytes + 1);
}

// The value with which those of the graph, but for constants, take more than `most` at the example sizes; null: they do not.
const Value* value_beyond(const Graph& graph, uint64_t most) {
  uint64_t sum = 0;
  for (const Value& value : graph.values)
    if (!value.is_constant() && (sum += bytes_of(value.type)) > most) return &value;
  return nullptr;
}

bool is_made_up(const ExportedProgram& program) {
  const std::span ids = std::span(program.graph.inputs).subspan(program.signature.state_count());
  return !std::ranges::equal(program.example_inputs, ids, [&](const Tensor& example, ValueId id) {
    const TensorType& type = program.graph.value(id).type;
    return example.dtype() == type.dtype && example.dims() == type.shape.example();
  });
}

}  // namespace

std::vector<Tensor> examples_of(const ExportedProgram& program) {
  if (!is_made_up(program)) return program.example_inputs;
  const Graph& graph = program.graph;
  if (const Value* beyond = value_beyond(graph, kMostBytes))
    throw ArgumentError(concat("program '", graph.name, "': its values take more than 1 GiB at the example sizes, '",
                               beyond->name, "' (", beyond->type,
                               ") among them; it has to have its example inputs to be captured anew"));
  std::vector<Tensor> out;
  for (size_t i = program.signature.state_count(); i < graph.inputs.size(); ++i) {
    const TensorType& type = graph.value(graph.inputs[i]).type;
    const Dims dims = type.shape.example().value();
    const Tensor own = out.size() < program.example_inputs.size() ? program.example_inputs[out.size()] : Tensor();
    const bool fits = own.defined() && own.dtype() == type.dtype && own.rank() == dims.size();
    // Of integers, which may be indices, only 0 is in every range.
    const Tensor any = Tensor::full({}, is_integer(type.dtype) ? 0 : 1, type.dtype);
    out.push_back(fits ? resized(own, dims) : any.expand(dims));
  }
  return out;
}

std::vector<SizedInputs> examples_of_other_sizes(const ExportedProgram& program) {
  if (is_made_up(program) && value_beyond(program.graph, kMostBytes / 16)) return {};
  return OtherSizes(program).run();
}

}  // namespace onemodel
