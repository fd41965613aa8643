#pragma once
// Which declared sizes a model can keep.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "export/dynamic_shapes.h"
#include "graph/graph.h"

namespace onemodel {

/// One recorded run. The graph's inputs are what `state` holds (as it was before the run), then the given inputs, under the
/// names of their leaves; `outputs` are what the run gave for the graph's outputs.
struct Recording {
  Graph graph;
  std::vector<Tensor> state;
  std::vector<Tensor> outputs;
};

/// Records a run on `inputs`, whose sizes are `shapes` (symbols with examples equal to the inputs' sizes; all numbers: nothing
/// varies). Leaves the model as it was. Use Tracer::sized_input.
using Recorder = std::function<Recording(std::span<const Tensor> inputs, std::span<const Shape> shapes)>;

/// What the model did to a declared size.
struct SizeFinding {
  enum Kind : uint8_t { fixed, narrowed, related };
  Kind kind;
  std::string label;  // the root
  int64_t value = 0;  // fixed
  int64_t min = 0;    // narrowed
  std::optional<int64_t> max = {};
  std::string root = {};  // related: label = scale * root + offset; a root that begins with '_' is a new one
  int64_t scale = 1, offset = 0;
  std::string reason = {};  // the operator's message, or where the second run parts from the program
  std::string module_path = {};
  std::string node = {};  // empty when the model itself refused
};

/// The sizes that a capture goes on with.
struct ExportSizes {
  std::vector<std::string> names;  // of the inputs
  std::vector<Tensor> examples;    // the caller's, or resized where those cannot tell sizes apart
  std::vector<Shape> shapes;       // with the examples' sizes
  SizeContract contract;
  std::vector<SizeFinding> findings;  // of hints AUTO, which fell back
};

struct FindOptions {
  /// Sizes above this are checked by the shape rules of the recorded operators only, and not by running the model.
  int64_t largest_run = 64;
};

/// Records the model, again with what it demanded, and runs it at other sizes until the program agrees with it everywhere
/// that was tried. Throws SizesNotKept (suggest.h), which is a ConstraintsError, when a named size or a DYNAMIC one cannot
/// be kept, and what the model throws at the example's sizes.
ExportSizes find_constraints(std::span<const InputSizes> inputs, const Recorder& record,
                             const FindOptions& options = {});

/// The contract as the graph has it: puts `sizes.contract` on `graph`, whose inputs have the shapes of `sizes`.
void attach_contract(Graph& graph, const ExportSizes& sizes);

}  // namespace onemodel
