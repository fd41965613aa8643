// State of programs: tied weights, frozen parameters, examples that are state.

#include "export/forward_backward.h"
#include "export/models.h"
#include "export/program_file.h"
#include "trace/tracer.h"

namespace onemodel::test {
namespace {

ExportedProgram saved_and_loaded(const ExportedProgram& program) {
  return read_programs(write_programs({{"main", program}})).at("main");
}

// One layer under two names, and a weight of it under a third.
struct Tied {
  Tied() { model.child("encoder", layer).child("decoder", layer).child("head", head); }
  std::shared_ptr<nn::Linear> layer = std::make_shared<nn::Linear>(2, 2);
  std::shared_ptr<Model> head = std::make_shared<Model>(
      [](Model& self, Inputs inputs) -> Outputs { return {matmul(inputs[0], self["weight"])}; });
  Model model{[this](Model&, Inputs inputs) -> Outputs { return (*head)(std::vector{(*layer)((*layer)(inputs[0]))}); }};
};

TEST(TiedState, TheModelsOwnStateDictFits) {
  Tied net;
  net.head->parameter("weight", net.layer->state_dict().at("weight"));
  const std::vector<Tensor> x = {counting({1, 2})};
  ExportedProgram program = exported(net.model, x);
  EXPECT_EQ(program.signature.state_count(), 2u);
  EXPECT_EQ(program.signature.inputs[0].paths(),
            (std::vector<std::string>{"encoder.weight", "decoder.weight", "head.weight"}));
  EXPECT_NE(to_string(program).find("Parameter 'encoder.weight', also 'decoder.weight', also 'head.weight'"),
            std::string::npos);
  std::map<std::string, Tensor> state;
  for (const auto& [path, tensor] : net.model.state_dict()) state[path] = counting(tensor.dims()) * 2;
  ASSERT_EQ(state.size(), 5u);
  net.model.load_state_dict(state);
  const Tensor expected = net.model.forward(x)[0].detach();
  ExportedProgram loaded = saved_and_loaded(program), simple = run_decompositions(program);
  ProgramSession session(program);
  const auto check_all = [&](auto& each) {
    EXPECT_EQ(each.state_dict().size(), 5u);
    each.load_state_dict(state);
  };
  check_all(program);
  check_all(loaded);
  check_all(simple);
  check_all(session);
  for (ExportedProgram* each : {&program, &loaded, &simple}) EXPECT_TRUE(close(each->call_flat(x)[0], expected, 1e-6));
  EXPECT_TRUE(close(session.run(x)[0], expected, 1e-6));
}

TEST(TiedState, OnePathIsEnough) {
  Tied net;
  net.head->parameter("weight", counting({2, 2}));
  ExportedProgram program = exported(net.model, {counting({1, 2})});
  std::map<std::string, Tensor> state = program.state_dict();
  EXPECT_EQ(state.erase("encoder.weight"), 1u);
  EXPECT_EQ(state.erase("decoder.bias"), 1u);
  state["decoder.weight"] = counting({2, 2}) * 3;
  program.load_state_dict(state);
  EXPECT_EQ(program.state_dict().at("encoder.weight").to_vector<float>(), (std::vector<float>{3, 6, 9, 12}));
  state["decoder.weight"] = counting({2, 3});
  state.erase("encoder.bias");
  EXPECT_ERROR(program.load_state_dict(state), ModelError, "decoder.weight: expected float32[2, 2]",
               "missing: encoder.bias");
}

TEST(TiedState, PathsHaveTheSameValues) {
  Tied net;
  net.head->parameter("weight", counting({2, 2}));
  ExportedProgram program = exported(net.model, {counting({1, 2})});
  const std::map<std::string, Tensor> before = program.state_dict();
  std::map<std::string, Tensor> state = before;
  for (const char* path : {"encoder.weight", "decoder.weight"}) state[path] = counting({2, 2}) * 3;
  program.load_state_dict(state);
  state["encoder.weight"] = counting({2, 2}) * 5;
  EXPECT_ERROR(program.load_state_dict(state), ModelError, "encoder.weight", "decoder.weight");
  EXPECT_ERROR(ProgramSession(program).load_state_dict(state), ModelError, "encoder.weight", "decoder.weight");
  EXPECT_EQ(program.state_dict().at("encoder.weight").to_vector<float>(), (std::vector<float>{3, 6, 9, 12}));
}

TEST(TiedState, APathThatIsSavedIsKept) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {inputs[0] + self["a"] * self["b"]}; });
  const Tensor shared = counting({2});
  model.buffer("a", shared, false).buffer("b", shared);
  const std::vector<Tensor> x = {counting({2})};
  ExportedProgram program = exported(model, x);
  EXPECT_EQ(program.state_dict().size(), 1u);
  program.load_state_dict(model.state_dict());
  program.load_state_dict({{"b", counting({2}) * 3}});
  EXPECT_EQ(program.call_flat(x)[0].to_vector<float>(), (std::vector<float>{10, 38}));
  program.validate();
}

TEST(TiedState, ValidateKnowsPaths) {
  Tied net;
  net.head->parameter("weight", counting({2, 2}));
  const ExportedProgram program = exported(net.model, {counting({1, 2})});
  ExportedProgram twice = program, of_input = program, frozen = program;
  twice.signature.inputs[0].aliases.emplace_back("head.weight");
  EXPECT_ERROR(twice.validate(), ModelError, "two inputs stand for 'head.weight'");
  of_input.signature.inputs.back().aliases = {"x"};
  EXPECT_ERROR(of_input.validate(), ModelError, "neither parameter nor buffer");
  frozen.signature.inputs.back().frozen = true;
  EXPECT_ERROR(frozen.validate(), ModelError, "is frozen, but no parameter");
}

TEST(FrozenState, StaysFrozen) {
  nn::Sequential model({std::make_shared<nn::Linear>(2, 2), std::make_shared<nn::Linear>(2, 1)});
  set_requires_grad(model.state_dict().at("0.weight"), false);
  const ExportedProgram program =
      export_for_training(exportable(model), tensor_arguments(std::vector{counting({1, 2})}));
  EXPECT_FALSE(requires_grad(model.state_dict().at("0.weight")));
  for (const ExportedProgram& each : {program, saved_and_loaded(program), run_decompositions(program)}) {
    EXPECT_TRUE(each.signature.inputs[0].frozen);
    for (const auto& tree : {program_module(each), unflatten(each)})
      for (const nn::NamedTensor& named : tree->named_parameters())
        EXPECT_EQ(requires_grad(named.tensor), named.path != "0.weight") << named.path;
    const ExportedProgram joint = export_forward_backward(each);
    EXPECT_EQ(joint.signature.gradients_to_parameters().size(), 3u);
    EXPECT_FALSE(joint.signature.gradients_to_parameters().contains("p_0_weight_grad"));
  }
}

TEST(StateAsExample, IsTakenByItsValues) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    add_(self["total"], inputs[0]);
    return {self["total"] * 1};
  });
  model.buffer("total", counting({2}));
  ExportedProgram program = exported(model, {model["total"]});
  const Tensor x = Tensor::full({2}, 10);
  EXPECT_EQ(program.call_flat(std::vector{x})[0].to_vector<float>(), (std::vector<float>{11, 12}));
  EXPECT_EQ(program.call_flat(std::vector{x})[0].to_vector<float>(), (std::vector<float>{21, 22}));
}

TEST(ProgramInATrace, IsTracedAsItsOperators) {
  nn::Sequential model({std::make_shared<nn::Linear>(2, 2), std::make_shared<nn::ReLU>()});
  const std::vector<Tensor> x = {counting({1, 2}) - 2};
  ExportedProgram program = exported(model, x);
  Tracer tracer = Tracer::begin();
  const std::vector<Tensor> traced = {tracer.input("x", x[0])};
  const TracedModel made = tracer.finish(std::vector{program.call_flat(traced)[0] * 2}, std::vector<std::string>{"y"});
  Session session(made.graph);
  const std::vector<Tensor> other = {counting({1, 2}) * -3};
  EXPECT_TRUE(close(session.run(other)[0], program.call_flat(other)[0] * 2, 1e-6));
}

}  // namespace
}  // namespace onemodel::test
