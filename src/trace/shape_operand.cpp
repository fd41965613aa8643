#include "trace/shape_operand.h"

#include <algorithm>

#include "ops/binary.h"
#include "ops/concat.h"
#include "ops/shape.h"

namespace onemodel {

void ShapeOperands::offer(ValueId id, const Shape& shape) {
  for (size_t axis = 0; axis < shape.rank(); ++axis)
    if (!shape[axis].is_number()) sources_.emplace(shape[axis].text(), Source{id, axis});
}

ValueId ShapeOperands::operand(const Shape& shape, bool may_infer, const std::string& module_path) {
  const auto symbolic = std::count_if(shape.begin(), shape.end(), [](const Extent& e) { return !e.is_number(); });
  const bool empty = std::any_of(shape.begin(), shape.end(), [](const Extent& e) { return e == Extent(0); });
  if (symbolic == 0 || (symbolic == 1 && may_infer && !empty)) {
    std::vector<int64_t> numbers;
    for (const Extent& e : shape) numbers.push_back(e.is_number() ? e.number() : -1);
    return constants_.integers(numbers);
  }
  ValueId& made = operands_.emplace(concat(shape), kNone).first->second;
  if (made == kNone) made = computed(shape, module_path);
  return made;
}

ValueId ShapeOperands::computed(const Shape& shape, const std::string& module_path) {
  std::vector<ValueId> parts;
  std::vector<int64_t> numbers;
  const auto flush = [&] {
    if (!numbers.empty()) parts.push_back(constants_.integers(numbers));
    numbers.clear();
  };
  for (const Extent& e : shape) {
    if (e.is_number()) {
      numbers.push_back(e.number());
      continue;
    }
    flush();
    parts.push_back(extent(e, module_path));
  }
  flush();
  if (parts.size() == 1) return parts.front();
  return node(Concat{.axis = 0}, std::move(parts), static_cast<int64_t>(shape.rank()), module_path);
}

bool ShapeOperands::can_make(const Shape& shape) const {
  const auto has_source = [&](const Extent& extent) { return sources_.contains(extent.text()); };
  return std::ranges::all_of(shape, [&](const Extent& extent) {
    return extent.is_number() || has_source(extent) || std::ranges::all_of(extent.factors(), has_source);
  });
}

ValueId ShapeOperands::extent(const Extent& wanted, const std::string& module_path) {
  const std::string text = wanted.text();
  if (const auto found = made_.find(text); found != made_.end()) return found->second;
  ValueId result = kNone;
  if (const auto source = sources_.find(text); source != sources_.end()) {
    const auto axis = static_cast<int64_t>(source->second.axis);
    result = node(ShapeOf{axis, axis + 1}, {source->second.value}, 1, module_path);
  } else {
    const auto factors = wanted.factors();
    if (factors.size() == 1 && wanted.coefficient() == 1)
      throw TraceError("SymbolicShape", concat(module_path.empty() ? "" : concat("module '", module_path, "': "),
                                               "no traced value has the size ", wanted, " that a shape operand needs"));
    for (const Extent& factor : factors) {
      const ValueId part = extent(factor, module_path);
      result = result == kNone ? part : node(Mul{}, {result, part}, 1, module_path);
    }
    if (wanted.coefficient() != 1)
      result = node(Mul{}, {result, constants_.integers(std::vector{wanted.coefficient()})}, 1, module_path);
  }
  made_.emplace(text, result);
  return result;
}

ValueId ShapeOperands::node(Op op, std::vector<ValueId> inputs, int64_t length, const std::string& module_path) {
  const ValueId out = graph_.add_node(std::move(op), std::move(inputs), {}, 1, module_path).front();
  graph_.value(out).type = {DType::i64, Shape{Extent(length)}};
  return out;
}

}  // namespace onemodel
