#pragma once
// The programs of one model: that of its defaults, and one for each set of optional inputs that are fed.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/program.h"

namespace onemodel {

/// Not thread-safe. A set of optional inputs that was never fed costs nothing; the graph is kept for it, though, so that a
/// model that has optional inputs keeps its weights beside what kernels have packed.
class Variants {
 public:
  /// Throws what Program throws. `scratch` outlives the variants.
  Variants(Graph graph, const SessionOptions& options, Scratch& scratch);

  /// The one without optional inputs.
  Program& plain() { return *plain_; }
  /// The one that takes the optional inputs at these places, which rise, after the others. Kept like plans: the one used
  /// longest ago goes first.
  Program& with(std::span<const size_t> fed);
  size_t plan_count() const;
  std::string describe() const;

 private:
  struct Variant {
    std::vector<size_t> fed;
    std::unique_ptr<Program> program;
  };

  SessionOptions options_;
  Scratch& scratch_;
  std::optional<Graph> graph_;  // only when there are optional inputs
  std::unique_ptr<Program> plain_;
  std::vector<Variant> variants_;  // the last used first
};

}  // namespace onemodel
