#pragma once
// Records an eager run as a graph.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "core/write_watch.h"
#include "graph/graph.h"

namespace onemodel {

/// A finished trace: the graph as it was recorded, before any pass.
struct TracedModel {
  Graph graph;
  std::vector<std::string> warnings;  // sizes that may have been mistaken for a symbol, …

  /// Writes a .onemodel file; throws ArgumentError when the system refuses.
  void save(const std::string& path) const;
  /// Writes a .onnx file, with `external_from` as `save_onnx` of a graph; throws what write_onnx throws besides.
  void save_onnx(const std::string& path, std::optional<uint64_t> external_from = {}) const;
};

/// What `Tracer::input` and `Tracer::parameter` were given.
struct TraceInput {
  std::string name;
  Tensor tensor;
  Shape shape;
};
struct TraceParameter {
  std::string name;
  Tensor tensor;
  ConstantKind kind;
};

/// A recording on the calling thread, from construction until `finish` or destruction. The model runs on the tensors
/// that `input` returns, with real values; every operator that depends on one becomes a node. Specification:
/// docs/tracing.md. Errors are TraceError with the kinds listed there; after any of them the thread can trace again.
/// Meanwhile no tensor that was there before can be changed: its values of this run would be frozen in the graph.
class Tracer {
 public:
  /// Throws TraceError(InvalidUsage) when this thread is tracing already.
  static Tracer begin() { return Tracer(); }
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  /// An input of the graph with the values of `example`. `axis_names` has an entry per axis or is empty; an empty name
  /// is a fixed size, "2*batch" twice the symbol. A symbol's example size must be at least 2 and differ from every other
  /// symbol's.
  Tensor input(std::string_view name, const Tensor& example, std::span<const std::string> axis_names = {});
  /// The same for sizes that may be derived: `shape` has the axes of `example` and its sizes as examples. Atoms' example sizes
  /// follow the rule above; a derived one is the caller's to tell apart.
  Tensor sized_input(std::string_view name, const Tensor& example, const Shape& shape);
  /// Names a weight; the graph's constant gets this name and kind.
  void parameter(std::string_view name, const Tensor& tensor, ConstantKind kind = ConstantKind::parameter);
  /// Ends the recording: what the outputs need becomes the graph. `names` are distinct, one per output.
  TracedModel finish(std::span<const Tensor> outputs, std::span<const std::string> names);

 private:
  Tracer();
  void check_active(std::string_view what) const;
  void check_new_input(std::string_view name, const Tensor& example) const;
  Tensor add_input(std::string_view name, const Tensor& example, Shape shape);

  uint64_t id_ = 0;  // 0: finished
  std::vector<TraceInput> inputs_;
  std::vector<TraceParameter> parameters_;
  std::unique_ptr<WriteWatch> watch_;  // while it records
};

}  // namespace onemodel
