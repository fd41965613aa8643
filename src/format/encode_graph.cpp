#include <map>
#include <string>
#include <unordered_map>

#include "format/bytes.h"
#include "format/graph_codec.h"
#include "format/layout.h"
#include "format/string_data.h"

namespace onemodel {
namespace {

class Encoder {
 public:
  explicit Encoder(const Graph& graph) : graph_(graph) {}

  EncodedGraph run(std::span<const StoredGraph> records = {}) {
    head(graph_);
    list_symbols(graph_);
    for (const StoredGraph& record : records) list_symbols(record.graph);
    symbols();
    content(graph_);
    extensions(records);
    return {.strings = strings(),
            .graph = out_.take(),
            .index = index(),
            .weights = std::move(weights_),
            .weight_bytes = weight_bytes_};
  }

 private:
  uint32_t string_id(std::string_view text) {
    const auto [at, is_new] = string_ids_.emplace(text, static_cast<uint32_t>(strings_.size()));
    if (is_new) strings_.push_back(&at->first);
    return at->second;
  }
  void text(std::string_view text) { out_.put(string_id(text)); }

  void head(const Graph& graph) {
    text(graph.name);
    out_.put_count(graph.metadata.size());
    for (const auto& [key, value] : graph.metadata) {
      text(key);
      text(value);
    }
  }

  // The first is of the file's own graph.
  // What most graphs do not have: parts behind the content, each with its number before it.
  void extensions(std::span<const StoredGraph> records) {
    const auto begin = [this](Extension extension) { out_.put(static_cast<uint8_t>(extension)); };
    if (graph_.contract || !records.empty()) {
      begin(Extension::size_contract);
      contract(graph_);
    }
    if (!records.empty()) {
      begin(Extension::records);
      put_records(records);
    }
    if (!graph_.optional_inputs.empty()) {
      begin(Extension::optional_inputs);
      optional_inputs();
    }
  }

  void put_records(std::span<const StoredGraph> records) {
    out_.put_count(records.size());
    for (const StoredGraph& record : records) {
      text(record.name);
      if (&record != records.data()) {
        head(record.graph);
        content(record.graph);
        contract(record.graph);
      }
      out_.put_count(record.record.size());
      out_.append(record.record);
    }
  }

  void contract(const Graph& graph) {
    const SizeContract& contract = graph.contract ? *graph.contract : SizeContract();
    out_.put_count(contract.ranges.size());
    for (const SizeRange& range : contract.ranges) {
      text(range.label);
      out_.put(range.min);
      out_.put(static_cast<uint8_t>(range.max.has_value()));
      out_.put(range.max.value_or(0));
    }
    out_.put_count(contract.relations.size());
    for (const SizeRelation& relation : contract.relations) {
      text(relation.label);
      text(relation.root);
      out_.put(relation.scale);
      out_.put(relation.offset);
    }
  }

  void content(const Graph& graph) {
    out_.put_count(graph.values.size());
    for (const Value& v : graph.values) value(v);
    ids(graph.inputs);
    ids(graph.outputs);
    out_.put_count(graph.nodes.size());
    for (const Node& n : graph.nodes) node(n);
  }

  // A graph without any ends before the count.
  void optional_inputs() {
    out_.put_count(graph_.optional_inputs.size());
    for (const auto& [id, shape] : graph_.optional_inputs) {
      out_.put(id);
      extents(shape);
    }
  }

  // Every atom of the values' extents, in the order of first use; with an example size when one
  // occurrence knows it.
  void list_symbols(const Graph& graph) {
    for (const Value& v : graph.values)
      if (!v.is_constant()) list_symbols(v.type.shape);
    for (const OptionalInput& input : graph.optional_inputs) list_symbols(input.shape);
    for (const Node& node : graph.nodes)
      for (const auto& body : node.bodies) list_symbols(*body);
  }

  void list_symbols(const Shape& shape) {
    for (const Extent& extent : shape) {
      for (const Extent& atom : extent.factors()) {
        const auto [at, is_new] = symbol_ids_.emplace(atom.text(), symbols_.size());
        if (is_new) symbols_.emplace_back(atom.text(), atom.example());
        auto& example = symbols_[at->second].second;
        if (!example) example = atom.example();
      }
    }
  }

  void symbols() {
    out_.put_count(symbols_.size());
    for (const auto& [name, example] : symbols_) {
      text(name);
      out_.put(static_cast<uint8_t>(example.has_value()));
      out_.put(example.value_or(0));
    }
  }

  void value(const Value& value) {
    text(value.name);
    out_.put(static_cast<uint8_t>(value.is_constant() ? 1 : value.holds == Holds::tensor ? 0 : 1 + int(value.holds)));
    out_.put(static_cast<uint8_t>(value.kind));
    if (value.is_constant()) {
      out_.put_count(weight(value.constant));
      return;
    }
    const bool known = value.type.dtype != DType::undefined;
    if (known) {
      out_.put(static_cast<uint8_t>(value.type.dtype));
      extents(value.type.shape);
    } else {
      out_.put(static_cast<uint8_t>(value.element));
      out_.put(value.element == DType::undefined ? uint8_t{0} : kUnknownRank);
    }
  }

  void extents(const Shape& shape) {
    out_.put(static_cast<uint8_t>(shape.rank()));
    for (const Extent& extent : shape) {
      out_.put(extent.coefficient());
      const auto atoms = extent.factors();
      out_.put_count(atoms.size());
      for (const Extent& atom : atoms) out_.put_count(symbol_ids_.at(atom.text()));
    }
  }

  // Bodies share weights with each other and with the graph around them.
  size_t weight(const Tensor& constant) {
    const Tensor whole = constant.contiguous();
    std::vector<size_t>& same_memory = weight_ids_[whole.raw()];
    for (const size_t i : same_memory)
      if (weights_[i].dtype() == whole.dtype() && weights_[i].dims() == whole.dims()) return i;
    same_memory.push_back(weights_.size());
    weights_.push_back(whole);
    return weights_.size() - 1;
  }

  void ids(const std::vector<ValueId>& list) {
    out_.put_count(list.size());
    for (const ValueId id : list) out_.put(id);
  }

  void node(const Node& node) {
    text(node.op.name());
    text(node.name);
    text(node.module_path);
    ids(node.inputs);
    ids(node.outputs);
    out_.put(static_cast<uint8_t>(node.clamp.has_value()));
    if (node.clamp) {
      out_.put(node.clamp->min);
      out_.put(node.clamp->max);
    }
    const auto& fields = node.op.traits().fields;
    std::vector<std::pair<std::string_view, AttributeValue>> attributes;
    for (size_t i = 0; i < fields.size(); ++i)
      if (auto value = node.op.attribute(i)) attributes.emplace_back(fields[i].name, *value);
    out_.put_count(attributes.size() + node.bodies.size());
    for (const auto& [name, value] : attributes) {
      text(name);
      attribute(value);
    }
    for (const auto& body : node.bodies) {
      text(body->name);
      out_.put(kGraphAttribute);
      content(*body);
    }
  }

  void attribute(const AttributeValue& value) {
    out_.put(static_cast<uint8_t>(value.index()));
    if (const auto* integer = std::get_if<int64_t>(&value)) {
      out_.put(*integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
      out_.put(*real);
    } else if (const auto* string = std::get_if<std::string>(&value)) {
      text(*string);
    } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
      out_.put_count(integers->size());
      for (const int64_t i : *integers) out_.put(i);
    } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
      out_.put_count(reals->size());
      for (const double r : *reals) out_.put(r);
    } else {
      const Tensor& tensor = std::get<Tensor>(value);
      type(out_, tensor);
      const Tensor data = stored(tensor);
      out_.append({data.raw(), data.bytes()});
    }
  }

  // The tensor whose bytes stand for its elements in the file.
  static Tensor stored(const Tensor& tensor) {
    return tensor.dtype() == DType::string ? encode_strings(tensor) : tensor.contiguous();
  }

  static void type(ByteWriter& out, const Tensor& tensor) {
    out.put(static_cast<uint8_t>(tensor.dtype()));
    out.put(static_cast<uint8_t>(tensor.rank()));
    for (const int64_t extent : tensor.dims()) out.put(extent);
  }

  std::vector<std::byte> strings() const {
    ByteWriter out;
    out.put_count(strings_.size());
    for (const std::string* string : strings_) out.put_count(string->size());
    for (const std::string* string : strings_) out.append(*string);
    return out.take();
  }

  std::vector<std::byte> index() {
    ByteWriter out;
    out.put_count(weights_.size());
    for (Tensor& weight : weights_) {
      type(out, weight);
      weight = stored(weight);
      out.put(weight_bytes_);
      out.put(static_cast<uint64_t>(weight.bytes()));
      weight_bytes_ = align_up(weight_bytes_ + weight.bytes(), kWeightAlignment);
    }
    if (!weights_.empty()) weight_bytes_ += kWeightPadding;
    return out.take();
  }

  const Graph& graph_;
  ByteWriter out_;
  std::unordered_map<std::string, uint32_t> string_ids_;
  std::vector<const std::string*> strings_;
  std::unordered_map<std::string, size_t> symbol_ids_;
  std::vector<std::pair<std::string, std::optional<int64_t>>> symbols_;
  std::vector<Tensor> weights_;
  std::unordered_map<const std::byte*, std::vector<size_t>> weight_ids_;  // by where they lie
  uint64_t weight_bytes_ = 0;
};

}  // namespace

EncodedGraph encode_graph(const Graph& graph) { return Encoder(graph).run(); }

EncodedGraph encode_graphs(std::span<const StoredGraph> graphs) { return Encoder(graphs.front().graph).run(graphs); }

}  // namespace onemodel
