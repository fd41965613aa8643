#include <algorithm>
#include <set>
#include <string_view>

#include "format/bytes.h"
#include "format/decode_parts.h"
#include "format/graph_codec.h"
#include "graph/container_ops.h"
#include "graph/control_flow.h"

namespace onemodel {
namespace {

constexpr size_t kMostAtoms = 64;
// 0 a tensor, 1 a constant, then the containers in the order of Holds.
constexpr uint8_t kMostRole = 1 + static_cast<uint8_t>(Holds::optional_sequence);
// Sizes are added and multiplied in 64 bits, also those inside a derived symbol's name.
constexpr size_t kMostDigits = 15;

// A string is stored once and named many times: copies are bounded by a multiple of the file.
constexpr uint64_t kTextBudget = 1 << 24;
constexpr uint64_t kTextFactor = 64;

bool can_name_a_size(std::string_view text) {
  size_t digits = 0, most = 0;
  for (const char c : text) most = std::max(most, digits = c >= '0' && c <= '9' ? digits + 1 : 0);
  return !text.empty() && most <= kMostDigits;
}

class Decoder {
 public:
  Decoder(std::span<const std::byte> strings, std::span<const std::byte> graph)
      : strings_(decode_string_table(strings)),
        in_("graph section", graph),
        text_budget_(kTextBudget + kTextFactor * (strings.size() + graph.size())) {}

  DecodedGraph run(std::span<const std::byte> index, uint64_t weight_bytes) {
    out_.weights = decode_index(index, weight_bytes);
    out_.users.resize(out_.weights.size());
    read_head();
    read_symbols();
    read_content();
    read_extensions();
    in_.expect_end();
    if (!unknown_.empty()) {
      std::string names;
      for (const std::string_view name : unknown_) names += concat(names.empty() ? "" : ", ", name);
      throw ModelError("Unsupported", concat(".onemodel: this build has no operator ", names));
    }
    return std::move(out_);
  }

 private:
  std::string text() {
    const std::string_view text = view();
    in_.require(text.size() <= text_budget_, "repeats long strings beyond reason");
    text_budget_ -= text.size();
    return std::string(text);
  }
  std::string_view view() {
    const auto id = in_.get<uint32_t>();
    in_.require(id < strings_.size(), "refers to string ", id, " of ", strings_.size());
    return strings_[id];
  }

  void read_head() {
    graph_->name = text();
    auto& metadata = graph_->metadata;
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      std::string key = text();
      in_.require(metadata.empty() || metadata.rbegin()->first < key, "has metadata keys out of order");
      metadata.emplace_hint(metadata.end(), std::move(key), text());
    }
  }

  void read_extensions() {
    for (uint8_t last = 0; in_.remaining() > 0;) {
      const auto number = in_.get<uint8_t>();
      in_.require(number > last, "has its parts out of order");
      last = number;
      switch (static_cast<Extension>(number)) {
        case Extension::size_contract: read_contract(); break;
        case Extension::records: read_records(); break;
        case Extension::optional_inputs: read_optional_inputs(); break;
        default: in_.require(false, "has an unknown part ", number);
      }
    }
  }

  void read_records() {
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      DecodedGraph::Record record{.name = text(), .graph = nullptr, .bytes = {}};
      for (const DecodedGraph::Record& other : out_.records)
        in_.require(other.name != record.name, "has two records named '", record.name, "'");
      if (!out_.records.empty()) record.graph = read_other_graph();
      const auto bytes = in_.take(in_.get<uint32_t>());
      record.bytes.assign(bytes.begin(), bytes.end());
      out_.records.push_back(std::move(record));
    }
  }

  std::shared_ptr<Graph> read_other_graph() {
    const auto graph = std::make_shared<Graph>();
    graph_ = graph.get();
    ++depth_;  // weights find it by its address
    read_head();
    read_content();
    read_contract();
    --depth_;
    graph_ = &out_.graph;
    return graph;
  }

  void read_symbols() {
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      std::string name = text();
      in_.require(can_name_a_size(name), "has '", name.substr(0, 80), "' as a symbol");
      const auto has_example = in_.get<uint8_t>();
      const auto example = in_.get<int64_t>();
      in_.require(has_example <= 1 && example >= 0, "has an impossible example size");
      symbols_.push_back(Extent::symbol(std::move(name), has_example ? std::optional(example) : std::nullopt));
    }
  }

  // What it says of the graph's inputs is for verify.
  void read_contract() {
    SizeContract contract;
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      SizeRange& range = contract.ranges.emplace_back();
      range.label = text();
      range.min = in_.get<int64_t>();
      const auto has_max = in_.get<uint8_t>();
      const auto max = in_.get<int64_t>();
      in_.require(has_max <= 1 && (has_max == 1 || max == 0), "has an unknown upper bound of a size");
      if (has_max) range.max = max;
    }
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      SizeRelation& relation = contract.relations.emplace_back();
      relation.label = text();
      relation.root = text();
      relation.scale = in_.get<int64_t>();
      relation.offset = in_.get<int64_t>();
    }
    graph_->contract = std::make_shared<const SizeContract>(std::move(contract));
  }

  void read_content() {
    for (auto n = in_.get<uint32_t>(); n > 0; --n) read_value();
    graph_->inputs = read_ids(false);
    graph_->outputs = read_ids(false);
    for (auto n = in_.get<uint32_t>(); n > 0; --n) read_node();
  }

  std::shared_ptr<const Graph> read_body(std::string name) {
    in_.require(depth_ < kMostNestedGraphs, "has graphs nested more than ", kMostNestedGraphs, " deep");
    const auto body = std::make_shared<Graph>();
    body->name = std::move(name);
    Graph* const outer = std::exchange(graph_, body.get());
    ++depth_;
    read_content();
    --depth_;
    graph_ = outer;
    out_.bodies.push_back(body);
    return body;
  }

  void read_value() {
    Value value{.name = text()};
    const auto role = in_.get<uint8_t>();
    const auto kind = in_.get<uint8_t>();
    in_.require(role <= kMostRole && kind <= static_cast<uint8_t>(ConstantKind::non_persistent_buffer),
                "has a value of unknown role or kind");
    value.kind = static_cast<ConstantKind>(kind);
    if (role == 1) {
      const auto weight = in_.get<uint32_t>();
      in_.require(weight < out_.weights.size(), "refers to weight ", weight, " of ", out_.weights.size());
      value.type = {out_.weights[weight].dtype, Shape(out_.weights[weight].dims)};
      Graph* const owner = depth_ == 0 ? nullptr : graph_;
      out_.users[weight].push_back({owner, static_cast<ValueId>(graph_->values.size())});
    } else {
      read_type(value);
      if (role > 1) value.holds = static_cast<Holds>(role - 1);
    }
    graph_->values.push_back(std::move(value));
  }

  void read_optional_inputs() {
    auto n = in_.get<uint32_t>();
    in_.require(n > 0, "has an empty list of optional inputs");
    for (; n > 0; --n) {
      const auto id = in_.get<int32_t>();
      in_.require(id >= 0 && static_cast<size_t>(id) < out_.graph.values.size(), "refers to value ", id, " of ",
                  out_.graph.values.size());
      const auto rank = in_.get<uint8_t>();
      in_.require(rank <= kMaxRank, "has a value of unknown type");
      out_.graph.optional_inputs.push_back({id, read_shape(rank)});
    }
  }

  void read_type(Value& value) {
    const auto dtype = static_cast<DType>(in_.get<uint8_t>());
    const auto rank = in_.get<uint8_t>();
    const bool known = dtype != DType::undefined;
    if (known && rank == kUnknownRank) {
      in_.require(dtype_size(dtype) != 0, "has a value of unknown type");
      value.element = dtype;
      return;
    }
    in_.require(known ? dtype_size(dtype) != 0 && rank <= kMaxRank : rank == 0, "has a value of unknown type");
    value.type = {dtype, read_shape(rank)};
  }

  Shape read_shape(int rank) {
    Shape shape;
    for (int i = 0; i < rank; ++i) {
      const auto coefficient = in_.get<int64_t>();
      const auto atoms = in_.get<uint32_t>();
      in_.require(coefficient >= (atoms > 0) && atoms <= kMostAtoms, "has an impossible extent");
      Extent extent = coefficient;
      for (uint32_t a = 0; a < atoms; ++a) {
        const auto symbol = in_.get<uint32_t>();
        in_.require(symbol < symbols_.size(), "refers to symbol ", symbol, " of ", symbols_.size());
        extent = extent * symbols_[symbol];
      }
      shape.push_back(std::move(extent));
    }
    return shape;
  }

  std::vector<ValueId> read_ids(bool may_be_absent) {
    std::vector<ValueId> ids;
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      const auto id = in_.get<int32_t>();
      in_.require((may_be_absent && id == kNone) || (id >= 0 && static_cast<size_t>(id) < graph_->values.size()),
                  "refers to value ", id, " of ", graph_->values.size());
      ids.push_back(id);
    }
    return ids;
  }

  void read_node() {
    const std::string_view op_name = view();
    std::string name = text();
    std::string module_path = text();
    std::vector<ValueId> inputs = read_ids(true);
    std::vector<ValueId> outputs = read_ids(true);
    std::optional<Clamp> clamp;
    const auto has_clamp = in_.get<uint8_t>();
    in_.require(has_clamp <= 1, "has an unknown clamp");
    if (has_clamp) {
      const auto min = in_.get<float>();
      clamp = Clamp{min, in_.get<float>()};
    }
    std::vector<std::pair<std::string, AttributeValue>> attributes;
    std::vector<std::shared_ptr<const Graph>> bodies;
    for (auto n = in_.get<uint32_t>(); n > 0; --n) {
      std::string attribute = text();
      const auto tag = in_.get<uint8_t>();
      if (tag == kGraphAttribute)
        bodies.push_back(read_body(std::move(attribute)));
      else
        attributes.emplace_back(std::move(attribute), read_attribute(tag));
    }
    const OpTraits* traits = bodies.empty() ? find_operator(op_name) : find_control_flow(op_name);
    if (!traits && bodies.empty()) traits = find_container_operator(op_name);
    if (!traits) {
      unknown_.insert(op_name);
      return;
    }
    const auto id = static_cast<NodeId>(graph_->nodes.size());
    for (const ValueId output : outputs)
      if (output != kNone) graph_->value(output).producer = id;
    graph_->nodes.push_back({make(*traits, name, attributes), std::move(inputs), std::move(outputs), std::move(name),
                             std::move(module_path), clamp, std::move(bodies)});
  }

  static Op make(const OpTraits& traits, const std::string& node,
                 std::span<const std::pair<std::string, AttributeValue>> attributes) {
    try {
      return make_op(traits, attributes);
    } catch (const Error& error) {
      throw ModelError("Malformed", concat(".onemodel: node '", node, "': ", error.what()));
    }
  }

  AttributeValue read_attribute(uint8_t tag) {
    switch (tag) {
      case 0: return in_.get<int64_t>();
      case 1: return in_.get<double>();
      case 2: return text();
      case 3: return read_numbers<int64_t>();
      case 4: return read_numbers<double>();
      case 5: return read_tensor(in_);
      default: break;
    }
    in_.require(false, "has an attribute of unknown kind ", static_cast<int>(tag));
    return {};
  }

  template <class T>
  std::vector<T> read_numbers() {
    std::vector<T> out;
    for (auto n = in_.get<uint32_t>(); n > 0; --n) out.push_back(in_.get<T>());
    return out;
  }

  std::vector<std::string_view> strings_;
  ByteReader in_;
  uint64_t text_budget_;
  DecodedGraph out_;
  Graph* graph_ = &out_.graph;  // that is being read
  size_t depth_ = 0;            // graphs around it
  std::vector<Extent> symbols_;
  std::set<std::string_view> unknown_;
};

}  // namespace

DecodedGraph decode_graph(std::span<const std::byte> strings, std::span<const std::byte> graph,
                          std::span<const std::byte> index, uint64_t weight_bytes) {
  return Decoder(strings, graph).run(index, weight_bytes);
}

}  // namespace onemodel
