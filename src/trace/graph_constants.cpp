#include "trace/graph_constants.h"

#include <algorithm>

namespace onemodel {
namespace {

constexpr uint64_t kLargestConstant = uint64_t{1} << 31;
constexpr int64_t kShortList = 16;

std::string describe_use(const Record& record, size_t index) {
  return concat("operand '", record.op.traits().input(index).name, "' of ", record.op.name(),
                record.module_path.empty() ? "" : concat(" in module '", record.module_path, "'"));
}

}  // namespace

TraceConstants::View TraceConstants::view_of(const Tensor& tensor) {
  return {tensor.memory().get(), tensor.offset(), tensor.dims().vector(), tensor.strides().vector(), tensor.dtype()};
}

std::pair<std::string, ConstantKind> TraceConstants::name_of(const Tensor& tensor) {
  const View wanted = view_of(tensor);
  for (const TraceParameter& parameter : parameters_)
    if (view_of(parameter.tensor) == wanted) return {parameter.name, parameter.kind};
  for (const TraceParameter& parameter : parameters_)
    if (parameter.tensor.memory() == tensor.memory())
      return {concat(parameter.name, ".view_", ++views_of_[parameter.name]), parameter.kind};
  return {"constant", ConstantKind::plain};
}

ValueId TraceConstants::add(std::string_view name, Tensor constant, ConstantKind kind) {
  const TensorType type{constant.dtype(), Shape(constant.dims())};
  graph_.values.push_back({.name = names_.unique(name), .type = type, .constant = std::move(constant), .kind = kind});
  return static_cast<ValueId>(graph_.values.size()) - 1;
}

ValueId TraceConstants::find(const Tensor& tensor) const {
  const auto found = captured_.find(view_of(tensor));
  return found == captured_.end() ? kNone : found->second;
}

ValueId TraceConstants::capture(const Record& record, size_t index) {
  const Tensor& tensor = record.inputs[index];
  if (tensor.memory()->version() != record.input_versions[index])
    throw TraceError("InPlaceMutation", concat(describe_use(record, index), ", the constant ", tensor,
                                               ", was changed in place during the trace"));
  if (traced_storages_.contains(tensor.memory()))
    throw TraceError("DataDependent", concat(describe_use(record, index), ", ", tensor,
                                             ", is a view of a traced tensor made outside of the operators; its values "
                                             "would be frozen in the graph"));
  const View view = view_of(tensor);
  if (const auto found = captured_.find(view); found != captured_.end()) return found->second;
  if (tensor.dtype() == DType::i64 && tensor.rank() == 1 && tensor.numel() <= kShortList) {
    const bool is_parameter = std::any_of(parameters_.begin(), parameters_.end(), [&](const TraceParameter& parameter) {
      return parameter.tensor.memory() == tensor.memory();
    });
    if (!is_parameter) return integers(tensor.to_vector<int64_t>());
  }
  if (static_cast<uint64_t>(tensor.numel()) * dtype_size(tensor.dtype()) > kLargestConstant)
    throw TraceError("UnsupportedOperation", concat(describe_use(record, index), ", ", tensor,
                                                    ", is over the 2 GiB that a graph's constant may have"));
  auto [name, kind] = name_of(tensor);
  const ValueId id = add(name, tensor.clone(), kind);
  captured_.emplace(view, id);
  return id;
}

ValueId TraceConstants::integers(std::span<const int64_t> values) {
  std::vector<int64_t> key(values.begin(), values.end());
  const auto found = integers_.find(key);
  if (found != integers_.end()) return found->second;
  const ValueId id = add("shape", Tensor::from_ints(values), ConstantKind::plain);
  integers_.emplace(std::move(key), id);
  return id;
}

}  // namespace onemodel
