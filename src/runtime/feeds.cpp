#include "runtime/feeds.h"

#include <algorithm>
#include <cstring>

namespace onemodel {
namespace {

struct Binding {
  std::string symbol;
  int64_t size;
  const ValueInfo* input;
  size_t axis;
};

// What an input takes.
std::string expected_of(const ValueInfo& input) {
  if (input.holds != Holds::tensor) {
    const std::string_view nothing = input.holds == Holds::sequence ? "" : " or nothing";
    if (input.holds != Holds::optional_tensor) return concat("a sequence of ", input.dtype, nothing);
    if (input.shape.rank() == 0) return concat("a tensor of ", input.dtype, nothing);
    return concat(TensorType{input.dtype, input.shape}, nothing);
  }
  return input.has_rank ? concat(TensorType{input.dtype, input.shape}) : concat(input.dtype, " of any rank");
}

bool same_contents(const Tensor& a, const Tensor& b) {
  return a.is_contiguous() && std::memcmp(a.raw(), b.raw(), b.bytes()) == 0;
}

}  // namespace

std::string names_of(std::span<const ValueInfo> values) {
  std::string out;
  for (const ValueInfo& value : values) out += concat(out.empty() ? "'" : ", '", value.name, "'");
  return out.empty() ? "none" : out;
}

InputContract::InputContract(std::string model, std::vector<ValueInfo> inputs, std::vector<bool> decides_shapes,
                             std::shared_ptr<const SizeContract> sizes)
    : model_(std::move(model)),
      inputs_(std::move(inputs)),
      decides_shapes_(std::move(decides_shapes)),
      sizes_(std::move(sizes)),
      check_(inputs_, sizes_.get()) {
  for (const ValueInfo& input : inputs_)
    if (input.dtype == DType::undefined) throw ModelError("Malformed", subject(input) + " has no element type");
}

bool InputContract::is_static() const {
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (decides_shapes_[i] || !inputs_[i].has_rank || !inputs_[i].shape.is_concrete()) return false;
  return true;
}

Signature InputContract::static_signature() const {
  Signature signature;
  for (const ValueInfo& input : inputs_) signature.dims.push_back(input.shape.dims());
  signature.values.resize(inputs_.size());
  return signature;
}

std::string InputContract::subject(const ValueInfo& input) const {
  return concat("model '", model_, "': input '", input.name, "'");
}

std::vector<Tensor> InputContract::in_order(std::span<const Feed> feeds) const {
  std::vector<Tensor> tensors(inputs_.size());
  for (const auto& [name, tensor] : feeds) {
    const auto at =
        std::find_if(inputs_.begin(), inputs_.end(), [&](const ValueInfo& input) { return input.name == name; });
    onemodel::check(at != inputs_.end(), "model '", model_, "' has no input '", name, "' (inputs: ", names_of(inputs_),
                    ")");
    Tensor& slot = tensors[static_cast<size_t>(at - inputs_.begin())];
    onemodel::check(!slot.defined(), subject(*at), " is fed twice");
    onemodel::check(tensor.defined(), subject(*at), " expects ", expected_of(*at), ", got an undefined tensor");
    slot = tensor;
  }
  return tensors;
}

bool InputContract::matches(const Signature& signature, std::span<const Tensor> tensors) const {
  if (tensors.size() != inputs_.size()) return false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (!tensor.defined() || tensor.dtype() != inputs_[i].dtype) return false;
    if (tensor.dims() != signature.dims[i]) return false;
    if (signature.values[i].defined() && !same_contents(tensor, signature.values[i])) return false;
  }
  return true;
}

void InputContract::check_count(size_t count) const {
  onemodel::check(count == inputs_.size(), "model '", model_, "' has ", inputs_.size(), " inputs (", names_of(inputs_),
                  "), got ", count);
}

void InputContract::check_items(std::span<const Item> items) const {
  check_count(items.size());
  std::vector<Tensor> tensors(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    if (inputs_[i].holds != Holds::tensor) {
      check_container(inputs_[i], items[i]);
      continue;
    }
    onemodel::check<DTypeError>(!items[i].sequence, subject(inputs_[i]), " expects a tensor, got ", items[i]);
    if (items[i].is_nothing() && inputs_[i].initial.defined()) continue;
    check_defined(i, items[i].tensor);
    tensors[i] = items[i].tensor;
  }
  check_sizes(tensors);
}

void InputContract::check_container(const ValueInfo& input, const Item& item) const {
  const bool takes_sequence = input.holds != Holds::optional_tensor, may_be_nothing = input.holds != Holds::sequence;
  const bool fits = item.is_nothing() ? may_be_nothing : takes_sequence == (item.sequence != nullptr);
  const std::string expected = expected_of(input);
  onemodel::check<DTypeError>(fits, subject(input), " expects ", expected, ", got ", item);
  std::vector<Tensor> inside = item.sequence ? *item.sequence : std::vector<Tensor>{item.tensor};
  for (const Tensor& tensor : inside)
    onemodel::check<DTypeError>(item.is_nothing() || (tensor.defined() && tensor.dtype() == input.dtype),
                                subject(input), " expects ", expected, ", got ", tensor);
  if (!takes_sequence && !item.is_nothing() && input.shape.rank() > 0) check_one(input, item.tensor);
}

Signature InputContract::check(std::span<const Tensor> tensors) const {
  check_count(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) check_defined(i, tensors[i]);
  check_sizes(tensors);
  Signature signature;
  for (size_t i = 0; i < tensors.size(); ++i) {
    signature.dims.push_back(tensors[i].dims());
    signature.values.push_back(decides_shapes_[i] ? tensors[i].clone() : Tensor());
  }
  return signature;
}

void InputContract::check_defined(size_t i, const Tensor& tensor) const {
  if (tensor.defined()) return;
  const ValueInfo& input = inputs_[i];
  throw ArgumentError(concat(subject(input), " expects ", expected_of(input), ", got nothing"));
}

void InputContract::check_sizes(std::span<const Tensor> tensors) const {
  if (check_.holds(tensors)) return;
  if (sizes_) {
    std::string message = concat("model '", model_, "' does not take inputs of these sizes:");
    for (const std::string& problem : check_.problems(tensors, inputs_)) message += "\n  " + problem;
    throw ConstraintsError(std::move(message));
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    if (inputs_[i].holds == Holds::tensor && tensors[i].defined()) check_one(inputs_[i], tensors[i]);
  check_symbols(tensors);
}

void InputContract::check_one(const ValueInfo& input, const Tensor& tensor) const {
  const std::string expected = expected_of(input);
  onemodel::check<DTypeError>(tensor.dtype() == input.dtype, subject(input), " expects ", expected, ", got ", tensor);
  if (!input.has_rank) return;
  onemodel::check<ShapeError>(tensor.rank() == input.shape.rank(), subject(input), " expects ", expected, ", got ",
                              tensor, " (rank ", tensor.rank(), ", expected ", input.shape.rank(), ")");
  for (size_t axis = 0; axis < tensor.rank(); ++axis) {
    const Extent& extent = input.shape[axis];
    onemodel::check<ShapeError>(!extent.is_number() || extent.number() == tensor.dims()[axis], subject(input),
                                " expects ", expected, ", got ", tensor, " (axis ", axis, " is ", tensor.dims()[axis],
                                ", expected ", extent, ")");
  }
}

void InputContract::check_symbols(std::span<const Tensor> tensors) const {
  std::vector<Binding> bindings;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    for (size_t axis = 0; tensors[i].defined() && axis < inputs_[i].shape.rank(); ++axis) {
      const Extent& extent = inputs_[i].shape[axis];
      if (!is_symbol(extent)) continue;
      const Binding now{extent.text(), tensors[i].dims()[axis], &inputs_[i], axis};
      const auto before = std::find_if(bindings.begin(), bindings.end(),
                                       [&](const Binding& other) { return other.symbol == now.symbol; });
      if (before == bindings.end()) {
        bindings.push_back(now);
        continue;
      }
      onemodel::check<ShapeError>(before->size == now.size, "model '", model_, "': size '", now.symbol, "' is ",
                                  before->size, " at axis ", before->axis, " of input '", before->input->name, "' but ",
                                  now.size, " at axis ", axis, " of input '", now.input->name, "'");
    }
  }
}

}  // namespace onemodel
