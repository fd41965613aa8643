#include "runtime/run_container_op.h"

#include <algorithm>

#include "graph/container_ops.h"
#include "ops/concat.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "runtime/run_control_flow.h"

namespace onemodel {
namespace {

using Tensors = std::vector<Tensor>;

const Tensors& sequence_of(const Item& item) {
  check<DTypeError>(item.sequence != nullptr, "expects a sequence, got ", item);
  return *item.sequence;
}

const Tensor& tensor_of(const Item& item, std::string_view name) {
  check<DTypeError>(item.tensor.defined(), "'", name, "' expects a tensor, got ", item);
  return item.tensor;
}

bool is_given(std::span<const Item> operands, size_t i) { return i < operands.size() && !operands[i].is_nothing(); }

/// The position that operand `i` names among `count` places; `otherwise` without it.
size_t position(std::span<const Item> operands, size_t i, size_t count, size_t otherwise) {
  if (!is_given(operands, i)) {
    check(otherwise < count, "the sequence is empty");
    return otherwise;
  }
  const Tensor& tensor = tensor_of(operands[i], "position");
  check<DTypeError>(is_integer(tensor.dtype()), "'position' expects an integer, got ", tensor);
  check<ShapeError>(tensor.numel() == 1, "'position' expects one element, got ", tensor);
  const auto at = tensor.item<int64_t>(), most = static_cast<int64_t>(count);
  check(at >= -most && at < most, "'position' expects ", -most, " to ", most - 1, ", got ", at);
  return static_cast<size_t>(at < 0 ? at + most : at);
}

void check_element_type(const Tensors& sequence, const Tensor& tensor) {
  check<DTypeError>(sequence.empty() || sequence[0].dtype() == tensor.dtype(), "a sequence of ",
                    sequence.empty() ? tensor.dtype() : sequence[0].dtype(), " takes no ", tensor);
}

Item construct(std::span<const Item> operands) {
  Tensors out;
  for (const Item& item : operands) {
    out.push_back(tensor_of(item, "inputs"));
    check_element_type(out, out.back());
  }
  return out;
}

Item insert(std::span<const Item> operands) {
  Tensors out = sequence_of(operands[0]);
  const Tensor& tensor = tensor_of(operands[1], "tensor");
  check_element_type(out, tensor);
  // one place more than there are elements: the end
  const size_t at = is_given(operands, 2) && tensor_of(operands[2], "position").item<int64_t>() < 0
                        ? position(operands, 2, out.size(), 0)
                        : position(operands, 2, out.size() + 1, out.size());
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), tensor);
  return out;
}

Item erase(std::span<const Item> operands) {
  Tensors out = sequence_of(operands[0]);
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(position(operands, 1, out.size(), out.size() - 1)));
  return out;
}

/// Sizes of the parts of an axis of `extent` entries.
std::vector<int64_t> part_sizes(const Tensor& split, int64_t extent) {
  check<DTypeError>(is_integer(split.dtype()) && split.rank() <= 1, "'split' expects one integer or a list, got ",
                    split);
  std::vector<int64_t> sizes = split.to_vector<int64_t>();
  if (split.rank() == 1) {
    int64_t sum = 0;
    for (const int64_t size : sizes) {
      check(size >= 0 && size <= extent - sum, "'split' expects sizes whose sum is ", extent, ", got one of ", size);
      sum += size;
    }
    check(sum == extent, "'split' expects sizes whose sum is ", extent, ", got ", sum);
    return sizes;
  }
  const int64_t size = sizes[0];
  check(size > 0, "'split' expects a size above 0, got ", size);
  sizes.assign(static_cast<size_t>(extent / size), size);
  if (extent % size) sizes.push_back(extent % size);
  return sizes;
}

Item split(const SplitToSequence& op, std::span<const Item> operands) {
  const Tensor& x = tensor_of(operands[0], "input");
  const auto axis = static_cast<int64_t>(normalize_axis("SplitToSequence", op.axis, x.rank()));
  const int64_t extent = x.dims()[static_cast<size_t>(axis)];
  Tensors out;
  if (!is_given(operands, 1)) {
    for (int64_t i = 0; i < extent; ++i)
      out.push_back((op.keepdims ? x.slice(axis, i, i + 1) : x.select(axis, i)).clone());
    return out;
  }
  int64_t at = 0;
  for (const int64_t size : part_sizes(tensor_of(operands[1], "split"), extent)) {
    out.push_back(x.slice(axis, at, at + size).clone());
    at += size;
  }
  return out;
}

Item join(const ConcatFromSequence& op, std::span<const Item> operands) {
  const Tensors& parts = sequence_of(operands[0]);
  check(!parts.empty(), "the sequence is empty");
  if (op.new_axis) return stack(parts, op.axis, false);
  std::vector<TensorType> types;
  for (const Tensor& part : parts) types.push_back({part.dtype(), Shape(part.dims())});
  const Op concat_op = Concat{.axis = op.axis};
  InferContext context(concat_op.traits(), types, {}, 1);
  const Tensor out = Tensor::empty(infer(concat_op, context)[0].shape.dims(), parts[0].dtype());
  evaluate(concat_op, parts, {&out, 1});
  return out;
}

}  // namespace

Item run_container_op(const Op& op, std::span<const Item> operands) {
  if (op.is<SequenceEmpty>()) return Tensors();
  if (op.is<SequenceConstruct>()) return construct(operands);
  if (op.is<SequenceInsert>()) return insert(operands);
  if (op.is<SequenceErase>()) return erase(operands);
  if (op.is<SequenceAt>()) {
    const Tensors& sequence = sequence_of(operands[0]);
    return sequence[position(operands, 1, sequence.size(), sequence.size())];
  }
  if (op.is<SequenceLength>()) return Tensor::scalar(static_cast<int64_t>(sequence_of(operands[0]).size()));
  if (const auto* split_op = op.as<SplitToSequence>()) return split(*split_op, operands);
  if (const auto* concat_op = op.as<ConcatFromSequence>()) return join(*concat_op, operands);
  if (op.is<OptionalHasElement>()) return Tensor::scalar(is_given(operands, 0));
  if (op.is<OptionalGetElement>()) check(is_given(operands, 0), "the optional holds nothing");
  return operands.empty() ? Item() : operands[0];  // Optional, OptionalGetElement, Identity
}

}  // namespace onemodel
