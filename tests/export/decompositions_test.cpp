// Programs captured anew: decompositions.

#include "export/decompositions.h"

#include <set>

#include "eager/functions_activation.h"
#include "export/models.h"
#include "ops/batch_normalization.h"
#include "ops/gemm.h"
#include "ops/layer_normalization.h"
#include "ops/softmax.h"
#include "ops/unary.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

TEST(Decompositions, EachOfTheDefaultTableGivesTheSame) {
  const auto one = [](const Op& op) { return [op](const Tensor& x) { return apply(op, std::vector{x}, 1).front(); }; };
  const Tensor row = counting({4}), square = counting({4, 4});
  const std::vector<std::pair<const char*, std::function<Tensor(const Tensor&)>>> cases = {
      {"Gelu", one(Gelu{})},
      {"Gelu", one(Gelu{.approximate = "tanh"})},
      {"HardSigmoid", one(HardSigmoid{})},
      {"HardSwish", one(HardSwish{})},
      {"Softplus", one(Softplus{})},
      {"Mish", one(Mish{})},
      {"Elu", one(Elu{.alpha = 0.5f})},
      {"Softmax", one(Softmax{.axis = 0})},
      {"LogSoftmax", one(LogSoftmax{})},
      {"Gemm", [&](const Tensor& x) { return gemm(x, square, row, 2, 3, true, true); }},
      {"BatchNormalization",
       [&](const Tensor& x) {
         return apply(BatchNormalization{}, {x, row, row * 2, row * 3, row * 4});
       }},
      {"LayerNormalization",
       [&](const Tensor& x) {
         return apply(LayerNormalization{}, {x, row, row * 2});
       }},
  };
  std::set<std::string> covered;
  for (const auto& [name, function] : cases) {
    Model model([&](Model&, Inputs inputs) -> Outputs { return {function(inputs[0])}; });
    const std::vector<Tensor> x = {counting({4, 4}) * 0.25 - 2};
    ExportedProgram program = exported(model, x);
    EXPECT_NE(operators(program.graph).find(name), std::string::npos);
    ExportedProgram simple = run_decompositions(program);
    for (const Node& node : simple.graph.nodes) EXPECT_FALSE(default_decompositions().contains(node.op.name())) << name;
    EXPECT_EQ(simple.signature, program.signature);
    EXPECT_TRUE(close(simple.call_flat(x)[0], program.call_flat(x)[0], 1e-5)) << name;
    covered.insert(name);
  }
  for (const auto& [name, decomposition] : default_decompositions()) EXPECT_TRUE(covered.contains(name)) << name;
}

// A module with state, calls and a size that varies.
ExportedProgram varied(nn::Module& model) {
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::by_name({{"input", ShapeSpec::axes({{0, Dim("batch", 2, 32)}})}});
  const std::vector<Tensor> x = {counting({6, 3})};
  return export_program(model, x, options);
}

TEST(Decompositions, StateCallsAndConstraintsStay) {
  nn::Sequential model({std::make_shared<nn::Linear>(3, 4), std::make_shared<nn::GELU>(),
                        std::make_shared<nn::BatchNorm1d>(nn::BatchNorm2dOptions{.num_features = 4})});
  const ExportedProgram program = varied(model);
  ExportedProgram simple = run_decompositions(program);
  EXPECT_EQ(simple.signature, program.signature);
  EXPECT_EQ(simple.calls.size(), program.calls.size());
  EXPECT_EQ(simple.range_constraints(), program.range_constraints());
  std::set<std::string> paths;
  for (const auto& stack : module_stacks(simple.graph, simple.calls)) paths.insert(stack.begin(), stack.end());
  EXPECT_EQ(paths, (std::set<std::string>{"0", "1", "2"}));
  ExportedProgram whole = program;
  whole.state = program.state->copy();
  for (const int64_t batch : {2, 9}) {
    const std::vector<Tensor> x = {counting({batch, 3})};
    EXPECT_TRUE(close(simple.call_flat(x)[0], whole.call_flat(x)[0], 1e-5));
  }
  for (const auto& [path, tensor] : whole.state_dict())
    EXPECT_TRUE(close(simple.state_dict().at(path), tensor, 1e-5)) << path;
}

// A file may say of any size what it likes.
TEST(Decompositions, MadeUpSizesTakeNoMemory) {
  Model model([](Model&, Inputs inputs) -> Outputs { return {softmax(inputs[0], 1)}; });
  ExportedProgram program = exported(model, {counting({2, 3})});
  const auto sized = [&](int64_t rows, bool keeps_examples) {
    ExportedProgram out = program;
    for (Value& value : out.graph.values)
      if (value.type.shape.rank() == 2) value.type.shape[0] = Extent(rows);
    if (!keeps_examples) out.example_inputs.clear();
    out.validate();
    return out;
  };
  EXPECT_EQ(operators(run_decompositions(sized(2, true)).graph).find("Softmax"), std::string::npos);
  EXPECT_EQ(operators(run_decompositions(sized(3, false)).graph).find("Softmax"), std::string::npos);
  EXPECT_ERROR(run_decompositions(sized(int64_t{1} << 40, false)), ArgumentError, "more than 1 GiB", "'input'",
               "example inputs");
  EXPECT_ERROR(run_decompositions(sized(int64_t{1} << 62, false)), ArgumentError, "more than 1 GiB");
}

TEST(Decompositions, AnOwnTable) {
  Model model([](Model&, Inputs inputs) -> Outputs { return {relu(inputs[0]) + 1}; });
  const std::vector<Tensor> x = {counting({3}) - 2};
  const ExportedProgram program = exported(model, x);
  const DecompositionTable table = {{"Relu", [](const Op&, Inputs inputs) { return Outputs{clip(inputs[0], 0, {})}; }}};
  ExportedProgram simple = run_decompositions(program, table);
  EXPECT_EQ(operators(simple.graph), "Clip Add");
  EXPECT_EQ(simple.call_flat(x)[0].to_vector<float>(), (std::vector<float>{1, 1, 2}));
  const DecompositionTable wrong = {{"Relu", [](const Op&, Inputs inputs) { return Outputs{sum(inputs[0])}; }}};
  EXPECT_ERROR(run_decompositions(program, wrong), ArgumentError, "decomposition of Relu", "float32[]", "float32[3]");
  const DecompositionTable two = {{"Relu", [](const Op&, Inputs inputs) { return Outputs{inputs[0], inputs[0]}; }}};
  EXPECT_ERROR(run_decompositions(program, two), ArgumentError, "gives 2 results; 1 were expected");
  const DecompositionTable in_place = {{"Relu", [](const Op&, Inputs inputs) { return Outputs{add_(inputs[0], 1)}; }}};
  EXPECT_ERROR(run_decompositions(program, in_place), ArgumentError, "a decomposition updates a tensor in place");
}

// x: [n, 3] and y: [2 * n + 1], n in [2, 9]: an average, a Relu and a Gelu.
ExportedProgram averages() {
  Model model([](Model&, Inputs inputs) -> Outputs {
    return {relu(mean(inputs[0], {0})), apply(Gelu{}, {inputs[1]})};
  });
  const Dim n("n", 2, 9);
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::of({ShapeSpec::axes({{0, n}}), ShapeSpec::axes({{0, 2 * n + 1}})});
  return exported(model, {counting({4, 3}), counting({9})}, options);
}

TEST(Decompositions, ASizeThatOneTakesForANumberIsFound) {
  const Decomposition relu_by_clip = [](const Op&, Inputs inputs) { return Outputs{clip(inputs[0], 0, {})}; };
  const Decomposition average = [](const Op&, Inputs inputs) {
    return Outputs{sum(inputs[0], {0}) / static_cast<double>(inputs[0].dims()[0])};
  };
  // Another function than the operator's is the caller's affair.
  const Decomposition half = [](const Op&, Inputs inputs) { return Outputs{inputs[0] * 0.5}; };
  const ExportedProgram program = averages();
  const DecompositionTable table = {{"Gelu", half}, {"ReduceMean", average}, {"Relu", relu_by_clip}};
  EXPECT_ERROR(run_decompositions(program, table), ArgumentError,
               "the decomposition of ReduceMean keeps a size of the example", "at n = 5", "output 'output_0' differs");
  const ExportedProgram fine = run_decompositions(program, {{"Gelu", half}, {"Relu", relu_by_clip}});
  EXPECT_EQ(operators(fine.graph).find("Relu"), std::string::npos);
}

TEST(Decompositions, ASizeThatOneCannotHaveIsFound) {
  const auto only = [](std::initializer_list<int64_t> sizes) {
    return DecompositionTable{{"Gelu", [sizes = std::vector<int64_t>(sizes)](const Op&, Inputs inputs) {
                                 check(std::ranges::find(sizes, inputs[0].dims()[0]) != sizes.end(), "not that size");
                                 return Outputs{inputs[0] * 0.5};
                               }}};
  };
  EXPECT_ERROR(run_decompositions(averages(), only({9})), ArgumentError, "the decomposition of Gelu", "at n = 5",
               "not that size");
  EXPECT_ERROR(run_decompositions(averages(), only({9, 11})), ArgumentError, "the decomposition of Gelu", "at n = 2",
               "not that size");
  EXPECT_NO_THROW(run_decompositions(averages(), only({5, 9, 11})));
}

TEST(Decompositions, AllAreBlamedWhereNoneFailsAlone) {
  Model model([](Model&, Inputs inputs) -> Outputs { return {relu(apply(Gelu{}, {inputs[0]}))}; });
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::of({ShapeSpec::of({Dim("n")})});
  const ExportedProgram program = exported(model, {counting({4})}, options);
  bool is_first = true;
  const Decomposition fickle = [&](const Op&, Inputs inputs) {
    return Outputs{inputs[0] * (std::exchange(is_first, false) ? 1.0 : 2.0)};
  };
  EXPECT_ERROR(run_decompositions(program, {{"Gelu", fickle}}), ArgumentError, "the decompositions keep", "at n = 5");
}

TEST(Decompositions, SizesOneApartAreToldApart) {
  Model model([](Model&, Inputs inputs) -> Outputs { return {relu(inputs[0]) + sum(inputs[1])}; });
  ExportOptions options;
  options.dynamic_shapes =
      ShapeSpec::of({ShapeSpec::axes({{0, Dim("a")}, {1, Dim("b")}}), ShapeSpec::axes({{0, Dim("c")}})});
  const ExportedProgram program = exported(model, {counting({5, 4}), counting({3})}, options);
  std::vector<Dims> seen;
  const Decomposition relu_by_clip = [&](const Op&, Inputs inputs) {
    seen.push_back(inputs[0].dims());
    return Outputs{clip(inputs[0], 0, {})};
  };
  run_decompositions(program, {{"Relu", relu_by_clip}});
  ASSERT_EQ(seen.size(), 3u);  // at the examples, larger, smaller
  EXPECT_EQ(seen[1], (Dims{6, 7}));
  EXPECT_EQ(seen[2], (Dims{1, 2}));
}

TEST(Decompositions, MadeUpIntegersAreIndicesOfAnything) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {relu(gather(self["rows"], inputs[0], 0))}; });
  model.parameter("rows", counting({1, 2}));
  const std::vector<Tensor> x = {Tensor::zeros({3}, DType::i64)};
  ExportedProgram program = exported(model, x);
  program.example_inputs.clear();
  const DecompositionTable table = {{"Relu", [](const Op&, Inputs inputs) { return Outputs{clip(inputs[0], 0, {})}; }}};
  ExportedProgram simple = run_decompositions(program, table);
  EXPECT_EQ(simple.call_flat(x)[0].dims(), (Dims{3, 2}));
}

TEST(Decompositions, ATableHasOperators) {
  const ExportedProgram program = averages();
  const Decomposition same = [](const Op&, Inputs inputs) { return Outputs{inputs[0]}; };
  EXPECT_ERROR(run_decompositions(program, {{"gelu", same}}), ArgumentError, "no operator 'gelu'", "'Gelu'");
  EXPECT_ERROR(run_decompositions(program, {{"ReduceMeen", same}}), ArgumentError, "'ReduceMean'");
  EXPECT_NO_THROW(run_decompositions(program, {{"Softmax", same}}));
}

TEST(Decompositions, WhatIsNoComplaintOfTheEngineComesOut) {
  const Decomposition picky = [](const Op&, Inputs inputs) {
    if (inputs[0].dims()[0] != 9) throw Error("Error", "Script", "not today");
    return Outputs{inputs[0]};
  };
  EXPECT_ERROR(run_decompositions(averages(), {{"Gelu", picky}}), Error, "not today", "Gelu");
}

TEST(Decompositions, TheDefaultTableKeepsEverySize) {
  ExportedProgram program = averages();
  ExportedProgram simple = run_decompositions(program);
  for (const int64_t n : {2, 9}) {
    const std::vector<Tensor> x = {counting({n, 3}), counting({2 * n + 1})};
    EXPECT_TRUE(close(simple.call_flat(x)[1], program.call_flat(x)[1], 1e-5));
  }
}

}  // namespace
}  // namespace onemodel::test
