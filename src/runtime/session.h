#pragma once
// Runs a model: keeps one plan per signature of input sizes, and the memory they share.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "passes/pipeline.h"
#include "runtime/feeds.h"
#include "runtime/item.h"
#include "runtime/plan.h"

namespace onemodel {

class Profiler;

struct SessionOptions {
  /// `exact`: portable kernels, and only passes that keep every bit. Every operator has a portable
  /// kernel.
  Arithmetic arithmetic = Arithmetic::fast;
  /// How many plans are kept; the one used longest ago goes first. At least 1.
  size_t plan_cache = 8;
  /// Off: the graph is run as it is.
  bool optimize = true;
  /// As in OptimizeOptions.
  int64_t max_patches = -1;
  /// Names of values inside the graph that become outputs after the graph's own.
  std::vector<std::string> intermediates = {};
};

/// A run that was stopped by `RunOptions::cancelled`.
struct CancelledError : Error {
  explicit CancelledError(std::string message) : Error("CancelledError", "Cancelled", std::move(message)) {}
};

struct RunOptions {
  /// Asked before each step, on the calling thread; true ends the run with CancelledError.
  std::function<bool()> cancelled = {};
  /// Told after each step, on the calling thread, how many of the plan's steps are done. A graph that is cut has several
  /// plans, each of which counts anew, and so do bodies of control flow; what stands alone is one step of one.
  std::function<void(size_t done, size_t steps)> progress = {};
  /// Names of the outputs that are wanted, in the order in which they are given; empty: all. Only steps that these need are
  /// run. Plans are the same: other sets of outputs cost no memory.
  std::vector<std::string> outputs = {};
  /// Gets the time of each step.
  Profiler* profiler = nullptr;
};

/// A model ready to run. Movable. Runs from several threads wait for each other.
///
/// Where sizes depend on values (control flow, NonZero, a size computed from data) the graph is cut: each part between
/// such places has plans of its own, and the passes are run on each part.
///
/// Memory: the scratch memory is as large as the largest plan needs. A kernel that packs weights keeps
/// a copy of them for each plan. When all input sizes are fixed the one plan is made at once, and
/// weights that its kernels have packed are not kept twice.
class Session {
 public:
  /// Throws ModelError for a graph that is malformed, ArgumentError for an option out of range, and
  /// for fixed input sizes what `make_plan` throws.
  explicit Session(Graph graph, const SessionOptions& options = {});
  /// From a .onnx or .onemodel file, told apart by the content. Throws what the readers throw besides, and ArgumentError
  /// when the file cannot be read.
  static Session load(const std::string& path, const SessionOptions& options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  const std::string& name() const;
  /// Optional inputs (`initial` is defined) come after the others. Feeding some makes a plan where they are no constants;
  /// without them nothing is lost.
  const std::vector<ValueInfo>& inputs() const;
  const std::vector<ValueInfo>& outputs() const;

  /// Feeds by position; one tensor per output. Optional inputs may be undefined or, at the end, left out. Outputs are the
  /// caller's: no later run changes them.
  /// Before any kernel runs, throws what InputContract throws. Errors of a kernel name the model, the opset that its file
  /// is written in, the node, its operator and module path.
  std::vector<Tensor> run(std::span<const Tensor> inputs, const RunOptions& options = {});
  /// Feeds by name, in any order.
  std::vector<Tensor> run(std::span<const Feed> feeds, const RunOptions& options = {});
  /// The form for models that take or give sequences and optionals: an item per input, an item per output.
  std::vector<Item> run_items(std::span<const Item> inputs, const RunOptions& options = {});
  /// Writes into those `outputs` that are defined (contiguous, of the right dtype and shape, sharing no
  /// storage with an input or each other) and sets the others. The fastest form: it allocates nothing
  /// but the outputs that it sets.
  void run(std::span<const Tensor> inputs, std::span<Tensor> outputs, const RunOptions& options = {});

  /// The plan for tensors like these, one for each input that is not optional, without running it. Throws ArgumentError when
  /// the graph is cut: sizes that only running tells have no plan before. Such a session plans while it runs, so running it
  /// once on data of the expected sizes is what prepares it.
  std::shared_ptr<const Plan> prepare(std::span<const Tensor> inputs);
  size_t plan_count() const;
  /// Bytes of the scratch memory.
  size_t arena_bytes() const;
  /// The patches that passes applied, and every plan at hand.
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onemodel
