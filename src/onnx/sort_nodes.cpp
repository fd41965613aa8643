#include "onnx/sort_nodes.h"

#include <algorithm>
#include <queue>
#include <string_view>
#include <unordered_map>

#include "onnx/free_names.h"

namespace onemodel {
namespace {

class Sorter {
 public:
  Sorter(const onnx::GraphProto& graph, const std::unordered_set<std::string>& given, const NodePlace& place,
         Problems& problems)
      : graph_(graph), given_(given), place_(place), problems_(problems), size_(size_t(graph.node_size())) {}

  std::vector<int> run() {
    find_producers();
    find_readers();
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int n = 0; n < graph_.node_size(); ++n)
      if (waits_for_[size_t(n)] == 0) ready.push(n);
    std::vector<int> order;
    while (!ready.empty()) {
      const int n = ready.top();
      ready.pop();
      order.push_back(n);
      for (const int reader : readers_[size_t(n)])
        if (--waits_for_[size_t(reader)] == 0) ready.push(reader);
    }
    if (order.size() < size_) {
      report_cycle();
      for (int n = 0; n < graph_.node_size(); ++n)
        if (waits_for_[size_t(n)] > 0) order.push_back(n);
    }
    return order;
  }

 private:
  // In a line that names its place already.
  std::string short_name(int n) const {
    const onnx::NodeProto& node = graph_.node(n);
    return concat("node '", node.name().empty() ? concat("#", n) : node.name(), "' (", node.op_type(), ")");
  }

  void find_producers() {
    for (int n = 0; n < graph_.node_size(); ++n) {
      for (const std::string& output : graph_.node(n).output()) {
        if (output.empty()) continue;
        if (given_.contains(output))
          problems_.malformed(place_(n), ": output '", output, "' is also a graph input or initializer");
        else if (const auto [at, is_new] = producers_.emplace(output, n); !is_new)
          problems_.malformed(place_(n), ": output '", output, "' is also made by ", short_name(at->second));
      }
    }
  }

  void find_readers() {
    readers_.resize(size_);
    waits_for_.resize(size_);
    for (int n = 0; n < graph_.node_size(); ++n) {
      for (const std::string& input : inputs_of(graph_.node(n))) {
        if (given_.contains(input)) continue;
        const auto found = producers_.find(input);
        if (found == producers_.end()) {
          problems_.malformed(place_(n), ": input '", input, "' is made by no node");
          continue;
        }
        readers_[size_t(found->second)].push_back(n);
        ++waits_for_[size_t(n)];
      }
    }
  }

  // Among what is left, everything waits for something left: walking back ends in a cycle.
  void report_cycle() {
    const auto waiting = [&](int n) { return waits_for_[size_t(n)] > 0; };
    int at = 0;
    while (!waiting(at)) ++at;
    std::vector<int> path;
    std::vector<bool> seen(size_);
    while (!seen[size_t(at)]) {
      seen[size_t(at)] = true;
      path.push_back(at);
      for (const std::string& input : inputs_of(graph_.node(at))) {
        const auto found = producers_.find(input);
        if (found == producers_.end() || given_.contains(input) || !waiting(found->second)) continue;
        at = found->second;
        break;
      }
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    std::string text;
    constexpr size_t kShown = 8;
    for (size_t i = 0; i < std::min(path.size(), kShown); ++i) text += concat(i ? " <- " : "", short_name(path[i]));
    if (path.size() > kShown) text += concat(" <- … (", path.size(), " nodes)");
    problems_.malformed(place_(path.front()), ": the graph has a cycle: ", text);
  }

  const onnx::GraphProto& graph_;
  const std::unordered_set<std::string>& given_;
  const NodePlace& place_;
  Problems& problems_;
  size_t size_;
  std::unordered_map<std::string_view, int> producers_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> waits_for_;
};

}  // namespace

std::vector<int> sort_nodes(const onnx::GraphProto& graph, const std::unordered_set<std::string>& given,
                            const NodePlace& place, Problems& problems) {
  return Sorter(graph, given, place, problems).run();
}

}  // namespace onemodel
