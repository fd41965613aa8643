#include <algorithm>
#include <set>

#include "export/exported_program.h"

namespace onemodel {
namespace {

class Validator {
 public:
  explicit Validator(const ExportedProgram& program) : program_(program), graph_(program.graph) {}

  std::vector<std::string> run() {
    graph();
    if (!problems_.empty()) return std::move(problems_);  // ids may lead anywhere
    inputs();
    outputs();
    state();
    constraints();
    structures();
    calls();
    return std::move(problems_);
  }

 private:
  template <class... Parts>
  bool expect(bool ok, const Parts&... parts) {
    if (!ok) problems_.push_back(concat(parts...));
    return ok;
  }

  // Topological order, single assignment, types.
  void graph() {
    Graph bare = graph_;
    bare.contract = {};
    try {
      verify(bare);
      infer_types(bare);
    } catch (const Error& error) {
      problems_.push_back(concat("graph: ", error.what()));
    }
  }

  void inputs() {
    const auto& specs = program_.signature.inputs;
    if (!expect(specs.size() == graph_.inputs.size(), "signature: it lists ", specs.size(), " inputs, the graph has ",
                graph_.inputs.size()))
      return;
    std::set<std::string> targets;
    for (size_t i = 0; i < specs.size(); ++i) {
      const InputSpec& spec = specs[i];
      const std::string& name = graph_.value(graph_.inputs[i]).name;
      expect(spec.name == name, "signature: input ", i, " is '", spec.name, "', the graph's is '", name, "'");
      expect(i == 0 || !spec.is_state() || specs[i - 1].is_state(), "signature: input '", spec.name,
             "' is state after user inputs");
      expect(spec.is_state() != spec.target.empty(), "signature: input '", spec.name, "' (", kind_name(spec.kind),
             spec.is_state() ? ") has no target" : ") has a target");
      expect(spec.persistent || spec.kind == InputKind::buffer, "signature: input '", spec.name,
             "' is not persistent, but no buffer");
      expect(!spec.frozen || spec.kind == InputKind::parameter, "signature: input '", spec.name,
             "' is frozen, but no parameter");
      expect(spec.aliases.empty() || spec.kind == InputKind::parameter || spec.kind == InputKind::buffer,
             "signature: input '", spec.name, "' has other paths, but is neither parameter nor buffer");
      for (const std::string& path : spec.paths())
        expect(targets.insert(path).second, "signature: two inputs stand for '", path, "'");
    }
  }

  void outputs() {
    const auto& specs = program_.signature.outputs;
    if (!expect(specs.size() == graph_.outputs.size(), "signature: it lists ", specs.size(), " outputs, the graph has ",
                graph_.outputs.size()))
      return;
    std::set<size_t> updated;
    for (size_t i = 0; i < specs.size(); ++i) {
      const OutputSpec& spec = specs[i];
      const std::string& name = graph_.value(graph_.outputs[i]).name;
      expect(spec.name == name, "signature: output ", i, " is '", spec.name, "', the graph's is '", name, "'");
      expect(i == 0 || !spec.is_mutation() || specs[i - 1].is_mutation(), "signature: output '", spec.name,
             "' is an update after user outputs");
      target_of(i, spec, updated);
    }
  }

  void target_of(size_t i, const OutputSpec& spec, std::set<size_t>& updated) {
    const bool has_target = spec.kind != OutputKind::user_output && spec.kind != OutputKind::loss_output;
    if (!has_target) {
      expect(spec.target.empty(), "signature: output '", spec.name, "' (", kind_name(spec.kind), ") has a target");
      return;
    }
    const auto input = program_.signature.input_of(spec);
    if (!expect(input.has_value() && *input < graph_.inputs.size(), "signature: output '", spec.name, "' (",
                kind_name(spec.kind), ") is about '", spec.target, "', which no input of that kind stands for"))
      return;
    const TensorType& from = graph_.value(graph_.inputs[*input]).type;
    const TensorType& to = graph_.value(graph_.outputs[i]).type;
    expect(from == to, "signature: output '", spec.name, "' is ", to, ", but '", spec.target, "' is ", from);
    if (spec.is_mutation())
      expect(updated.insert(*input).second, "signature: '", spec.target, "' is updated by two outputs");
  }

  void state() {
    const size_t count = program_.signature.state_count();
    if (!expect(program_.state != nullptr, "state: there is none")) return;
    const std::vector<Tensor> tensors = program_.state->tensors();
    if (!expect(tensors.size() == count, "state: it has ", tensors.size(), " tensors, the signature lists ", count))
      return;
    for (size_t i = 0; i < std::min(count, graph_.inputs.size()); ++i) {
      const TensorType& type = graph_.value(graph_.inputs[i]).type;
      const TensorType have{tensors[i].dtype(), Shape(tensors[i].dims())};
      expect(have == type, "state: '", program_.signature.inputs[i].target, "' is ", have, ", the graph's input is ",
             type);
    }
  }

  void constraints() {
    if (!graph_.contract) return;
    std::vector<Shape> shapes;
    for (const ValueId id : graph_.inputs) shapes.push_back(graph_.value(id).type.shape);
    const std::string problem = contract_problem(*graph_.contract, shapes);
    expect(problem.empty(), "constraints: ", problem);
  }

  // A form has a leaf for each constant, so many tensors, and not too many levels.
  void form(const ArgumentForm& form, size_t tensors, const std::string& what) {
    expect(form.structure.leaf_count() == form.constants.size(), what, " is ", to_string(form.structure), ", but has ",
           form.constants.size(), " leaves");
    expect(form.structure.depth() <= kMostStructureDepth, what, " has ", form.structure.depth(),
           " levels, expected at most ", kMostStructureDepth);
    expect(form.tensor_count() == tensors, what, ": ", to_string(form.structure), " does not hold ", tensors,
           " tensors");
  }

  void structures() {
    const size_t users = program_.signature.inputs.size() - program_.signature.state_count();
    size_t leaves = 0;
    std::set<std::string> names;
    for (const ProgramArgument& argument : program_.arguments) {
      expect(names.insert(argument.name).second, "arguments: two are named '", argument.name, "'");
      form(argument, argument.tensor_count(), concat("arguments: '", argument.name, "'"));
      leaves += argument.tensor_count();
    }
    expect(leaves == users, "arguments: they hold ", leaves, " tensors, the signature lists ", users, " user inputs");
    const size_t results = program_.signature.outputs.size() - program_.signature.mutation_count();
    form({program_.result, program_.result_constants}, results, "result");
    expect(program_.example_inputs.empty() || program_.example_inputs.size() == users, "examples: there are ",
           program_.example_inputs.size(), " for ", users, " user inputs");
  }

  void calls() {
    const auto& calls = program_.calls;
    if (calls.empty()) return;
    expect(calls.front().path.empty() && calls.front().parent == -1, "calls: the first is '", calls.front().path,
           "', not the root");
    std::set<std::string> names = {""};
    std::set<std::string_view> values = {""};
    for (const Value& value : graph_.values) values.insert(value.name);
    for (size_t i = 0; i < calls.size(); ++i) {
      const ModuleCall& call = calls[i];
      if (i > 0) {
        const auto parent = static_cast<size_t>(call.parent);
        expect(!call.path.empty() && names.insert(call.name()).second, "calls: '", call.name(), "' is listed twice");
        expect(call.parent == 0 || (call.parent > 0 && parent > i && parent < calls.size()), "calls: '", call.name(),
               "' has no call around it that completed later");
      }
      if (call.input_form) {
        form(*call.input_form, call.inputs.size(), concat("calls: the arguments of '", call.name(), "'"));
        expect(call.input_form->structure.kind == ArgumentKind::list, "calls: the arguments of '", call.name(),
               "' are no list");
      }
      if (call.output_form)
        form(*call.output_form, call.outputs.size(), concat("calls: the result of '", call.name(), "'"));
      for (const auto* list : {&call.inputs, &call.outputs})
        for (const std::string& value : *list)
          expect(values.contains(value), "calls: '", call.name(), "' names the value '", value,
                 "', which the graph has not");
    }
    for (const Node& node : graph_.nodes)
      expect(names.contains(node.module_path), "calls: node '", node.name, "' was made in '", node.module_path,
             "', which is no call");
  }

  const ExportedProgram& program_;
  const Graph& graph_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> problems_of(const ExportedProgram& program) { return Validator(program).run(); }

void ExportedProgram::validate() const {
  std::string lines;
  for (const std::string& problem : problems_of(*this)) lines += "\n  " + problem;
  if (!lines.empty()) throw ModelError("Malformed", concat("program '", graph.name, "' is not valid:", lines));
}

}  // namespace onemodel
