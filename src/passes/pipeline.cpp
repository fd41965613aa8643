#include "passes/pipeline.h"

#include "passes/passes.h"
#include "passes/rewriter.h"

namespace onemodel {
namespace {

// Patches per node of the model after which the passes are taken to undo each other.
constexpr size_t kWatchdog = 16;

class Driver {
 public:
  Driver(Graph graph, const OptimizeOptions& options)
      : options_(options), limit_(kWatchdog * (graph.nodes.size() + 16)), rewriter_(std::move(graph)) {}

  void repeat(std::span<const Pass> passes) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Pass& pass : passes)
        if (pass.keeps_bits || options_.arithmetic == Arithmetic::fast) changed |= sweep(pass);
    }
  }

  std::vector<std::string> log() && { return std::move(log_); }
  Graph finish() && { return std::move(rewriter_).finish(); }

 private:
  bool sweep(const Pass& pass) {
    bool changed = false;
    for (size_t i = 0; i < rewriter_.node_count(); ++i) {
      const size_t n = pass.order == Pass::forward ? i : rewriter_.node_count() - 1 - i;
      const auto id = static_cast<NodeId>(n);
      if (log_.size() >= limit_ || !may_continue()) return false;
      if (rewriter_.is_removed(id)) continue;
      const auto patch = pass.rewrite(rewriter_.context(), id);
      if (!patch) continue;
      changed = true;
      log_.push_back(concat(pass.name, ": ", rewriter_.node_name(id)));
      rewriter_.apply(id, *patch);
#ifndef NDEBUG
      rewriter_.snapshot();
#endif
    }
    return changed;
  }

  bool may_continue() const {
    return options_.max_patches < 0 || static_cast<int64_t>(log_.size()) < options_.max_patches;
  }

  OptimizeOptions options_;
  size_t limit_;
  Rewriter rewriter_;
  std::vector<std::string> log_;
};

}  // namespace

std::span<const Pass> simplify_passes() {
  static constexpr Pass passes[] = {
      {"remove_dead_nodes", remove_dead_nodes, true, Pass::backward},
      {"fuse_qdq", fuse_qdq, false},  // before quantised weights are folded to floats
      {"move_quantised", move_quantised, true},
      {"fold_constants", fold_constants, true},
      {"remove_identities", remove_identities, true},
      {"remove_neutral_arithmetic", remove_neutral_arithmetic, true},
      {"remove_added_zeros", remove_added_zeros, false},
      {"merge_transposes", merge_transposes, true},
      {"merge_reshapes", merge_reshapes, true},
      {"merge_common_subexpressions", merge_common_subexpressions, true},
  };
  return passes;
}

std::span<const Pass> optimise_passes() {
  static constexpr Pass passes[] = {
      {"fold_batch_norm", fold_batch_norm, false},
      {"fuse_attention", fuse_attention, false},  // before a constant mask is taken for a bias
      {"fuse_transpose_into_attention", fuse_transpose_into_attention, true},
      {"fuse_bias_into_matmul", fuse_bias_into_matmul, true},
      {"fuse_bias_into_conv", fuse_bias_into_conv, true},
      {"fuse_activation", fuse_activation, true},
      {"remove_dead_nodes", remove_dead_nodes, true, Pass::backward},
  };
  return passes;
}

OptimizedGraph optimize(Graph graph, const OptimizeOptions& options) {
  verify(graph);
  graph.optional_inputs.clear();
  Driver driver(std::move(graph), options);
  driver.repeat(simplify_passes());
  driver.repeat(optimise_passes());
  std::vector<std::string> log = std::move(driver).log();
  return {std::move(driver).finish(), options.arithmetic, std::move(log)};
}

OptimizedGraph unoptimized(Graph graph, Arithmetic arithmetic) {
  verify(graph);
  graph.optional_inputs.clear();
  return {std::move(graph), arithmetic, {}};
}

std::string to_string(const OptimizedGraph& graph) {
  std::string out = to_string(graph.graph());
  for (const std::string& line : graph.log()) out += concat("patch ", line, '\n');
  return out;
}

}  // namespace onemodel
