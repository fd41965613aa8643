#include <map>
#include <set>

#include "core/indented.h"
#include "export/exported_program.h"

namespace onemodel {
namespace {

std::string values_text(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += concat(out.empty() ? "" : ", ", name.empty() ? "-" : name);
  return out;
}

}  // namespace

std::vector<SizeRange> ExportedProgram::range_constraints() const {
  return graph.contract ? graph.contract->ranges : std::vector<SizeRange>();
}

std::vector<std::string> equality_constraints(const ExportedProgram& program) {
  std::map<std::string, std::vector<std::string>> sites;
  std::set<std::string> stated;  // labels that are their own formula
  for (const ValueId id : program.graph.inputs) {
    const Value& value = program.graph.value(id);
    for (size_t axis = 0; axis < value.type.shape.rank(); ++axis)
      if (const Extent& extent = value.type.shape[axis]; !extent.is_number()) {
        sites[extent.text()].push_back(concat("axis ", axis, " of '", value.name, "'"));
        if (stated_relation(extent)) stated.insert(extent.text());
      }
  }
  std::vector<std::string> out;
  for (const auto& [label, places] : sites)
    for (size_t i = 1; i < places.size(); ++i)
      out.push_back(concat(places[i], " == ", places.front(), " (", label, ")"));
  if (!program.graph.contract) return out;
  for (const SizeRelation& relation : program.graph.contract->relations) {
    const bool is_stated = stated.contains(relation.label);
    out.push_back(concat(is_stated ? sites.at(relation.label).front() : relation.label,
                         " == ", size_formula(relation.root, relation.scale, relation.offset)));
  }
  return out;
}

std::string to_string(const ExportedProgram& program) {
  std::string out = concat("program '", program.graph.name, "'\n", indented(to_string(program.signature)));
  out += "  ranges:\n";
  for (const SizeRange& range : program.range_constraints())
    out += concat("    ", range.label, " in ", bounds_text(range), "\n");
  out += "  equalities:\n";
  for (const std::string& equality : equality_constraints(program)) out += concat("    ", equality, "\n");
  out += "  graph:\n" + indented(indented(to_string(program.graph)));
  out += "  calls:\n";
  for (const ModuleCall& call : program.calls)
    out += concat("    ", call.path.empty() ? "(root)" : call.name(), ": ", values_text(call.inputs), " -> ",
                  values_text(call.outputs), "\n");
  return out;
}

}  // namespace onemodel
