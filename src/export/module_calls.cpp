#include "export/module_calls.h"

#include <algorithm>
#include <map>

#include "core/sort.h"

namespace onemodel {
namespace {

std::vector<size_t> in_order_of_completion(std::span<const CallLog::Call> calls) {
  std::vector<size_t> order;
  for (size_t i = 0; i < calls.size(); ++i)
    if (calls[i].completed != 0) order.push_back(i);
  sort_numbers(order, [&](size_t a, size_t b) { return calls[a].completed < calls[b].completed; });
  return order;
}

}  // namespace

std::vector<Tensor> watched_values(std::span<const CallLog::Call> calls) {
  std::vector<Tensor> out;
  for (const size_t i : in_order_of_completion(calls)) {
    out.insert(out.end(), calls[i].inputs.begin(), calls[i].inputs.end());
    out.insert(out.end(), calls[i].outputs.begin(), calls[i].outputs.end());
  }
  return out;
}

std::vector<ModuleCall> module_calls(std::span<const CallLog::Call> calls, std::span<const std::string> names) {
  const std::vector<size_t> order = in_order_of_completion(calls);
  std::vector<int32_t> place(calls.size(), -1);
  for (size_t at = 0; at < order.size(); ++at) place[order[at]] = static_cast<int32_t>(at) + 1;
  std::vector<ModuleCall> out(1);
  const auto take = [&](size_t count) {
    const std::vector<std::string> taken(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
    names = names.subspan(count);
    return taken;
  };
  for (const size_t i : order) {
    const CallLog::Call& call = calls[i];
    int parent = call.parent;  // one that failed is passed over
    while (parent >= 0 && place[static_cast<size_t>(parent)] < 0) parent = calls[static_cast<size_t>(parent)].parent;
    ModuleCall made{.path = call.path, .index = call.index};
    made.parent = parent < 0 ? 0 : place[static_cast<size_t>(parent)];
    made.inputs = take(call.inputs.size());
    made.outputs = take(call.outputs.size());
    out.push_back(std::move(made));
  }
  return out;
}

std::vector<size_t> calls_of(const Graph& graph, std::span<const ModuleCall> calls) {
  std::map<std::string, size_t> places;
  for (size_t i = 1; i < calls.size(); ++i) places.emplace(calls[i].name(), i);
  std::vector<size_t> out;
  for (const Node& node : graph.nodes) {
    const auto found = places.find(node.module_path);
    out.push_back(found == places.end() ? 0 : found->second);
  }
  return out;
}

std::vector<std::vector<std::string>> module_stacks(const Graph& graph, std::span<const ModuleCall> calls) {
  std::vector<std::vector<std::string>> out;
  for (const size_t call : calls_of(graph, calls)) {
    std::vector<std::string>& stack = out.emplace_back();
    for (auto at = static_cast<int32_t>(call); at > 0; at = calls[static_cast<size_t>(at)].parent)
      stack.push_back(calls[static_cast<size_t>(at)].path);
    std::ranges::reverse(stack);
  }
  return out;
}

}  // namespace onemodel
