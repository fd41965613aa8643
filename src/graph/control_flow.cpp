#include "graph/control_flow.h"

#include <algorithm>

#include "graph/malformed.h"
#include "graph/session_op.h"

namespace onemodel {
namespace {

constexpr std::string_view kOutputs[] = {"outputs"};

// The extents that two types agree about; the others are symbols of the node.
TensorType common_type(const TensorType& a, const TensorType& b, const std::string& label) {
  if (a.dtype != b.dtype || a.shape.rank() != b.shape.rank()) return {};
  TensorType out = a;
  for (size_t i = 0; i < a.shape.rank(); ++i)
    if (!(a.shape[i] == b.shape[i])) out.shape[i] = Extent::symbol(concat(label, "_dim_", i));
  return out;
}

TensorType stacked(const TensorType& slice, size_t axis, const std::string& label) {
  if (slice.dtype == DType::undefined || axis > slice.shape.rank()) return {};
  TensorType out{slice.dtype, {}};
  for (size_t i = 0; i <= slice.shape.rank(); ++i) {
    if (i == axis) out.shape.push_back(Extent::symbol(label));
    if (i < slice.shape.rank()) out.shape.push_back(slice.shape[i]);
  }
  return out;
}

}  // namespace

ONEMODEL_SESSION_OPERATOR(If, kOutputs)
ONEMODEL_SESSION_OPERATOR(Loop, kOutputs)
ONEMODEL_SESSION_OPERATOR(Scan, kOutputs)
ONEMODEL_SESSION_OPERATOR(SequenceMap, kOutputs)

std::span<const OpTraits* const> control_flow_operators() {
  static const OpTraits* const all[] = {&traits_of<If>(), &traits_of<Loop>(), &traits_of<Scan>(),
                                        &traits_of<SequenceMap>()};
  return all;
}

namespace {

// Inputs before the captures.
size_t operand_count(const Node& node) {
  if (const Loop* loop = node.op.as<Loop>()) return 2 + static_cast<size_t>(loop->carried);
  if (const Scan* scan = node.op.as<Scan>())
    return static_cast<size_t>(scan->states + scan->num_scan_inputs) + (scan->batched ? 1 : 0);
  if (const SequenceMap* map = node.op.as<SequenceMap>()) return static_cast<size_t>(map->operands);
  return 1;
}

bool is_count(int64_t number, size_t most) { return number >= 0 && static_cast<uint64_t>(number) <= most; }

void check_scan(const Scan& scan, const Node& node) {
  const size_t inputs = node.inputs.size() - (scan.batched && !node.inputs.empty() ? 1 : 0);
  require(is_count(scan.num_scan_inputs, inputs) && scan.num_scan_inputs > 0, "num_scan_inputs expects 1 to ", inputs,
          ", got ", scan.num_scan_inputs);
  require(is_count(scan.states, inputs - static_cast<size_t>(scan.num_scan_inputs)) &&
              is_count(scan.states, node.outputs.size()),
          "has ", node.inputs.size(), " inputs and ", node.outputs.size(), " outputs, which do not fit ", scan.states,
          " states");
  const auto fits = [](const std::vector<int64_t>& list, size_t count) { return list.empty() || list.size() == count; };
  const auto scanned = static_cast<size_t>(scan.num_scan_inputs);
  const size_t slices = node.outputs.size() - static_cast<size_t>(scan.states);
  require(fits(scan.scan_input_axes, scanned) && fits(scan.scan_input_directions, scanned) &&
              fits(scan.scan_output_axes, slices) && fits(scan.scan_output_directions, slices),
          "the axes and directions do not fit ", scanned, " scanned inputs and ", slices, " stacked outputs");
}

}  // namespace

void check_control_flow(const Node& node) {
  require(is_control_flow(node.op) && node.bodies.size() == (node.op.is<If>() ? 2u : 1u), node.bodies.size(),
          " graphs do not fit the operator");
  if (const Loop* loop = node.op.as<Loop>())
    require(is_count(loop->carried, node.inputs.size() - std::min<size_t>(2, node.inputs.size())) &&
                is_count(loop->carried, node.outputs.size()) && node.inputs.size() >= 2,
            "has ", node.inputs.size(), " inputs and ", node.outputs.size(), " outputs, which do not fit ",
            loop->carried, " carried values");
  else if (const Scan* scan = node.op.as<Scan>())
    check_scan(*scan, node);
  else if (const SequenceMap* map = node.op.as<SequenceMap>())
    require(is_count(map->operands, node.inputs.size()) && map->operands > 0, "has ", node.inputs.size(),
            " inputs, which do not fit ", map->operands, " operands");
  else
    require(!node.inputs.empty(), "has no condition");
  for (const auto& body : node.bodies)
    require(body->inputs.size() == formal_input_count(node) + capture_count(node) &&
                body->outputs.size() == body_output_count(node),
            "its graph '", body->name, "' has ",
            body->inputs.size() - std::min(body->inputs.size(), capture_count(node)), " inputs and ",
            body->outputs.size(), " outputs, expected ", formal_input_count(node), " and ", body_output_count(node));
}

size_t capture_count(const Node& node) { return node.inputs.size() - operand_count(node); }

size_t formal_input_count(const Node& node) {
  if (const Scan* scan = node.op.as<Scan>()) return static_cast<size_t>(scan->states + scan->num_scan_inputs);
  return node.op.is<If>() ? 0 : operand_count(node);
}

size_t body_output_count(const Node& node) { return node.outputs.size() + (node.op.is<Loop>() ? 1 : 0); }

std::vector<Holds> control_flow_holds(const Node& node) {
  std::vector<Holds> out;
  const Graph& body = *node.bodies[0];
  const size_t carried = node.op.is<Loop>() ? static_cast<size_t>(node.op.as<Loop>()->carried) : 0;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.op.is<SequenceMap>())
      out.push_back(Holds::sequence);
    else if (node.op.is<If>() || i < carried)
      out.push_back(body.value(body.outputs[i + body_output_count(node) - node.outputs.size()]).holds);
    else
      out.push_back(Holds::tensor);
  }
  return out;
}

std::vector<TensorType> control_flow_types(const Node& node) {
  std::vector<TensorType> types;
  const auto body_type = [&](size_t body, size_t output) {
    const Graph& graph = *node.bodies[body];
    return graph.value(graph.outputs[output]).type;
  };
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string label = concat(node.name, "_out_", i);
    if (node.op.is<If>()) {
      types.push_back(common_type(body_type(0, i), body_type(1, i), label));
    } else if (const Loop* loop = node.op.as<Loop>()) {
      // a carried value may have other sizes in each iteration, and those of its first value when there is none
      const auto carried = static_cast<size_t>(loop->carried);
      types.push_back(i < carried ? TensorType{} : stacked(body_type(0, i + 1), 0, label));
    } else if (node.op.is<SequenceMap>()) {
      types.push_back({body_type(0, i).dtype, {}});
    } else {
      const Scan& scan = *node.op.as<Scan>();
      const auto states = static_cast<size_t>(scan.states);
      const bool is_slice = i >= states && !scan.batched && scan.scan_output_axes.empty();
      types.push_back(is_slice ? stacked(body_type(0, i), 0, label) : TensorType{});
    }
  }
  return types;
}

}  // namespace onemodel
