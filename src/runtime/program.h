#pragma once
// A graph made ready to run: segments with plans, and between them the nodes whose results' sizes only running tells.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/segment.h"
#include "runtime/split.h"

namespace onemodel {

/// Not thread-safe. Bodies of control flow are programs too, made once: each keeps its own plans.
class Program {
 public:
  /// Throws what Segment throws. `scratch` outlives the program.
  Program(Graph graph, const SessionOptions& options, Scratch& scratch);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Writes into those `outputs` that are tensors, and sets the others to what is the caller's own. What is not `wanted`
  /// says nothing afterwards.
  void run(std::span<const Item> inputs, std::span<Item> outputs, const RunOptions& options, const Wanted& wanted = {});
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  /// What is known of an output's type before a run.
  const TensorType& output_type(size_t i) const { return output_types_[i]; }
  /// The segment that is the whole graph, or null.
  Segment* whole() { return whole_.get(); }
  size_t plan_count() const;
  std::string describe() const;

 private:
  /// A piece of the graph, optimised and planned for the element types and ranks that it meets.
  class Part;
  /// A node that stands alone.
  struct Lone {
    Node node;
    std::vector<std::unique_ptr<Program>> bodies;
    bool handles_containers;
  };
  struct Step {
    std::unique_ptr<Part> part;  // null: only lone nodes
    std::vector<Lone> alone;
    std::vector<ValueId> last_uses;  // values that no later step reads
  };

  /// What of a step runs.
  struct Selected {
    Wanted part;  // outputs of the part; empty: all
    bool has_part = true;
    std::vector<bool> alone;
  };

  void find_last_uses();
  std::vector<Selected> select(const Wanted& wanted) const;
  void run_whole(std::span<const Item> inputs, std::span<Item> outputs, const RunOptions& options,
                 const Wanted& wanted);
  void run_lone(const Lone& lone, std::vector<Item>& values, const RunOptions& options) const;
  void give(std::span<const Item> values, std::span<const Item> inputs, std::span<Item> outputs,
            const Wanted& wanted) const;

  SessionOptions options_;
  Scratch& scratch_;
  std::unique_ptr<Segment> whole_;
  std::vector<Step> steps_;
  std::vector<Item> constants_;     // by ValueId
  std::vector<std::string> names_;  // of outputs
  std::vector<TensorType> output_types_;
  std::vector<ValueId> inputs_, outputs_;
};

}  // namespace onemodel
