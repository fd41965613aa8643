#include "export/program_file.h"

#include <algorithm>
#include <cstring>

#include "export/program_session.h"
#include "format/file.h"
#include "format/write_onemodel.h"

namespace onemodel {
namespace {

bool has_same_content(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.dims() == b.dims() && a.is_contiguous() && b.is_contiguous() &&
         std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

using Weights = std::map<std::string, std::vector<Tensor>>;  // by path

// The tensor that an earlier program has under that path, where it is the same.
Tensor shared(Weights& weights, const std::string& path, const Tensor& tensor) {
  for (const Tensor& other : weights[path])
    if (has_same_content(other, tensor)) return other;
  weights[path].push_back(tensor);
  return tensor;
}

Graph stored_graph(const ExportedProgram& program, Weights& weights) {
  std::vector<Tensor> tensors = program.state->tensors();
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i] = shared(weights, program.signature.inputs[i].target, tensors[i]);
  return bind_state(program.graph, program.signature, tensors, std::vector<bool>(tensors.size(), true));
}

// The constants that stand for state become inputs again.
void unbind_state(ExportedProgram& program) {
  Graph& graph = program.graph;
  std::map<std::string_view, ValueId> ids;
  for (size_t i = 0; i < graph.values.size(); ++i) ids.emplace(graph.values[i].name, static_cast<ValueId>(i));
  std::vector<ValueId> inputs;
  std::vector<Tensor> state;
  for (const InputSpec& input : program.signature.inputs) {
    if (!input.is_state()) continue;
    const auto found = ids.find(input.name);
    if (found == ids.end() || !graph.value(found->second).is_constant())
      throw ModelError("Malformed", concat("program record: no constant stands for the state '", input.name, "'"));
    Value& value = graph.value(found->second);
    state.push_back(std::move(value.constant));
    value.constant = Tensor();
    value.kind = ConstantKind::plain;
    inputs.push_back(found->second);
  }
  inputs.insert(inputs.end(), graph.inputs.begin(), graph.inputs.end());
  graph.inputs = std::move(inputs);
  program.state = std::make_shared<ProgramState>(std::move(state));
}

}  // namespace

std::vector<StoredGraph> stored_programs(const std::map<std::string, ExportedProgram>& programs,
                                         const SaveProgramOptions& options) {
  check(!programs.empty(), "save_programs: there are no programs");
  Weights weights;
  std::vector<StoredGraph> out;
  for (const auto& [name, program] : programs) {
    program.validate();
    out.push_back({name, stored_graph(program, weights), encode_record(program, options.examples)});
  }
  return out;
}

std::map<std::string, ExportedProgram> programs_of(std::vector<StoredGraph> graphs) {
  if (graphs.front().record.empty()) throw ModelError("NoProgram", "the file has a graph, but no program");
  std::map<std::string, ExportedProgram> out;
  for (StoredGraph& stored : graphs) {
    try {
      ExportedProgram program = decode_record(stored.record);
      program.graph = std::move(stored.graph);
      unbind_state(program);
      program.validate();
      out.emplace(stored.name, std::move(program));
    } catch (ModelError& error) {
      error.add_context(concat("program '", stored.name, "'"));
      throw;
    }
  }
  return out;
}

std::vector<std::byte> write_programs(const std::map<std::string, ExportedProgram>& programs,
                                      const SaveProgramOptions& options) {
  std::vector<std::byte> out;
  write_graphs(stored_programs(programs, options),
               [&](std::span<const std::byte> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); });
  return out;
}

std::map<std::string, ExportedProgram> read_programs(std::span<const std::byte> file, const OneModelLimits& limits) {
  return programs_of(read_graphs(file, limits));
}

void save_programs(const std::string& path, const std::map<std::string, ExportedProgram>& programs,
                   const SaveProgramOptions& options) {
  save_graphs(path, stored_programs(programs, options));
}

std::map<std::string, ExportedProgram> load_programs(const std::string& path) { return programs_of(load_graphs(path)); }

void save_program(const std::string& path, const ExportedProgram& program, const SaveProgramOptions& options) {
  save_programs(path, {{"main", program}}, options);
}

ExportedProgram load_program(const std::string& path) {
  std::map<std::string, ExportedProgram> programs = load_programs(path);
  if (programs.size() > 1) {
    std::string names;
    for (const auto& [name, program] : programs) names += concat(names.empty() ? "'" : ", '", name, "'");
    throw ModelError("Malformed", concat(path, ": the file has several programs: ", names));
  }
  return std::move(programs.begin()->second);
}

}  // namespace onemodel
