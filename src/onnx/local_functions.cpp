#include "onnx/local_functions.h"

#include <algorithm>

#include "core/error.h"
#include "onnx/functions/function.h"

namespace onemodel {
namespace {

// Each is a frame or two of the stack.
constexpr size_t kMostNested = 256;

[[noreturn]] void refuse_depth() {
  throw ModelError("Unsupported", concat("functions, and graphs in them, are nested more than ", kMostNested, " deep"));
}

uint64_t sum(uint64_t a, uint64_t b) { return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a; }
uint64_t product(uint64_t a, uint64_t b) { return __builtin_mul_overflow(a, b, &a) ? UINT64_MAX : a; }

std::string domain_of(const std::string& domain) { return is_standard_domain(domain) ? std::string() : domain; }

// Names inside a call begin with that of its node, or are those of its operands and results.
size_t longest_name(const onnx::NodeProto& call) {
  size_t longest = call.name().size();
  for (const std::string& input : call.input()) longest = std::max(longest, input.size());
  for (const std::string& output : call.output()) longest = std::max(longest, output.size());
  return longest + 1;
}

uint64_t bytes_of(const google::protobuf::RepeatedPtrField<onnx::AttributeProto>& attributes) {
  uint64_t bytes = 0;
  for (const auto& attribute : attributes) bytes += attribute.ByteSizeLong();
  return bytes;
}

}  // namespace

std::string describe(const onnx::FunctionProto& function) {
  return concat("function '", function.name(), "' (",
                is_standard_domain(function.domain()) ? "ai.onnx" : function.domain(), ")");
}

bool LocalFunctions::add(const onnx::FunctionProto& function) {
  return functions_.try_emplace({domain_of(function.domain()), function.name(), function.overload()}, &function).second;
}

const onnx::FunctionProto* LocalFunctions::of(const onnx::NodeProto& node) const {
  const auto found = functions_.find({domain_of(node.domain()), node.op_type(), node.overload()});
  return found == functions_.end() || is_known_operator(node.domain(), node.op_type()) ? nullptr : found->second;
}

void CallSize::add(const CallSize& other, uint64_t times) {
  nodes = sum(nodes, product(other.nodes, times));
  names = sum(names, product(other.names, times));
  references = sum(references, product(other.references, times));
  bytes = sum(bytes, product(other.bytes, times));
  depth = std::max(depth, other.depth);
}

CallSize CallSizes::of(const onnx::NodeProto& call, const onnx::FunctionProto& function) {
  open_.clear();  // an error left them there
  depth_ = 0;
  return inside(call, attributes(call.attribute()), function);
}

// Of one call of `function`. `given`: what its attributes have in them.
CallSize CallSizes::inside(const onnx::NodeProto& call, CallSize given, const onnx::FunctionProto& function) {
  auto found = known_.find(&function);
  if (found == known_.end()) found = known_.emplace(&function, count(function)).first;
  CallSize size = found->second;
  if (size.references > 0) size.depth += given.depth;  // graphs handed on may be wrapped at every call
  if (depth_ + size.depth > kMostNested) refuse_depth();
  size.bytes = sum(size.bytes, product(size.names, longest_name(call)));
  given.bytes = sum(given.bytes, bytes_of(call.attribute()));
  size.add(given, size.references);
  return size;
}

CallSize CallSizes::count(const onnx::FunctionProto& function) {
  if (std::find(open_.begin(), open_.end(), &function) != open_.end())
    throw ModelError("Malformed", concat(describe(function), " calls itself"));
  if (++depth_ > kMostNested) refuse_depth();
  open_.push_back(&function);
  CallSize size;
  for (const auto& node : function.node()) {
    size.bytes = sum(size.bytes, node.ByteSizeLong());
    add(node, size);
  }
  CallSize defaults = attributes(function.attribute_proto());
  defaults.bytes = sum(defaults.bytes, bytes_of(function.attribute_proto()));
  size.add(defaults, size.references);
  open_.pop_back();
  --depth_;
  ++size.depth;
  return size;
}

void CallSizes::add(const onnx::NodeProto& node, CallSize& size) {
  const CallSize given = attributes(node.attribute());
  size.add(
      {.nodes = 1, .names = 1 + static_cast<uint64_t>(node.input_size()) + static_cast<uint64_t>(node.output_size())});
  size.add(given);
  if (const onnx::FunctionProto* function = functions_.of(node)) size.add(inside(node, given, *function));
}

// The graphs in attributes; their bytes without calls are those of the node around them.
CallSize CallSizes::attributes(const Attributes& attributes) {
  CallSize size;
  for (const auto& attribute : attributes) {
    if (!attribute.ref_attr_name().empty()) size.add({.references = 1});
    if (attribute.has_g()) add(attribute.g(), size);
    for (const auto& graph : attribute.graphs()) add(graph, size);
  }
  return size;
}

void CallSizes::add(const onnx::GraphProto& graph, CallSize& size) {
  if (++depth_ > kMostNested) refuse_depth();
  const int names = graph.input_size() + graph.output_size() + graph.value_info_size() + graph.initializer_size() +
                    graph.sparse_initializer_size();
  CallSize inner{.names = static_cast<uint64_t>(names)};
  for (const auto& node : graph.node()) add(node, inner);
  --depth_;
  ++inner.depth;
  size.add(inner);
}

}  // namespace onemodel
