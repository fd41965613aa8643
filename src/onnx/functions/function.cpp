#include "onnx/functions/function.h"

#include <algorithm>
#include <utility>
#include <vector>

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

struct AddedFunctions {
  std::string domain;
  std::span<const Function> functions;
};

std::vector<AddedFunctions>& added_functions() {
  static std::vector<AddedFunctions> all;
  return all;
}

const Function* find_in(std::span<const Function> functions, std::string_view name) {
  const auto at = std::ranges::find(functions, name, &Function::name);
  return at == functions.end() ? nullptr : &*at;
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

void add_functions(std::string_view domain, std::span<const Function> functions) {
  added_functions().push_back({std::string(domain), functions});
}

const Function* find_function(std::string_view domain, std::string_view name) {
  for (const auto& family : kFunctionFamilies)
    if (same_domain(family.domain, domain))
      if (const Function* function = find_in(family.functions(), name)) return function;
  for (const auto& added : added_functions())
    if (same_domain(added.domain, domain))
      if (const Function* function = find_in(added.functions, name)) return function;
  return nullptr;
}

bool is_known_domain(std::string_view domain) {
  const auto is_same = [&](const auto& family) { return same_domain(family.domain, domain); };
  return std::ranges::any_of(kFunctionFamilies, is_same) || std::ranges::any_of(added_functions(), is_same);
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
  if (!function.build) throw ModelError("Unsupported", std::string(function.refused));
  check_arity(function, node);
  FunctionCall call(node, host);
  function.build(call);
  if (!node.attributes.empty())
    throw ModelError("Unsupported", concat("attribute '", node.attributes.begin()->first, "' is not supported"));
}

}  // namespace onemodel
