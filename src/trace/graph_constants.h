#pragma once
// The constants of a traced graph: named, copied and deduplicated.

#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "eager/record.h"
#include "graph/graph.h"
#include "trace/graph_names.h"
#include "trace/tracer.h"

namespace onemodel {

/// Turns tensors that do not depend on an input into constants of `graph`. Views of one storage with the same offset,
/// shape and strides are one constant; so are short lists of integers with the same contents.
class TraceConstants {
 public:
  TraceConstants(Graph& graph, GraphNames& names, std::span<const TraceParameter> parameters)
      : graph_(graph), names_(names), parameters_(parameters) {}

  /// The constant of operand `index` of `record`.
  ValueId capture(const Record& record, size_t index);
  /// The constant of a list of integers.
  ValueId integers(std::span<const int64_t> values);
  /// The constant that `capture` made of this view; kNone when there is none.
  ValueId find(const Tensor& tensor) const;
  /// Remembers storage that holds traced values: a constant must not view it.
  void forbid(const Tensor& traced) { traced_storages_.insert(traced.memory()); }

 private:
  using View = std::tuple<const Storage*, int64_t, std::vector<int64_t>, std::vector<int64_t>, DType>;
  static View view_of(const Tensor& tensor);
  std::pair<std::string, ConstantKind> name_of(const Tensor& tensor);
  ValueId add(std::string_view name, Tensor constant, ConstantKind kind);

  Graph& graph_;
  GraphNames& names_;
  std::span<const TraceParameter> parameters_;
  std::map<View, ValueId> captured_;
  std::map<std::vector<int64_t>, ValueId> integers_;
  std::map<std::string, int> views_of_;  // how many views of a parameter have names
  std::set<std::shared_ptr<Storage>> traced_storages_;
};

}  // namespace onemodel
