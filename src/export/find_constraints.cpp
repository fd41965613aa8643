#include "export/find_constraints.h"

#include "export/constraint_search.h"

namespace onemodel {

ExportSizes find_constraints(std::span<const InputSizes> inputs, const Recorder& record, const FindOptions& options) {
  return ConstraintSearch(inputs, record, options).run();
}

void attach_contract(Graph& graph, const ExportSizes& sizes) {
  graph.contract = std::make_shared<const SizeContract>(sizes.contract);
  verify(graph);
}

}  // namespace onemodel
