// Programs with the gradients of their loss, against what autograd gives.

#include "export/forward_backward.h"

#include <algorithm>

#include "eager/functions_activation.h"
#include "export/models.h"
#include "export/program_file.h"
#include "ops/conv.h"
#include "ops/gather.h"

namespace onemodel::test {
namespace {

using Names = ProgramSignature::Names;

// A layer, a part that is not used, and a buffer that counts; gives loss and result.
struct Net {
  Net() {
    model.parameter("weight", counting({3, 2}) * 0.1).parameter("scale", Tensor::full({1}, 0.5));
    model.parameter("unused", counting({2})).buffer("count", Tensor::zeros({1}));
  }
  Model model{[](Model& self, Inputs inputs) -> Outputs {
    add_(self["count"], 1);
    const Tensor y = tanh(matmul(inputs[0], self["weight"])) * self["scale"];
    return {mean(softmax(y, 1) * inputs[1]), y};
  }};
};

std::vector<Tensor> example(int64_t batch) { return {counting({batch, 3}) * 0.2, counting({batch, 2})}; }

TEST(ForwardBackward, GivesLossAndGradientsAsAutogradDoes) {
  const Exact exact;
  Net net;
  const ExportedProgram program = exported(net.model, example(4));
  ExportedProgram joint = export_forward_backward(program, {.loss = "output_0", .user_inputs = {"input_0"}});
  const ProgramSignature& signature = joint.signature;
  EXPECT_EQ(signature.names_of(OutputKind::loss_output), std::vector<std::string>{"output_0"});
  EXPECT_EQ(signature.names_of(OutputKind::user_output), std::vector<std::string>{"output_1"});
  EXPECT_EQ(signature.gradients_to_parameters(), (Names{{"p_weight_grad", "weight"}, {"p_scale_grad", "scale"}}));
  EXPECT_EQ(signature.gradients_to_user_inputs(), (Names{{"input_0_grad", "input_0"}}));
  EXPECT_EQ(signature.mutation_count(), 1u);

  ExportedProgram loaded = read_programs(write_programs({{"main", joint}})).at("main");
  ProgramSession session(loaded, {.session = {.arithmetic = Arithmetic::exact}});
  for (const double factor : {1.0, -0.5, 3.0}) {
    const std::vector<Tensor> x = {example(4)[0] * factor, example(4)[1]};
    for (const char* name : {"weight", "scale"}) {
      set_requires_grad(net.model[name]);
      zero_grad(net.model[name]);
    }
    set_requires_grad(x[0]);
    const Outputs expected = net.model.forward(x);
    backward(expected[0]);
    const std::vector<Tensor> plain = {x[0].detach(), x[1]}, session_out = session.run(plain);
    const Argument result = joint.call(std::vector<Argument>{plain[0], plain[1]});
    EXPECT_EQ(to_string(structure_of(result)), "{output: [*, *], gradients: {weight: *, scale: *, input_0: *}}");
    const std::vector<Tensor> out = tensors_in(result);
    const std::vector<Tensor> wanted = {expected[0].detach(), expected[1].detach(), grad(net.model["weight"]),
                                        grad(net.model["scale"]), grad(x[0])};
    ASSERT_EQ(out.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_TRUE(close(out[i], wanted[i], 1e-6)) << i << ", " << factor;
      EXPECT_TRUE(close(session_out[i], wanted[i], 1e-6)) << i << ", " << factor;
    }
  }
  EXPECT_EQ(session.state_dict().at("count").item<double>(), 3);
}

TEST(ForwardBackward, AGradientThatIsConstantIsAnOutputToo) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {sum(self["weight"]) + sum(inputs[0])}; });
  model.parameter("weight", counting({2, 2}));
  ExportedProgram joint = export_forward_backward(exported(model, {counting({3})}));
  const std::vector<Tensor> out = joint.call_flat(std::vector<Tensor>{counting({3})});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1].to_vector<float>(), std::vector<float>(4, 1.0f));
}

TEST(ForwardBackward, AProgramWithAConstantGradientIsDecomposed) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {sum(self["weight"]) + sum(inputs[0])}; });
  model.parameter("weight", counting({2, 2}));
  const ExportedProgram joint = export_forward_backward(exported(model, {counting({3})}), {.user_inputs = {"input"}});
  ExportedProgram simple = run_decompositions(joint);
  EXPECT_EQ(simple.signature, joint.signature);
  const std::vector<Tensor> out = simple.call_flat(std::vector<Tensor>{counting({3})});
  EXPECT_EQ(out[1].to_vector<float>(), std::vector<float>(4, 1.0f));
  EXPECT_EQ(out[2].to_vector<float>(), std::vector<float>(3, 1.0f));
}

// Operators that exist in gradients only are made of those that graphs have.
TEST(ForwardBackward, GradientsOfSlicesEmbeddingsAndConvolutions) {
  const Exact exact;
  const Tensor places = Tensor::from_ints(std::vector<int64_t>{2, 0, 2, -1}), image = counting({2, 4, 7, 6}) * 0.01;
  const auto conv = [](Conv op) {
    return [op](const Tensor& weight, const Tensor& x) { return apply(op, {x, weight}); };
  };
  struct Case {
    const char* name;
    Tensor weight, x;
    std::function<Tensor(const Tensor&, const Tensor&)> run;
  };
  const std::vector<Case> cases = {
      {"slice", counting({5, 4}), counting({2, 4}),
       [](const Tensor& w, const Tensor& x) { return slice(w, 0, 1, 3) * x; }},
      {"steps", counting({7, 5}), counting({3, 2}),
       [](const Tensor& w, const Tensor& x) { return slice(slice(w, 0, 1, 7, 2), 1, 4, 0, -3) * x; }},
      {"select", counting({3, 4}), counting({4}), [](const Tensor& w, const Tensor& x) { return select(w, 0, 1) * x; }},
      {"gather", counting({3, 2}), counting({4, 2}),
       [&](const Tensor& w, const Tensor& x) {
         return apply(Gather{}, {w, places}) * x;
       }},
      {"gather1", counting({2, 3, 2}), counting({2, 2, 2, 2}),
       [&](const Tensor& w, const Tensor& x) {
         return apply(Gather{1}, {w, reshape(places, Dims{2, 2})}) * x;
       }},
      {"conv", counting({3, 4, 3, 2}), image, conv({})},
      {"conv1", counting({3, 2, 2}), counting({1, 2, 5}), conv({.pads = {1, 0}})},
      {"strides", counting({3, 4, 3, 2}), image, conv({.pads = {1, 0, 0, 1}, .strides = {2, 3}})},
      {"groups", counting({6, 2, 2, 3}), image, conv({.dilations = {2, 1}, .group = 2, .strides = {1, 2}})}};
  for (const Case& each : cases) {
    Model model([&](Model& self, Inputs inputs) -> Outputs {
      const Tensor y = each.run(self["weight"], inputs[0]);
      return {sum(y * y * 0.01)};
    });
    model.parameter("weight", each.weight);
    ExportedProgram joint = export_forward_backward(exported(model, {each.x}), {.user_inputs = {"input"}});
    for (const Node& node : joint.graph.nodes) EXPECT_FALSE(node.op.traits().info.internal) << node.op.name();
    const Tensor x = each.x * -0.7;
    set_requires_grad(x);
    zero_grad(model["weight"]);
    backward(model.forward(std::vector{x})[0]);
    const std::vector<Tensor> plain = {x.detach()}, out = joint.call_flat(plain);
    ProgramSession session(joint);
    const std::vector<Tensor> fast = session.run(plain);
    EXPECT_TRUE(close(out[1], grad(model["weight"]), 1e-6)) << each.name;
    EXPECT_TRUE(close(out[2], grad(x), 1e-6)) << each.name;
    EXPECT_TRUE(close(fast[1], grad(model["weight"]), 1e-5)) << each.name;
    EXPECT_FALSE(onnx_graph(joint).nodes.empty()) << each.name;
  }
}

TEST(ForwardBackward, OtherTracesRefuseThem) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    const Tensor y = slice(inputs[0], 0, 1, 2) * self["weight"];
    return {gradients(sum(y), std::vector{inputs[0]})[0]};
  });
  model.parameter("weight", counting({1}));
  EXPECT_ERROR(exported(model, {counting({3})}), TraceError, "SliceGradient", "exists in gradients only");
}

// The gradient of a weight is a transposed view.
TEST(ForwardBackward, GradientsFollowInputsAndWeights) {
  const Exact exact;
  Model loss([](Model& self, Inputs inputs) -> Outputs {
    const Tensor y = (*self.named_modules()[1].second)(inputs)[0];
    return {sum(y * y)};
  });
  loss.child("layer", std::make_shared<nn::Linear>(2, 2));
  ExportedProgram joint = export_forward_backward(exported(loss, {counting({3, 2})}));
  const std::vector<Tensor> x = {counting({3, 2}) * -0.7};
  for (const nn::NamedTensor& each : loss.named_tensors()) set_requires_grad(each.tensor);
  backward(loss.forward(x)[0]);
  const std::vector<Tensor> out = joint.call_flat(x);
  ASSERT_EQ(out.size(), 3u);
  size_t at = 1;
  for (const nn::NamedTensor& each : loss.named_tensors())
    EXPECT_TRUE(same_bits(out[at++], grad(each.tensor))) << each.path;
}

TEST(ForwardBackward, AParameterAndAnInputOfOneNameHaveGradientsOfTheirOwn) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {sum(self["input"] * inputs[0])}; });
  model.parameter("input", counting({3}));
  const ExportedProgram joint = export_forward_backward(exported(model, {counting({3})}), {.user_inputs = {"input"}});
  EXPECT_EQ(joint.result.children[1].keys, (std::vector<std::string>{"input", "input_1"}));
  EXPECT_EQ(read_programs(write_programs({{"main", joint}})).size(), 1u);
}

TEST(ForwardBackward, ValidateKnowsLossesAndGradients) {
  Net net;
  const ExportedProgram joint =
      export_forward_backward(exported(net.model, example(4)), {.loss = "output_0", .user_inputs = {"input_0"}});
  const auto broken = [&](std::string_view output, std::string target) {
    ExportedProgram program = joint;
    std::ranges::find(program.signature.outputs, output, &OutputSpec::name)->target = std::move(target);
    program.validate();
  };
  EXPECT_ERROR(broken("output_0", "weight"), ModelError, "'output_0' (LossOutput) has a target");
  EXPECT_ERROR(broken("p_weight_grad", "count"), ModelError, "'p_weight_grad' (GradientToParameter) is about 'count'",
               "which no input of that kind stands for");
  EXPECT_ERROR(broken("p_weight_grad", "scale"), ModelError, "is float32[3, 2], but 'scale' is float32[1]");
  EXPECT_ERROR(broken("input_0_grad", "weight"), ModelError, "(GradientToUserInput) is about 'weight'");
}

TEST(ForwardBackward, RefusesWhatHasNoGradient) {
  Net net;
  const ExportedProgram program = exported(net.model, example(4));
  EXPECT_ERROR(export_forward_backward(program), ArgumentError, "the name of the loss", "'output_0', 'output_1'");
  EXPECT_ERROR(export_forward_backward(program, {.loss = "other"}), ArgumentError, "no output 'other'");
  EXPECT_ERROR(export_forward_backward(program, {.loss = "output_1"}), ArgumentError, "'output_1' must be one",
               "float32[4, 2]");
  EXPECT_ERROR(export_forward_backward(program, {.loss = "output_0", .user_inputs = {"p_weight"}}), ArgumentError,
               "no user input 'p_weight'", "'input_0', 'input_1'");
  ExportOptions varied;
  const Dim batch("batch");
  varied.dynamic_shapes = ShapeSpec::of({ShapeSpec::axes({{0, batch}}), ShapeSpec::axes({{0, batch}})});
  EXPECT_ERROR(export_forward_backward(exported(net.model, example(4), varied), {.loss = "output_0"}), ArgumentError,
               "every size must be fixed", "'input_0'", "float32[batch, 3]");
  Model plain([](Model&, Inputs inputs) -> Outputs { return {sum(inputs[0])}; });
  EXPECT_ERROR(export_forward_backward(exported(plain, {counting({3})})), GradientError, "depends on nothing");
}

}  // namespace
}  // namespace onemodel::test
