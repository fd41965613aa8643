#include "onnx/graph_reader.h"

#include <optional>

#include "onnx/convert_sparse_tensor.h"
#include "onnx/convert_tensor.h"
#include "onnx/convert_type.h"
#include "onnx/external_data.h"
#include "onnx/onnx_metadata.h"

namespace onemodel {
namespace {

// Before it, every initializer had to be among the inputs, and was a constant all the same.
constexpr int64_t kOldestIrWithDefaults = 4;

// Of an initializer whose values are not at hand; undefined where it is malformed, which was said.
TensorType stated_type(const onnx::TensorProto& proto) {
  TensorType type{static_cast<DType>(proto.data_type()), {}};
  if (proto.data_type() < 0 || proto.data_type() > UINT8_MAX || dtype_size(type.dtype) == 0) return {};
  if (proto.dims_size() > static_cast<int>(kMaxRank)) return {};
  for (const int64_t extent : proto.dims()) {
    if (extent < 0) return {};
    type.shape.push_back(extent);
  }
  return type;
}

}  // namespace

GraphReader::GraphReader(onnx::GraphProto& file, FileScope& scope, std::string where)
    : file_(file), scope_(scope), where_(std::move(where)) {
  if (!file_.name().empty()) graph_.name = file_.name();
}

Graph GraphReader::run() {
  reserve_names();
  read_initializers();
  read_inputs();
  read_nodes();
  read_outputs();
  drop_fixed_inputs();
  return std::move(graph_);
}

Graph GraphReader::run_body(std::span<const CapturedValue> captures) {
  reserve_names();
  for (const CapturedValue& capture : captures) builder_.reserve_name(capture.name);
  read_initializers();
  read_body_inputs();
  std::unordered_set<std::string> own = given_;
  for (const auto& node : file_.node()) own.insert(node.output().begin(), node.output().end());
  for (const CapturedValue& capture : captures) {
    // the other branch of an If may take what this one makes itself
    const std::string name = own.contains(capture.name) ? builder_.fresh_name(capture.name) : capture.name;
    given_.insert(name);
    if (capture.is_missing)
      builder_.add_missing(name, capture.type);
    else if (capture.constant.defined())
      builder_.add_named_constant(name, capture.constant, ConstantKind::plain);
    else
      builder_.add_input(name, capture.type, capture.holds);
  }
  read_nodes();
  read_outputs();
  return std::move(graph_);
}

void GraphReader::reserve_names() {
  for (const auto& tensor : file_.initializer()) builder_.reserve_name(tensor.name());
  for (const auto& sparse : file_.sparse_initializer()) builder_.reserve_name(sparse.values().name());
  for (const auto& input : file_.input()) builder_.reserve_name(input.name());
  for (const auto& node : file_.node()) {
    for (const auto& output : node.output()) builder_.reserve_name(output);
    for (const auto& input : node.input()) builder_.reserve_name(input);
  }
}

// Takes each tensor out of the file: its bytes are in memory twice only one at a time.
void GraphReader::read_initializers() {
  for (auto& entry : *file_.mutable_initializer()) {
    onnx::TensorProto tensor;
    tensor.Swap(&entry);
    const std::string where = concat(where_, "initializer '", tensor.name(), "'");
    if (tensor.name().empty() || !given_.insert(tensor.name()).second) {
      scope_.problems.malformed(where, ": the name is empty or used twice");
      continue;
    }
    const auto kind = constant_kind_from_name(find_entry(tensor.metadata_props(), kKindMetadataKey));
    const bool is_read = !scope_.external->lacks(tensor) && scope_.problems.attempt(where, [&] {
      const auto external = scope_.external->take(tensor);
      builder_.add_named_constant(tensor.name(), external ? *external : tensor_from_onnx(tensor),
                                  kind.value_or(ConstantKind::plain));
    });
    if (!is_read) builder_.add_missing(tensor.name(), stated_type(tensor));
  }
  for (const auto& sparse : file_.sparse_initializer()) {
    const std::string& name = sparse.values().name();
    const std::string where = concat(where_, "sparse initializer '", name, "'");
    if (name.empty() || !given_.insert(name).second) {
      scope_.problems.malformed(where, ": the name is empty or used twice");
      continue;
    }
    const bool is_read = scope_.problems.attempt(
        where, [&] { builder_.add_named_constant(name, dense_tensor_from_onnx(sparse), ConstantKind::plain); });
    if (!is_read) builder_.add_missing(name);
  }
}

void GraphReader::read_inputs() {
  std::unordered_set<std::string> seen;
  for (const auto& input : file_.input()) {
    const std::string where = concat("graph input '", input.name(), "'");
    if (input.name().empty() || !seen.insert(input.name()).second) {
      scope_.problems.malformed(where, ": the name is empty or used twice");
      continue;
    }
    if (!given_.insert(input.name()).second) {
      if (scope_.ir_version >= kOldestIrWithDefaults) add_optional_input(input);
      continue;
    }
    const bool is_read = scope_.problems.attempt(where, [&] {
      const Holds holds = holds_from_onnx(input.type());
      const TensorType element = element_type_from_onnx(input.type());
      const bool is_one = holds == Holds::tensor || holds == Holds::optional_tensor;
      TensorType type = is_one ? input_type_from_onnx(input) : element;
      if (holds != Holds::tensor && type.dtype == DType::undefined) type = element;
      builder_.add_input(input.name(), std::move(type), holds, element.dtype);
    });
    if (!is_read) builder_.add_missing(input.name());
  }
}

// Sizes that are declared need not be those of the default. A declaration that contradicts the default says nothing.
void GraphReader::add_optional_input(const onnx::ValueInfoProto& input) {
  const ValueId id = graph_.find_value(input.name());
  if (id == kNone || !graph_.value(id).is_constant()) return;  // its initializer was refused
  const Tensor& initial = graph_.value(id).constant;
  const TensorType declared = loosely_declared_type(input);
  bool fits = declared.dtype == initial.dtype() && declared.shape.rank() == initial.rank();
  for (size_t axis = 0; fits && axis < initial.rank(); ++axis)
    fits = !declared.shape[axis].is_number() || declared.shape[axis].number() == initial.dims()[axis];
  graph_.optional_inputs.push_back({id, fits ? declared.shape : Shape(initial.dims())});
}

// What became part of an operator in its newest form cannot be replaced any more.
void GraphReader::drop_fixed_inputs() {
  std::erase_if(graph_.optional_inputs,
                [&](const OptionalInput& input) { return builder_.was_consulted(input.value); });
}

void GraphReader::read_body_inputs() {
  for (const auto& input : file_.input()) {
    const std::string where = concat(where_, "graph input '", input.name(), "'");
    if (input.name().empty() || !given_.insert(input.name()).second)
      scope_.problems.malformed(where, ": the name is empty or used twice");
    else if (!scope_.problems.attempt(where, [&] { add_body_input(input); }))
      builder_.add_missing(input.name());
  }
}

// Graphs inside nodes need not declare the types of their inputs.
void GraphReader::add_body_input(const onnx::ValueInfoProto& input) {
  const bool is_typed = input.type().value_case() != onnx::TypeProto::VALUE_NOT_SET;
  const Holds holds = is_typed ? holds_from_onnx(input.type()) : Holds::tensor;
  const bool is_tensor = holds == Holds::tensor;
  builder_.add_input(input.name(), is_tensor ? loosely_declared_type(input) : element_type_from_onnx(input.type()),
                     holds);
}

void GraphReader::read_outputs() {
  for (const auto& output : file_.output()) {
    if (!builder_.has(output.name())) {
      scope_.problems.malformed(where_, "graph output '", output.name(), "' is made by no node");
      continue;
    }
    builder_.add_output(output.name());
    note_element(output, graph_.value(graph_.outputs.back()));
  }
  if (file_.output().empty()) scope_.problems.malformed(where_, "the graph has no outputs");
}

// Where only running tells the rank, the element type may be declared all the same.
void GraphReader::note_element(const onnx::ValueInfoProto& output, Value& value) {
  if (value.type.dtype != DType::undefined || !output.type().has_tensor_type()) return;
  if (output.type().tensor_type().elem_type() == onnx::TensorProto::UNDEFINED) return;
  scope_.problems.attempt(concat(where_, "graph output '", output.name(), "'"),
                          [&] { value.element = element_type_from_onnx(output.type()).dtype; });
}

}  // namespace onemodel
