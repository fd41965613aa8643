// Call records, module stacks, and module trees made from them.

#include "export/models.h"
#include "export/unflatten.h"

namespace onemodel {
namespace {

using test::counting;
using test::exported;
using test::Model;

using Outputs = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;

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
  EXPECT_EQ(to_string(program.calls[0].input_structure.value()), "[*]");
  EXPECT_EQ(to_string(program.calls[0].output_structure.value()), "[*, *]");
  for (const ModuleCall& call : std::span(program.calls).subspan(1)) EXPECT_FALSE(call.input_structure);
}

TEST(ModuleCalls, NodesKnowTheirStack) {
  Repeated net;
  const ExportedProgram program = exported(net.model, {counting({3})});
  std::vector<std::string> stacks;
  for (const Node& node : program.graph.nodes) {
    std::string text(node.op.name());
    for (const std::string& path : module_stack(node, program.calls)) text += " > " + path;
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
  EXPECT_EQ(to_string(program.calls[2].input_structure.value()), "[*]");
  EXPECT_EQ(to_string(program.calls[2].output_structure.value()), "[*, *]");
  EXPECT_FALSE(program.calls[1].input_structure);
}

/// The tree gives what the model gives, also its gradients.
void expect_tree_runs(const ExportedProgram& program, nn::Module& model, const std::vector<Tensor>& x) {
  const test::Exact exact;
  const auto tree = unflatten(program);
  for (int i = 0; i < 2; ++i) {
    const Outputs expected = model.forward(x), got = tree->forward(x);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t k = 0; k < got.size(); ++k) EXPECT_TRUE(test::same_bits(got[k].detach(), expected[k].detach()));
    const auto state = tree->state_dict();
    for (const auto& [path, tensor] : model.state_dict())
      EXPECT_TRUE(test::same_bits(state.at(path).detach(), tensor.detach())) << path;
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
  EXPECT_TRUE(test::same_bits(block->forward(x)[0], net.block->forward(x)[0].detach()));
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
  EXPECT_TRUE(test::close(flat->forward(x)[0], net.model.forward(x)[0].detach(), 1e-6));
  EXPECT_EQ(flat->find("block.inner")->parameters().size(), 1u) << "state keeps its paths";
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
  EXPECT_TRUE(test::close(tree->forward(x)[0].detach(), model.forward(x)[0].detach(), 1e-6));
}

}  // namespace
}  // namespace onemodel
