// Programs: calls by position and name, what they hold, what validate finds.

#include "export/models.h"
#include "export/unflatten.h"

namespace onemodel::test {
namespace {

// scale * x + pair[0] - pair[1], with a table of its own that is lifted as a constant.
ExportedProgram arithmetic() {
  const Tensor table = counting({2});
  Exportable model = exportable([table](std::span<const Argument> arguments) {
    const Tensor& x = std::get<Tensor>(arguments[0].value);
    const auto element = [&](size_t i) { return std::get<Tensor>(arguments[1].children[i].value); };
    const double scale = std::get<double>(arguments[2].value);
    return Argument::dict({{"sum", x * scale + element(0) - element(1) + table}, {"scale", Argument(scale)}});
  });
  model.name = "arithmetic";
  model.state = {{"table", table, ConstantKind::plain}};
  const Argument pair = Argument::list({Argument(counting({2})), Argument(counting({2}) * 2)});
  return export_program(model,
                        std::vector<NamedArgument>{{"x", counting({2})}, {"pair", pair}, {"scale", Argument(3.0)}});
}

TEST(Program, IsCalledByPositionAndName) {
  ExportedProgram program = arithmetic();
  const Argument x = counting({2}), pair = Argument::list({Argument(counting({2})), Argument(counting({2}))});
  const auto sum = [](const Argument& result) {
    EXPECT_EQ(result.keys, (std::vector<std::string>{"sum", "scale"}));
    EXPECT_EQ(std::get<double>(result.children[1].value), 3.0);
    return std::get<Tensor>(result.children[0].value).to_vector<float>();
  };
  const std::vector<float> expected = {4, 8};
  EXPECT_EQ(sum(program.call(std::vector{x, pair})), expected);
  EXPECT_EQ(sum(program.call(std::vector{x}, std::vector<NamedArgument>{{"pair", pair}})), expected);
  EXPECT_EQ(sum(program.call({}, std::vector<NamedArgument>{{"pair", pair}, {"x", x}, {"scale", Argument(3.0)}})),
            expected);

  EXPECT_ERROR(program.call(std::vector{x}), ArgumentError, "program 'arithmetic'", "'pair' is missing");
  EXPECT_ERROR(program.call(std::vector{x, pair}, std::vector<NamedArgument>{{"x", x}}), ArgumentError,
               "'x' is given twice");
  EXPECT_ERROR(program.call(std::vector{x, pair}, std::vector<NamedArgument>{{"y", x}}), ArgumentError,
               "no argument 'y'", "x, pair, scale");
  EXPECT_ERROR(program.call(std::vector{x, pair, Argument(3.0), x}), ArgumentError, "4 arguments", "takes 3");
  EXPECT_ERROR(program.call(std::vector{x, x}), ArgumentError, "'pair' was exported as [*, *], got *");
  EXPECT_ERROR(program.call(std::vector{x, pair, Argument(4.0)}), ArgumentError, "'scale' is 3 in the program, got 4");
  EXPECT_ERROR(program.call(std::vector{Argument(1.0), pair}), ArgumentError, "'x' must be a tensor, got 1");
  EXPECT_ERROR(program.call(std::vector{Argument(counting({3})), pair}), ConstraintsError, "'x'", "3");
  EXPECT_ERROR(program.call(std::vector{Argument(Tensor::zeros({2}, DType::i64)), pair}), ConstraintsError, "'x'");
}

TEST(Program, NamesOfNestedArgumentsAreMadeUnique) {
  const auto function = [](std::span<const Argument> arguments) {
    const Tensor sum = std::get<Tensor>(arguments[0].children[0].value) + std::get<Tensor>(arguments[1].value);
    return Argument::dict({{"a", Argument::list({sum})}, {"a_0", sum * 2}});
  };
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::by_name({{"a", ShapeSpec::of({ShapeSpec::of({Dim::DYNAMIC(2)})})}});
  const std::vector<NamedArgument> arguments = {{"a", Argument::list({counting({3})})}, {"a_0", counting({1})}};
  ExportedProgram program = export_program(exportable(function), arguments, options);
  EXPECT_EQ(program.signature.names_of(InputKind::user_input), (std::vector<std::string>{"a_0_1", "a_0"}));
  EXPECT_EQ(program.signature.names_of(OutputKind::user_output),
            (std::vector<std::string>{"output_a_0", "output_a_0_1"}));
  EXPECT_EQ(program.range_constraints().at(0).label, "a_0_1_dim_0");
  const Argument result =
      program.call({}, std::vector<NamedArgument>{{"a_0", counting({1})}, {"a", Argument::list({counting({5})})}});
  EXPECT_EQ(tensors_in(result)[1].dims(), Dims{5});
}

TEST(Program, StateConstantsAndExamplesAreThere) {
  const ExportedProgram program = arithmetic();
  EXPECT_EQ(program.signature.inputs_to_constants(), (ProgramSignature::Names{{"c_table", "table"}}));
  EXPECT_TRUE(program.state_dict().empty());
  EXPECT_TRUE(program.constants().contains("table"));
  ASSERT_EQ(program.example_inputs.size(), 3u);
  EXPECT_TRUE(same_bits(program.example_inputs[2], counting({2}) * 2));
  EXPECT_TRUE(program.range_constraints().empty());

  const auto child = std::make_shared<Model>();
  Model nested(
      [&](Model& self, Inputs inputs) -> Outputs { return {inputs[0] * self["b_c"] + self["seen"] + (*child)["c"]}; });
  child->parameter("c", counting({2}));
  nested.buffer("seen", counting({2}), false).parameter("b_c", counting({2})).child("b", child);
  const ExportedProgram named = exported(nested, {counting({2})});
  EXPECT_EQ(named.signature.inputs_to_parameters(), (ProgramSignature::Names{{"p_b_c", "b_c"}, {"p_b_c_1", "b.c"}}));
  EXPECT_EQ(named.signature.inputs[0].name, "p_b_c") << "parameters come before buffers of one module";
  EXPECT_EQ(named.signature.inputs[1].name, "b_seen");
  EXPECT_TRUE(named.constants().contains("seen"));
  EXPECT_EQ(named.state_dict().size(), 2u);
}

TEST(Program, OwnsItsState) {
  const auto model = counter();
  ExportedProgram program = exported(*model, {counting({3})});
  add_((*model)["count"], 5);
  EXPECT_EQ(program.state_dict().at("count").item<double>(), 0);
  program.load_state_dict({{"count", Tensor::full({1}, 9)}});
  EXPECT_EQ(program.state_dict().at("count").item<double>(), 9);
  EXPECT_EQ((*model)["count"].item<double>(), 5);
  EXPECT_ERROR(program.load_state_dict({{"other", Tensor::full({2}, 9)}}), ModelError, "missing: count",
               "unexpected: other");
  EXPECT_ERROR(program.load_state_dict({{"count", Tensor::full({2}, 9)}}), ModelError,
               "count: expected float32[1], got float32[2]");
}

TEST(Program, PrintsWhatItIs) {
  const auto model = counter();
  const std::string text = to_string(exported(*model, {counting({3})}));
  for (const char* part : {"program 'program'", "b_count: Buffer 'count'", "b_count_out: BufferMutation 'count'",
                           "ranges:", "graph:", "Mul", "calls:", "(root): input -> output"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(Program, ADerivedSizeOfTheExampleMayBeOne) {
  Model model([](Model&, Inputs inputs) -> Outputs { return {sum(inputs[0]) + sum(inputs[1])}; });
  const Dim n("n");
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::of({ShapeSpec::of({n}), ShapeSpec::of({n - 2})});
  ExportedProgram program = exported(model, {counting({3}), counting({1})}, options);
  for (const int64_t size : {3, 8})
    EXPECT_NO_THROW(program.call_flat(std::vector{counting({size}), counting({size - 2})})) << size;
  EXPECT_ERROR(program.call_flat(std::vector{counting({5}), counting({4})}), ConstraintsError, "n - 2");
}

TEST(Program, UnknownPreservedPathsAreListed) {
  nn::Sequential model({std::make_shared<nn::ReLU>(), std::make_shared<nn::Sigmoid>()});
  const std::vector<Tensor> x = {counting({3})};
  EXPECT_ERROR(
      export_program(model, x, {.dynamic_shapes = {}, .preserve_module_calls = {"2"}, .find = {}, .strict = false}),
      ArgumentError, "'2', which is no module", "'0', '1'");
}

TEST(Program, TheFlatModuleRunsAndTrains) {
  nn::Sequential model({std::make_shared<nn::Linear>(3, 2),
                        std::make_shared<nn::BatchNorm1d>(nn::BatchNorm2dOptions{.num_features = 2})});
  const std::vector<Tensor> x = {counting({4, 3})};
  const ExportedProgram program = export_for_training(exportable(model), tensor_arguments(x));
  const Exact exact;
  const auto flat = program_module(program);
  EXPECT_EQ(flat->state_dict().size(), model.state_dict().size());
  for (int i = 0; i < 2; ++i) {
    const Tensor ours = flat->forward(x)[0], theirs = model.forward(x)[0];
    EXPECT_TRUE(same_bits(ours.detach(), theirs.detach()));
    backward(sum(ours * ours));
    backward(sum(theirs * theirs));
    const auto mine = flat->named_parameters(), others = model.named_parameters();
    ASSERT_EQ(mine.size(), 4u);
    for (const auto& named : mine) {
      const auto same_path = [&](const nn::NamedTensor& other) { return other.path == named.path; };
      EXPECT_TRUE(same_bits(grad(named.tensor), grad(std::ranges::find_if(others, same_path)->tensor))) << named.path;
    }
    for (const auto& [path, tensor] : model.state_dict())
      EXPECT_TRUE(same_bits(flat->state_dict().at(path).detach(), tensor.detach())) << path;
  }
  EXPECT_ERROR(flat->forward({}), ArgumentError, "1 inputs", "got 0");
  EXPECT_TRUE(program.calls.size() == 3u);
}

// The result reads a buffer before and after its update, and the weight's gradient needs both.
TEST(Program, AModuleThatUpdatesWhatItReadsHasGradients) {
  Model model([](Model& self, std::span<const Tensor> inputs) -> std::vector<Tensor> {
    const Tensor before = self["weight"] * self["count"];
    add_(self["count"], 1);
    return {before + self["weight"] * self["count"] * inputs[0]};
  });
  model.parameter("weight", counting({2})).buffer("count", Tensor::zeros({1}));
  const std::vector<Tensor> x = {Tensor::full({2}, 10.0)};
  const auto program = export_for_training(exportable(model), tensor_arguments(x));
  for (const auto& module : {program_module(program), unflatten(program)})
    for (int count = 0; count < 3; ++count) {
      module->zero_grad();
      backward(sum(module->forward(x)[0]));
      const Tensor weight = module->named_parameters().front().tensor;
      EXPECT_TRUE(same_bits(grad(weight), Tensor::full({2}, count + 10.0 * (count + 1))));
      EXPECT_TRUE(same_bits(module->state_dict().at("count"), Tensor::full({1}, count + 1.0)));
    }
}

TEST(Program, ItsModulesTakeTheSizesThatItTakes) {
  nn::Sequential model({std::make_shared<nn::Linear>(3, 2), std::make_shared<nn::ReLU>()});
  const std::vector<Tensor> x = {counting({4, 3})};
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::of({ShapeSpec::axes({{0, Dim("batch", 2, 8)}})});
  const ExportedProgram program = export_program(model, x, options);
  for (const auto& module : {program_module(program), unflatten(program)}) {
    const auto run = [&](const Tensor& input) { return module->forward(std::span(&input, 1)); };
    EXPECT_EQ(run(counting({8, 3}))[0].dims(), Dims({8, 2}));
    EXPECT_ERROR(run(counting({9, 3})), ConstraintsError, "'input', axis 0", "[2, 8]", "got 9");
    EXPECT_ERROR(run(counting({4, 2})), ConstraintsError, "'input', axis 1", "must be 3, got 2");
    EXPECT_ERROR(run(Tensor::zeros({4, 3}, DType::f64)), ConstraintsError, "float32", "float64");
  }
}

// One broken thing in a sound program, and what validate says of it.
void expect_problem(const std::function<void(ExportedProgram&)>& breaks,
                    std::initializer_list<std::string_view> parts) {
  const auto inner = std::make_shared<nn::ReLU>();
  const auto model = counter();
  Model outer([&](Model&, Inputs inputs) -> Outputs { return {(*inner)((*model)(inputs[0]))}; });
  outer.child("counter", model).child("relu", inner);
  const std::vector<Tensor> x = {counting({3})};
  ExportedProgram program = export_program(outer, x);
  EXPECT_NO_THROW(program.validate());
  breaks(program);
  EXPECT_ERROR(program.validate(), ModelError, "program 'program' is not valid");
  try {
    program.validate();
  } catch (const ModelError& error) {
    expect_parts(error, parts);
  }
}

TEST(Validate, TopologicalOrder) {
  expect_problem([](ExportedProgram& p) { std::swap(p.graph.nodes.front(), p.graph.nodes.back()); },
                 {"graph: node 'Relu_5' (Relu): input 'Add_4_out' is not defined before its use"});
}
TEST(Validate, SingleAssignment) {
  expect_problem([](ExportedProgram& p) { p.graph.nodes.back().outputs = p.graph.nodes.front().outputs; },
                 {"graph: node 'Relu_5' (Relu): output 'Mul_0_out' is defined twice"});
}
TEST(Validate, TypesOfValues) {
  expect_problem([](ExportedProgram& p) { p.graph.value(p.graph.outputs[1]).type.shape = {7}; }, {"graph: ", "7", "3"});
}
TEST(Validate, InputsOfTheGraph) {
  expect_problem([](ExportedProgram& p) { p.signature.inputs.pop_back(); }, {"it lists 1 inputs, the graph has 2"});
  expect_problem([](ExportedProgram& p) { p.signature.inputs[0].name = "b_other"; },
                 {"input 0 is 'b_other', the graph's is 'b_counter_count'"});
}
TEST(Validate, StateComesFirst) {
  expect_problem(
      [](ExportedProgram& p) {
        std::swap(p.signature.inputs[0], p.signature.inputs[1]);
        std::swap(p.graph.inputs[0], p.graph.inputs[1]);
      },
      {"input 'b_counter_count' is state after user inputs"});
}
TEST(Validate, TargetsOfInputs) {
  expect_problem([](ExportedProgram& p) { p.signature.inputs[1].target = "x"; },
                 {"input 'input' (UserInput) has a target"});
  expect_problem([](ExportedProgram& p) { p.signature.inputs[0].target.clear(); },
                 {"input 'b_counter_count' (Buffer) has no target"});
  expect_problem(
      [](ExportedProgram& p) {
        p.signature.inputs[1] = p.signature.inputs[0];
        p.signature.inputs[1].name = "input";
      },
      {"two inputs stand for 'counter.count'"});
  expect_problem([](ExportedProgram& p) { p.signature.inputs[1].persistent = false; },
                 {"input 'input' is not persistent, but no buffer"});
}
TEST(Validate, OutputsOfTheGraph) {
  expect_problem([](ExportedProgram& p) { p.graph.outputs.pop_back(); }, {"it lists 2 outputs, the graph has 1"});
  expect_problem([](ExportedProgram& p) { p.signature.outputs[1].name = "y"; },
                 {"output 1 is 'y', the graph's is 'output'"});
  expect_problem([](ExportedProgram& p) { p.signature.outputs[1].target = "y"; },
                 {"output 'output' (UserOutput) has a target"});
}
TEST(Validate, UpdatesComeFirst) {
  expect_problem(
      [](ExportedProgram& p) {
        std::swap(p.signature.outputs[0], p.signature.outputs[1]);
        std::swap(p.graph.outputs[0], p.graph.outputs[1]);
      },
      {"output 'b_counter_count_out' is an update after user outputs"});
}
TEST(Validate, UpdatesAreOfLiftedState) {
  expect_problem([](ExportedProgram& p) { p.signature.outputs[0].target = "gone"; },
                 {"'b_counter_count_out' (BufferMutation) is about 'gone'"});
  expect_problem([](ExportedProgram& p) { p.signature.outputs[0].kind = OutputKind::parameter_mutation; },
                 {"(ParameterMutation) is about 'counter.count'"});
  expect_problem(
      [](ExportedProgram& p) {
        p.signature.outputs[1].kind = OutputKind::buffer_mutation;
        p.signature.outputs[1].target = "counter.count";
      },
      {"output 'output' is float32[3], but 'counter.count' is float32[1]",
       "'counter.count' is updated by two outputs"});
}
TEST(Validate, StateFitsTheGraph) {
  expect_problem([](ExportedProgram& p) { p.state = nullptr; }, {"state: there is none"});
  expect_problem([](ExportedProgram& p) { p.state = std::make_shared<ProgramState>(std::vector<Tensor>{}); },
                 {"it has 0 tensors, the signature lists 1"});
  expect_problem([](ExportedProgram& p) { p.state = std::make_shared<ProgramState>(std::vector{counting({2})}); },
                 {"'counter.count' is float32[2], the graph's input is float32[1]"});
}
TEST(Validate, ConstraintsHaveSites) {
  expect_problem(
      [](ExportedProgram& p) {
        p.graph.contract =
            std::make_shared<const SizeContract>(SizeContract{.ranges = {{"batch", 2, 8}}, .relations = {}});
      },
      {"constraints: ", "batch"});
}
TEST(Validate, ArgumentsAndResults) {
  expect_problem([](ExportedProgram& p) { p.arguments.clear(); }, {"they hold 0 tensors, the signature lists 1"});
  expect_problem([](ExportedProgram& p) { p.arguments.push_back(p.arguments[0]); }, {"two are named 'input'"});
  expect_problem([](ExportedProgram& p) { p.arguments[0].constants.clear(); }, {"'input' is *, but has 0 leaves"});
  expect_problem([](ExportedProgram& p) { p.result_constants.clear(); }, {"result: * does not hold 1 tensors"});
  expect_problem([](ExportedProgram& p) { p.example_inputs.emplace_back(counting({3})); },
                 {"examples: there are 2 for 1"});
}
TEST(Validate, StructuresCanBeSaved) {
  const auto deep = [](size_t levels) {
    Structure out;
    for (size_t i = 0; i < levels; ++i) out = {.kind = ArgumentKind::list, .keys = {}, .children = {out}};
    return out;
  };
  expect_problem([&](ExportedProgram& p) { p.arguments[0].structure = deep(65); },
                 {"'input' has 65 levels, expected at most 64"});
  expect_problem([&](ExportedProgram& p) { p.result = deep(65); }, {"result has 65 levels"});
}
TEST(Validate, CallsAreOfTheGraph) {
  expect_problem([](ExportedProgram& p) { p.calls[0].path = "x"; }, {"the first is 'x', not the root"});
  expect_problem([](ExportedProgram& p) { p.calls[2].path = p.calls[1].path; }, {"'counter' is listed twice"});
  expect_problem([](ExportedProgram& p) { p.calls[1].parent = 1; }, {"'counter' has no call around it"});
  expect_problem([](ExportedProgram& p) { p.calls[1].outputs[0] = "nowhere"; },
                 {"'counter' names the value 'nowhere'"});
  expect_problem([](ExportedProgram& p) { p.graph.nodes[0].module_path = "gone"; },
                 {"was made in 'gone', which is no call"});
}

}  // namespace
}  // namespace onemodel::test
