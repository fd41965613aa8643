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
  Sorter(const onnx::GraphProto& graph, const std::unordered_set<std::string>& given, Problems& problems)
      : graph_(graph), given_(given), problems_(problems), size_(size_t(graph.node_size())) {}

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
  std::string describe(int n) const { return describe_node(graph_.node(n), n); }

  void find_producers() {
    for (int n = 0; n < graph_.node_size(); ++n) {
      for (const std::string& output : graph_.node(n).output()) {
        if (output.empty()) continue;
        if (given_.contains(output))
          problems_.malformed(describe(n), ": output '", output, "' is also a graph input or initializer");
        else if (const auto [at, is_new] = producers_.emplace(output, n); !is_new)
          problems_.malformed(describe(n), ": output '", output, "' is also made by ", describe(at->second));
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
          problems_.malformed(describe(n), ": input '", input, "' is made by no node");
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
    for (size_t i = 0; i < std::min(path.size(), kShown); ++i) text += concat(i ? " <- " : "", describe(path[i]));
    if (path.size() > kShown) text += concat(" <- … (", path.size(), " nodes)");
    problems_.malformed("the graph has a cycle: ", text);
  }

  const onnx::GraphProto& graph_;
  const std::unordered_set<std::string>& given_;
  Problems& problems_;
  size_t size_;
  std::unordered_map<std::string_view, int> producers_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> waits_for_;
};

}  // namespace

std::vector<int> sort_nodes(const onnx::GraphProto& graph, const std::unordered_set<std::string>& given,
                            Problems& problems) {
  return Sorter(graph, given, problems).run();
}

std::string describe_node(const onnx::NodeProto& node, int index) {
  return concat("node '", node.name().empty() ? concat("#", index) : node.name(), "' (", node.op_type(), ")");
}

}  // namespace onemodel
