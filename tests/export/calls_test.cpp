// Call records, module stacks, and module trees made from them.

#include "export/models.h"
#include "export/program_file.h"
#include "export/unflatten.h"

namespace onemodel::test {
namespace {

std::shared_ptr<Model> scaling(const Tensor& weight) {
  auto model =
      std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs { return {inputs[0] * self["weight"]}; });
  model->parameter("weight", weight);
  return model;
}

// A block that is called twice, with a child of its own and two results.
struct Repeated {
  Repeated() {
    inner->parameter("weight", counting({3}) * 0.5);
    block->child("inner", inner);
    model.child("block", block).child("head", head);
  }
  std::shared_ptr<Model> inner = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
    return {inputs[0] * self["weight"], inputs[0] - self["weight"]};
  });
  std::shared_ptr<Model> block = std::make_shared<Model>([this](Model&, Inputs inputs) -> Outputs {
    const Outputs both = (*inner)(inputs);
    return {both[0] + both[1], both[1]};
  });
  std::shared_ptr<nn::ReLU> head = std::make_shared<nn::ReLU>();
  Model model{[this](Model&, Inputs inputs) -> Outputs {
    const Outputs first = (*block)(inputs);
    const Outputs second = (*block)(std::vector{first[0] * first[1]});
    return {(*head)(second[0]), second[1]};
  }};
};

std::vector<std::string> names(const std::vector<ModuleCall>& calls) {
  std::vector<std::string> out;
  for (const ModuleCall& call : calls) out.push_back(call.name());
  return out;
}

TEST(ModuleCalls, TheRootIsFirstAndOthersInOrderOfCompletion) {
  Repeated net;
  const ExportedProgram program = exported(net.model, {counting({3})});
  EXPECT_EQ(names(program.calls),
            (std::vector<std::string>{"", "block.inner", "block", "block.inner@1", "block@1", "head"}));
  EXPECT_EQ(program.calls[0].inputs, std::vector<std::string>{"input"});
  EXPECT_EQ(program.calls[0].outputs, (std::vector<std::string>{"output_0", "output_1"}));
  EXPECT_EQ(program.calls[1].inputs, std::vector<std::string>{"input"});
  EXPECT_EQ(program.calls[1].outputs.size(), 2u);
  EXPECT_EQ(program.calls[2].outputs[1], program.calls[1].outputs[1]) << "handed on";
  EXPECT_EQ(program.calls[5].outputs, std::vector<std::string>{"output_0"});
  EXPECT_EQ(to_string(program.calls[0].input_form.value().structure), "[*]");
  EXPECT_EQ(to_string(program.calls[0].output_form.value().structure), "[*, *]");
  for (const ModuleCall& call : std::span(program.calls).subspan(1)) EXPECT_FALSE(call.input_form);
}

TEST(ModuleCalls, NodesKnowTheirStack) {
  Repeated net;
  const ExportedProgram program = exported(net.model, {counting({3})});
  std::vector<std::string> stacks;
  for (const auto& stack : module_stacks(program.graph, program.calls)) {
    std::string text(program.graph.nodes[stacks.size()].op.name());
    for (const std::string& path : stack) text += " > " + path;
    stacks.push_back(text);
  }
  EXPECT_EQ(stacks, (std::vector<std::string>{"Mul > block > block.inner", "Sub > block > block.inner", "Add > block",
                                              "Mul", "Mul > block > block.inner", "Sub > block > block.inner",
                                              "Add > block", "Relu > head"}));
}

TEST(ModuleCalls, PreservedCallsHaveStructures) {
  Repeated net;
  const ExportedProgram program =
      exported(net.model, {counting({3})},
               {.dynamic_shapes = {}, .preserve_module_calls = {"block"}, .find = {}, .strict = false});
  EXPECT_EQ(to_string(program.calls[2].input_form.value().structure), "[*]");
  EXPECT_EQ(to_string(program.calls[2].output_form.value().structure), "[*, *]");
  EXPECT_FALSE(program.calls[1].input_form);
}

/// The tree gives what the model gives, also its gradients.
void expect_tree_runs(const ExportedProgram& program, nn::Module& model, const std::vector<Tensor>& x) {
  const Exact exact;
  const auto tree = unflatten(program);
  for (int i = 0; i < 2; ++i) {
    const Outputs expected = model.forward(x), got = tree->forward(x);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t k = 0; k < got.size(); ++k) EXPECT_TRUE(same_bits(got[k].detach(), expected[k].detach()));
    const auto state = tree->state_dict();
    for (const auto& [path, tensor] : model.state_dict())
      EXPECT_TRUE(same_bits(state.at(path).detach(), tensor.detach())) << path;
  }
}

TEST(Unflatten, ARepeatedModuleIsOneModuleWithTwoCalls) {
  Repeated net;
  const ExportedProgram program = exported(net.model, {counting({3})});
  expect_tree_runs(program, net.model, {counting({3})});
  const auto tree = unflatten(program);
  auto* block = dynamic_cast<ProgramModule*>(tree->find("block"));
  ASSERT_TRUE(block);
  EXPECT_EQ(block->call_count(), 2u);
  EXPECT_EQ(tree->state_dict().size(), 1u);
  const std::vector<Tensor> x = {counting({3})};
  EXPECT_TRUE(same_bits(block->forward(x)[0], net.block->forward(x)[0].detach()));
  EXPECT_EQ(tree->find("nowhere"), nullptr);
}

TEST(Unflatten, SubmodulesCanBeReplaced) {
  Repeated net;
  const ExportedProgram program = exported(net.model, {counting({3})});
  int calls = 0;
  const auto doubled = std::make_shared<Model>([&](Model&, Inputs inputs) -> Outputs {
    ++calls;
    return {inputs[0] * 2, inputs[0]};
  });
  const auto tree = unflatten(program, {{"block", doubled}});
  const std::vector<Tensor> x = {counting({3})};
  const Outputs out = tree->forward(x);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(out[0].to_vector<float>(), (std::vector<float>{4, 16, 36}));
  EXPECT_EQ(tree->find("block"), doubled.get());
  EXPECT_TRUE(tree->state_dict().empty());

  const auto wrong = std::make_shared<nn::ReLU>();
  EXPECT_ERROR(unflatten(program, {{"block", wrong}})->forward(x), ArgumentError, "in the place of 'block'",
               "2 results", "got 1");
  EXPECT_ERROR(unflatten(program, {{"tail", wrong}}), ArgumentError, "'tail' has no call");
}

// Gives {sum: scale * (a + b)} of {a, b} and the scale.
class Summing final : public StructuredModule {
 public:
  Argument call(std::span<const Argument> arguments) override {
    seen.push_back(to_string(structure_of(Argument::list({arguments.begin(), arguments.end()}))));
    const auto tensor = [&](size_t i) { return std::get<Tensor>(arguments[0].children[i].value); };
    const auto scale = std::get<int64_t>(arguments[1].value);
    const Tensor sum = (tensor(0) + tensor(1)) * static_cast<double>(scale);
    return wrong ? Argument(sum) : Argument::dict({{"sum", sum}});
  }
  std::string describe() const override { return "Summing"; }
  std::vector<std::string> seen;
  bool wrong = false;
};

// A module whose call was preserved with {a, b} and 10, of which b is a constant; it gives {sum}.
ExportedProgram nested_program() {
  const auto inner = std::make_shared<Model>(
      [](Model& self, Inputs inputs) -> Outputs { return {(inputs[0] + inputs[1]) * self["weight"]}; });
  inner->parameter("weight", Tensor::full({3}, 10));
  const Tensor ones = Tensor::full({3}, 1);
  Model model([&](Model&, Inputs inputs) -> Outputs { return {(*inner)(std::vector{inputs[0], ones})[0] * 2}; });
  model.child("inner", inner);
  ExportedProgram program = exported(model, {counting({3})});
  ModuleCall& call = program.calls[1];
  call.input_form = form_of(
      Argument::list({Argument::dict({{"a", Tensor()}, {"b", Tensor()}}), Argument(ArgumentLeaf(int64_t{10}))}));
  call.output_form = form_of(Argument::dict({{"sum", Tensor()}}));
  program.validate();
  return program;
}

TEST(Unflatten, ReplacementsGetTheArgumentsInTheFormOfTheCall) {
  const auto summing = std::make_shared<Summing>();
  const auto tree =
      unflatten(read_programs(write_programs({{"main", nested_program()}})).at("main"), {{"inner", summing}});
  const std::vector<Tensor> x = {counting({3})};
  EXPECT_EQ(tree->forward(x)[0].to_vector<float>(), (std::vector<float>{40, 60, 80}));
  EXPECT_EQ(summing->seen, std::vector<std::string>{"[{a: *, b: *}, *]"});
  summing->wrong = true;
  EXPECT_ERROR(tree->forward(x), ArgumentError, "Summing, in the place of 'inner'", "{sum: *}, got *");
}

TEST(Unflatten, ModulesOfTheTreeAreCalledInTheFormOfTheirCall) {
  const auto tree = unflatten(nested_program());
  auto* inner = dynamic_cast<ProgramModule*>(tree->find("inner"));
  ASSERT_TRUE(inner);
  const Argument pair = Argument::dict({{"a", counting({3})}, {"b", counting({3})}});
  const std::vector<Argument> arguments = {pair, Argument(ArgumentLeaf(10.0))};
  const Argument result = inner->call(arguments);
  EXPECT_EQ(to_string(structure_of(result)), "{sum: *}");
  EXPECT_EQ(tensors_in(result)[0].detach().to_vector<float>(), (std::vector<float>{20, 40, 60}));
  EXPECT_ERROR(inner->call(std::vector<Argument>{pair, Argument(ArgumentLeaf(int64_t{2}))}), ArgumentError,
               "is 10 in the program, got 2");
  EXPECT_ERROR(inner->call(std::vector<Argument>{counting({3}), Argument(ArgumentLeaf(10.0))}), ArgumentError,
               "[{a: *, b: *}, *], got [*, *]");
}

TEST(Unflatten, ATreeIsExportedAgain) {
  Repeated net;
  const std::vector<Tensor> x = {counting({3})};
  const ExportedProgram program = exported(net.model, x);
  const std::shared_ptr<ProgramModule> tree = unflatten(program);
  ExportedProgram again = exported(*tree, x);
  EXPECT_EQ(names(again.calls), names(program.calls));
  for (size_t i = 0; i < program.calls.size(); ++i) {
    EXPECT_EQ(again.calls[i].inputs.size(), program.calls[i].inputs.size()) << program.calls[i].name();
    EXPECT_EQ(again.calls[i].outputs.size(), program.calls[i].outputs.size()) << program.calls[i].name();
  }
  EXPECT_EQ(module_stacks(again.graph, again.calls), module_stacks(program.graph, program.calls));
  expect_follows(net.model, again, {x});
  const auto other = unflatten(program, {{"head", std::make_shared<nn::Tanh>()}});
  EXPECT_EQ(names(exported(*other, x).calls), names(program.calls));
}

TEST(ModuleCalls, ArgumentsThatAreConstantsHaveTheNamesOfThese) {
  const ExportedProgram program = nested_program();
  ASSERT_EQ(program.calls[1].inputs.size(), 2u);
  const ValueId constant = program.graph.find_value(program.calls[1].inputs[1]);
  ASSERT_NE(constant, kNone);
  EXPECT_TRUE(program.graph.value(constant).is_constant());
}

TEST(ModuleCalls, ValidateComparesFormsWithValues) {
  ExportedProgram program = nested_program();
  program.calls[1].input_form = form_of(Argument::list({Argument(Tensor())}));
  program.calls[1].output_form->constants.clear();
  EXPECT_ERROR(program.validate(), ModelError, "the arguments of 'inner': [*] does not hold 2 tensors",
               "the result of 'inner' is {sum: *}, but has 0 leaves");
  program.calls[1].input_form = form_of(Argument::dict({{"a", Tensor()}, {"b", Tensor()}}));
  EXPECT_ERROR(program.validate(), ModelError, "the arguments of 'inner' are no list");
}

TEST(Unflatten, ValuesThatCrossABoundaryBecomeArguments) {
  // The second module reads what the first left behind, and a weight of the first.
  Tensor left;
  const auto first = std::make_shared<Model>([&](Model& self, Inputs inputs) -> Outputs {
    left = exp(inputs[0]);
    return {inputs[0] * self["weight"]};
  });
  first->parameter("weight", counting({3}));
  const auto second = std::make_shared<Model>(
      [&](Model&, Inputs inputs) -> Outputs { return {inputs[0] + left * (*first)["weight"]}; });
  Model model([&](Model&, Inputs inputs) -> Outputs { return {(*second)((*first)(inputs[0]))}; });
  model.child("first", first).child("second", second);
  const std::vector<Tensor> x = {counting({3})};
  const ExportedProgram program = exported(model, x);
  left = Tensor();
  expect_tree_runs(program, model, x);
  const auto identity = std::make_shared<nn::Sequential>();
  EXPECT_ERROR(unflatten(program, {{"first", identity}}), ArgumentError, "'first' cannot be replaced",
               "is used outside of it");
  const auto tree = unflatten(program, {{"second", identity}});
  EXPECT_EQ(tree->forward(x)[0].detach().to_vector<float>(), (std::vector<float>{1, 4, 9}));
}

TEST(Unflatten, UpdatesReachTheBuffersOfTheTree) {
  nn::Sequential model({std::make_shared<nn::BatchNorm2d>(2), std::make_shared<nn::ReLU>()});
  const std::vector<Tensor> x = {counting({3, 2, 2, 2})};
  expect_tree_runs(exported(model, x), model, x);
}

TEST(Unflatten, AProgramWithoutRecordsGivesAFlatModule) {
  Repeated net;
  ExportedProgram program = exported(net.model, {counting({3})});
  program.calls.clear();
  for (Node& node : program.graph.nodes) node.module_path.clear();
  const auto flat = unflatten(program);
  const std::vector<Tensor> x = {counting({3})};
  EXPECT_TRUE(close(flat->forward(x)[0], net.model.forward(x)[0].detach(), 1e-6));
  EXPECT_EQ(flat->find("block.inner")->parameters().size(), 1u) << "state keeps its paths";
}

// What is looked up by name for each node or call must not take time for all of them.
TEST(Unflatten, AModelOfThousandsOfNodesAndCalls) {
  constexpr int kCalls = 1000;
  const auto block = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
    add_(self["seen"], 1);
    return {(inputs[0] * 0.5 + inputs[1]) * self["weight"]};
  });
  block->parameter("weight", Tensor::full({1}, 0.75)).buffer("seen", Tensor::zeros({1}));
  Model model([&](Model&, Inputs inputs) -> Outputs {
    Tensor x = inputs[0];
    for (int i = 0; i < kCalls; ++i) x = (*block)(std::vector{x, Tensor::full({1}, i % 5)})[0];
    return {x};
  });
  model.child("block", block);
  const std::vector<Tensor> x = {counting({2})};
  const ExportedProgram program = exported(model, x);
  EXPECT_EQ(program.calls.size(), kCalls + 1u);
  EXPECT_GE(program.graph.nodes.size(), 4u * kCalls);
  expect_tree_runs(program, model, x);
  EXPECT_EQ(module_stacks(run_decompositions(program).graph, program.calls).size(), program.graph.nodes.size());
}

TEST(Unflatten, ASharedModuleHasItsFirstPath) {
  const auto shared = scaling(counting({3}));
  const auto holder = std::make_shared<Model>([&](Model&, Inputs inputs) -> Outputs { return {(*shared)(inputs[0])}; });
  holder->child("own", shared);
  Model model([&](Model&, Inputs inputs) -> Outputs { return {(*holder)((*shared)(inputs[0]))}; });
  model.child("first", shared).child("holder", holder);
  const std::vector<Tensor> x = {counting({3})};
  const ExportedProgram program = exported(model, x);
  EXPECT_EQ(names(program.calls), (std::vector<std::string>{"", "first", "first@1", "holder"}));
  EXPECT_EQ(program.calls[2].parent, 3);
  const auto tree = unflatten(program);
  EXPECT_TRUE(close(tree->forward(x)[0].detach(), model.forward(x)[0].detach(), 1e-6));
}

}  // namespace
}  // namespace onemodel::test
