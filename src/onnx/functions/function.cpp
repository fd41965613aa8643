#include "onnx/functions/function.h"

#include <utility>

#include "core/error.h"
#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "onnx/convert_tensor.h"
#include "onnx/functions/families.h"
#include "ops/op.h"

namespace onemodel {
namespace {

bool same_domain(std::string_view a, std::string_view b) {
  return a == b || (is_standard_domain(a) && is_standard_domain(b));
}

void check_arity(const Function& function, const FileNode& node) {
  for (size_t i = 0; i < function.least_inputs; ++i)
    if (i >= node.inputs.size() || node.inputs[i].empty())
      throw ModelError("Malformed", concat("input ", i, " is missing"));
  if (node.inputs.size() > function.most_inputs)
    throw ModelError("Unsupported",
                     concat("expects at most ", function.most_inputs, " inputs, got ", node.inputs.size()));
  if (node.outputs.empty()) throw ModelError("Malformed", "the node has no outputs");
  for (size_t i = function.most_outputs; i < node.outputs.size(); ++i)
    if (!node.outputs[i].empty())
      throw ModelError("Unsupported", concat("output ", i, " ('", node.outputs[i], "') is not supported"));
}

}  // namespace

DType FunctionCall::element_type(std::string_view name, DType otherwise) {
  const int64_t number = integer(name, static_cast<int64_t>(otherwise));
  return dtype_from_onnx(std::in_range<int32_t>(number) ? static_cast<int32_t>(number) : 0);
}

bool FunctionCall::is_real(std::string_view name) const {
  const auto found = call_.attributes.find(std::string(name));
  return found != call_.attributes.end() && std::holds_alternative<double>(found->second);
}

FunctionCall::Ref FunctionCall::make_with_rest(std::string_view type, Ref input) {
  FileNode out = new_node(type, {input}, {});
  out.attributes.swap(call_.attributes);
  return finish(std::move(out));
}

bool is_standard_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

const Function* find_function(std::string_view domain, std::string_view name) {
  for (const auto& family : kFunctionFamilies)
    if (same_domain(family.domain, domain))
      for (const Function& function : family.functions())
        if (function.name == name) return &function;
  return nullptr;
}

bool is_known_domain(std::string_view domain) {
  for (const auto& family : kFunctionFamilies)
    if (same_domain(family.domain, domain)) return true;
  return false;
}

bool is_known_operator(std::string_view domain, std::string_view type) {
  if (is_standard_domain(domain)) {
    if (type == "Constant" || find_control_flow(type) || find_container_operator(type)) return true;
    const OpTraits* traits = find_operator(newest_name(type));
    if (traits && !traits->info.internal) return true;
  }
  return find_function(domain, type) != nullptr;
}

void expand_function(const Function& function, FileNode node, ConversionHost& host) {
  while (!node.inputs.empty() && node.inputs.back().empty()) node.inputs.pop_back();
  check_arity(function, node);
  FunctionCall call(node, host);
  function.build(call);
  if (!node.attributes.empty())
    throw ModelError("Unsupported", concat("attribute '", node.attributes.begin()->first, "' is not supported"));
}

}  // namespace onemodel
