#pragma once
// The passes in order, and the graph that comes out of them.

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "ops/kernel.h"
#include "passes/patch.h"

namespace onemodel {

/// One pass. `keeps_bits`: results do not change in any bit, so exact arithmetic may use it.
struct Pass {
  enum Order : uint8_t { forward, backward };
  std::string_view name;
  Rewrite rewrite;
  bool keeps_bits;
  Order order = forward;
};

/// The machine-independent passes, then the fusions; each list is repeated until nothing changes.
std::span<const Pass> simplify_passes();
std::span<const Pass> optimise_passes();

struct OptimizeOptions {
  /// `exact` leaves out the passes that do not keep every bit.
  Arithmetic arithmetic = Arithmetic::fast;
  /// Stops after that many patches; negative: no limit. Halving it finds the patch that breaks a model.
  int64_t max_patches = -1;
};

/// A graph on which the passes were run: the only thing a plan is made from. Inputs, and outputs with their names and
/// order, are those of the graph it came from; its optional inputs are constants for good.
class OptimizedGraph {
 public:
  const Graph& graph() const { return graph_; }
  Arithmetic arithmetic() const { return arithmetic_; }
  /// One line per patch: "fold_batch_norm: bn1".
  const std::vector<std::string>& log() const { return log_; }

 private:
  friend OptimizedGraph optimize(Graph graph, const OptimizeOptions& options);
  friend OptimizedGraph unoptimized(Graph graph, Arithmetic arithmetic);
  OptimizedGraph(Graph graph, Arithmetic arithmetic, std::vector<std::string> log)
      : graph_(std::move(graph)), arithmetic_(arithmetic), log_(std::move(log)) {}
  Graph graph_;
  Arithmetic arithmetic_;
  std::vector<std::string> log_;
};

/// Verifies the graph, runs the passes, and verifies the result. Throws ModelError(Malformed) for a bad graph.
OptimizedGraph optimize(Graph graph, const OptimizeOptions& options = {});
/// The graph as it is, verified: for comparing.
OptimizedGraph unoptimized(Graph graph, Arithmetic arithmetic = Arithmetic::fast);

/// The graph and the log of patches.
std::string to_string(const OptimizedGraph& graph);

}  // namespace onemodel
