#include "graph/container_ops.h"

#include <algorithm>

#include "graph/session_op.h"
#include "ops/unary.h"

namespace onemodel {

ONEMODEL_SESSION_OPERATOR(SequenceEmpty, SequenceEmpty::outputs)
ONEMODEL_SESSION_OPERATOR(SequenceConstruct, SequenceConstruct::outputs)
ONEMODEL_SESSION_OPERATOR(SequenceInsert, SequenceInsert::outputs)
ONEMODEL_SESSION_OPERATOR(SequenceErase, SequenceErase::outputs)
ONEMODEL_SESSION_OPERATOR(SequenceAt, SequenceAt::outputs)
ONEMODEL_SESSION_OPERATOR(SequenceLength, SequenceLength::outputs)
ONEMODEL_SESSION_OPERATOR(SplitToSequence, SplitToSequence::outputs)
ONEMODEL_SESSION_OPERATOR(ConcatFromSequence, ConcatFromSequence::outputs)
ONEMODEL_SESSION_OPERATOR(Optional, Optional::outputs)
ONEMODEL_SESSION_OPERATOR(OptionalHasElement, OptionalHasElement::outputs)
ONEMODEL_SESSION_OPERATOR(OptionalGetElement, OptionalGetElement::outputs)

std::span<const OpTraits* const> container_operators() {
  static const OpTraits* const all[] = {
      &traits_of<SequenceEmpty>(),      &traits_of<SequenceConstruct>(),  &traits_of<SequenceInsert>(),
      &traits_of<SequenceErase>(),      &traits_of<SequenceAt>(),         &traits_of<SequenceLength>(),
      &traits_of<SplitToSequence>(),    &traits_of<ConcatFromSequence>(), &traits_of<Optional>(),
      &traits_of<OptionalHasElement>(), &traits_of<OptionalGetElement>()};
  return all;
}

bool handles_containers(const Graph& graph, const Node& node) {
  const auto is_container = [&](ValueId id) { return id != kNone && graph.value(id).holds != Holds::tensor; };
  return find_container_operator(node.op.name()) || std::any_of(node.inputs.begin(), node.inputs.end(), is_container) ||
         std::any_of(node.outputs.begin(), node.outputs.end(), is_container);
}

namespace {

bool gives_sequence(const Op& op) {
  return op.is<SequenceEmpty>() || op.is<SequenceConstruct>() || op.is<SequenceInsert>() || op.is<SequenceErase>() ||
         op.is<SplitToSequence>();
}

}  // namespace

void infer_containers(Graph& graph, const Node& node) {
  const Value* first = node.inputs.empty() || node.inputs[0] == kNone ? nullptr : &graph.value(node.inputs[0]);
  if (!find_container_operator(node.op.name()) && !(node.op.is<Identity>() && first))
    throw ModelError("Malformed", "takes tensors only");
  if (node.outputs[0] == kNone) return;
  const DType dtype = first ? first->type.dtype : DType::undefined;
  Value& out = graph.value(node.outputs[0]);
  if (const SequenceEmpty* empty = node.op.as<SequenceEmpty>()) {
    out.holds = Holds::sequence;
    out.type = {empty->dtype, {}};
  } else if (gives_sequence(node.op)) {
    out.holds = Holds::sequence;
    out.type = {dtype, {}};
  } else if (const Optional* optional = node.op.as<Optional>()) {
    const bool of_sequence = first ? first->holds == Holds::sequence : optional->of_sequence;
    out.holds = of_sequence ? Holds::optional_sequence : Holds::optional_tensor;
    out.type = {first ? dtype : optional->dtype, {}};
  } else if (node.op.is<SequenceLength>()) {
    out.type = {DType::i64, {}};
  } else if (node.op.is<OptionalHasElement>()) {
    out.type = {DType::boolean, {}};
  } else if (node.op.is<OptionalGetElement>() && first && first->holds == Holds::optional_sequence) {
    out.holds = Holds::sequence;
    out.type = {dtype, {}};
  } else if (node.op.is<Identity>()) {
    out.holds = first->holds;
    out.type = {dtype, first->holds == Holds::tensor ? first->type.shape : Shape()};
  }
}

}  // namespace onemodel
