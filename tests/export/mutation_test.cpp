// Updates of state in captured programs.

#include "export/models.h"
#include "nn/batch_norm.h"
#include "nn/norm.h"
#include "nn/random.h"
#include "ops/seeds.h"
#include "support/graphs.h"
#include "trace/trace_module.h"

namespace onemodel::test {
namespace {

TEST(Mutation, ReadsBeforeAnUpdateKeepTheOldValue) {
  const auto model = counter();
  const ExportedProgram program = exported(*model, {counting({3})});
  EXPECT_EQ(to_string(program.signature),
            "inputs:\n  b_count: Buffer 'count'\n  input: UserInput\n"
            "outputs:\n  b_count_out: BufferMutation 'count'\n  output: UserOutput\n");
  expect_follows(*model, program, {{counting({3})}, {counting({3})}, {counting({3})}});
}

TEST(Mutation, ChainsOfUpdatesBecomeOneOutput) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    const Tensor& sum = self["sum"];
    copy_(sum, inputs[0]);
    const Tensor first = sum + 1;
    mul_(sum, 3);
    sub_(sum, first);
    const Tensor second = sum * 2;
    div_(sum, inputs[0]);
    add_(sum, second, 0.5);
    fill_(self["flag"], 7);
    return {first, second, sum};
  });
  model.buffer("sum", Tensor::zeros({4})).buffer("flag", Tensor::zeros({}, DType::i64));
  const ExportedProgram program = exported(model, {counting({4})});
  EXPECT_EQ(program.signature.buffers_to_mutate(),
            (ProgramSignature::Names{{"b_sum_out", "sum"}, {"b_flag_out", "flag"}}));
  expect_follows(model, program, {{counting({4})}, {counting({4}) * 5}});
}

TEST(Mutation, UpdatesBroadcastAndConvert) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    copy_(self["rows"], inputs[0]);
    zero_(self["gone"]);
    add_(self["whole"], cast(inputs[0], DType::i64));
    copy_(self["whole"], self["whole"] * Tensor::scalar<int64_t>(2));
    return {self["rows"] + self["gone"]};
  });
  model.buffer("rows", Tensor::zeros({2, 3}))
      .buffer("gone", counting({3}))
      .buffer("whole", Tensor::zeros({3}, DType::i64));
  expect_follows(model, exported(model, {counting({3})}), {{counting({3})}, {counting({3})}});
}

TEST(Mutation, PartsAreUpdatedInPlace) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    index_copy_(self["cache"], 1, self["places"], inputs[0]);
    add_(self["places"], Tensor::scalar<int64_t>(1));
    slice_scatter_(self["cache"], slice(inputs[0], 1, 0, 1), 1, 0, 3);
    select_scatter_(self["cache"], sum(inputs[0], {1}), 1, -1);
    select_scatter_(self["cache"], sum(inputs[0]), 0, 1);
    return {slice(self["cache"], 0, 1, 3), self["cache"]};
  });
  model.buffer("cache", Tensor::zeros({4, 6})).buffer("places", Tensor::from_ints(std::vector<int64_t>{0, 2}), false);
  const ExportedProgram program = exported(model, {counting({4, 2})});
  EXPECT_EQ(program.signature.non_persistent_buffers(), std::vector<std::string>{"places"});
  expect_follows(model, program, {{counting({4, 2})}, {counting({4, 2}) * 3}});
  EXPECT_ERROR(index_copy_(model["cache"], 1, Tensor::from_ints(std::vector<int64_t>{6, 0}), counting({4, 2})),
               ShapeError, "index 6", "axis 1", "size 6");
  EXPECT_ERROR(index_copy_(model["cache"], 1, model["places"], counting({4, 3})), ShapeError, "index_copy_", "[4, 3]");
}

TEST(Mutation, TheSameBufferFromTwoModules) {
  const Tensor shared = Tensor::zeros({2});
  const auto adds = [](double step) {
    return [step](Model& self, Inputs inputs) -> Outputs {
      add_(self["total"], inputs[0] * step);
      return {inputs[0] + self["total"]};
    };
  };
  const auto first = std::make_shared<Model>(adds(1)), second = std::make_shared<Model>(adds(10));
  first->buffer("total", shared);
  second->buffer("total", shared);
  Model model([&](Model&, Inputs inputs) -> Outputs { return {(*second)((*first)(inputs[0]))}; });
  model.child("first", first).child("second", second);
  const ExportedProgram program = exported(model, {counting({2})});
  EXPECT_EQ(program.signature.names_of(InputKind::buffer), std::vector<std::string>{"b_first_total"});
  EXPECT_EQ(program.signature.mutation_count(), 1u);
  const std::vector<Tensor> twice = {counting({2})};
  const Exact exact;
  ExportedProgram runs = program;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(same_bits(runs.call_flat(twice)[0], model.forward(twice)[0]));
    EXPECT_TRUE(same_bits(runs.state_dict().at("first.total"), shared));
  }
}

TEST(Mutation, ElementsOfContainersAreWrittenBack) {
  const auto function = [](std::span<const Argument> arguments) {
    const Tensor& x = std::get<Tensor>(arguments[0].value);
    const Tensor& cache = std::get<Tensor>(arguments[1].children[1].value);
    const Tensor before = x * cache;
    add_(cache, x);
    return Argument::dict({{"before", before}, {"after", cache * 2}});
  };
  const Tensor x = counting({3});
  const auto cache = [] { return Argument::list({Argument(int64_t{4}), Argument(counting({3}))}); };
  const Argument given = cache();
  ExportedProgram program =
      export_program(exportable(function), std::vector<NamedArgument>{{"x", x}, {"cache", given}});
  EXPECT_TRUE(same_bits(std::get<Tensor>(given.children[1].value), counting({3}))) << "the example is untouched";
  EXPECT_EQ(program.signature.user_inputs_to_mutate(), (ProgramSignature::Names{{"cache_1_out", "cache_1"}}));
  EXPECT_EQ(program.arguments[1].structure.leaf_count(), 2u);

  const Argument eager_cache = cache(), own = cache();
  const std::vector<Argument> eager_arguments = {x, eager_cache};
  const Argument expected = function(eager_arguments);
  const Argument result = program.call(std::vector<Argument>{x}, std::vector<NamedArgument>{{"cache", own}});
  EXPECT_EQ(result.keys, (std::vector<std::string>{"before", "after"}));
  for (size_t i = 0; i < 2; ++i)
    EXPECT_TRUE(same_bits(std::get<Tensor>(result.children[i].value), std::get<Tensor>(expected.children[i].value)));
  EXPECT_TRUE(same_bits(std::get<Tensor>(own.children[1].value), std::get<Tensor>(eager_cache.children[1].value)));
}

TEST(Mutation, IntermediateValuesMayBeUpdatedToo) {
  Model model([](Model&, Inputs inputs) -> Outputs {
    const Tensor y = inputs[0] * 2;
    const Tensor before = y + 1;
    mul_(y, 5);
    return {before, y};
  });
  const ExportedProgram program = exported(model, {counting({3})});
  EXPECT_EQ(program.signature.mutation_count(), 0u);
  expect_follows(model, program, {{counting({3})}});
}

TEST(Mutation, BatchNormInTrainingModeUpdatesItsStatistics) {
  nn::Sequential model({std::make_shared<nn::BatchNorm2d>(3), std::make_shared<nn::Flatten>()});
  const auto images = [](double scale) { return counting({4, 3, 2, 2}) * scale; };
  const ExportedProgram program = exported(model, {images(1)});
  EXPECT_EQ(program.signature.buffers_to_mutate(),
            (ProgramSignature::Names{{"b_0_running_mean_out", "0.running_mean"},
                                     {"b_0_running_var_out", "0.running_var"},
                                     {"b_0_num_batches_tracked_out", "0.num_batches_tracked"}}));
  expect_follows(model, program, {{images(1)}, {images(0.25)}, {images(-3)}});
}

TEST(Mutation, BatchNormWithoutMomentumCountsItsBatchesInTheProgram) {
  nn::Sequential model(
      {std::make_shared<nn::BatchNorm2d>(nn::BatchNorm2dOptions{.num_features = 3, .momentum = std::nullopt})});
  const auto images = [](double scale) { return counting({4, 3, 2, 2}) * scale; };
  model(images(7));
  const ExportedProgram program = exported(model, {images(1)});
  EXPECT_EQ(program.signature.mutation_count(), 3u);
  expect_follows(model, program, {{images(1)}, {images(0.25)}, {images(-3)}});
}

TEST(Mutation, InstanceNormUpdatesItsStatistics) {
  nn::Sequential model(
      {std::make_shared<nn::InstanceNorm1d>(nn::InstanceNormOptions{.num_features = 2, .track_running_stats = true})});
  const ExportedProgram program = exported(model, {counting({3, 2, 5})});
  EXPECT_EQ(program.signature.mutation_count(), 2u);
  expect_follows(model, program, {{counting({3, 2, 5})}, {counting({3, 2, 5}) * 2}});
}

TEST(Mutation, NoGradModeIsAllowedAndParametersMayBeUpdated) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    const NoGrad none;
    const Tensor y = inputs[0] * self["weight"];
    mul_(self["weight"], 0.5);
    return {y};
  });
  model.parameter("weight", counting({3}));
  const ExportedProgram program = exported(model, {counting({3})});
  EXPECT_EQ(program.signature.parameters_to_mutate(), (ProgramSignature::Names{{"p_weight_out", "weight"}}));
  expect_follows(model, program, {{counting({3})}, {counting({3})}});
}

// Results and updates that are views of what is updated.
TEST(Mutation, OldValuesAreKeptFromUpdates) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    const Tensor old = self["a"].clone();
    const Tensor turned = transpose(self["b"].clone(), 0, 1);
    copy_(self["a"], self["b"]);
    copy_(self["b"], old);
    add_(self["b"], inputs[0]);
    return {old, turned};
  });
  model.buffer("a", counting({2, 2})).buffer("b", Tensor::zeros({2, 2}));
  expect_follows(model, exported(model, {counting({2, 2})}), {{counting({2, 2})}, {counting({2, 2})}});
}

TEST(Mutation, ElementsOfContainersSwap) {
  const auto swap = [](std::span<const Argument> arguments) {
    const Tensor& a = std::get<Tensor>(arguments[0].children[0].value);
    const Tensor& b = std::get<Tensor>(arguments[0].children[1].value);
    const Tensor old = a.clone();
    copy_(a, b);
    copy_(b, old);
    return Argument::list({a, old});
  };
  const auto pair = [] { return Argument::list({counting({2}), Tensor::zeros({2})}); };
  const std::vector<NamedArgument> examples = {{"pair", pair()}};
  ExportedProgram program = export_program(exportable(swap), examples);
  ProgramSession session(program);
  const auto flat = program_module(program);
  const std::vector<std::function<std::vector<Tensor>(const std::vector<Tensor>&)>> runs = {
      [&](const std::vector<Tensor>& x) { return program.call_flat(x); },
      [&](const std::vector<Tensor>& x) { return session.run(x); },
      [&](const std::vector<Tensor>& x) { return flat->forward(x); }};
  for (const auto& run : runs) {
    const std::vector<Tensor> own = tensors_in(pair()), out = run(own);
    EXPECT_EQ(own[0].to_vector<float>(), (std::vector<float>{0, 0}));
    EXPECT_EQ(own[1].to_vector<float>(), (std::vector<float>{1, 2}));
    EXPECT_EQ(out[0].to_vector<float>(), (std::vector<float>{0, 0}));
    EXPECT_EQ(out[1].to_vector<float>(), (std::vector<float>{1, 2}));
  }
}

// A function that adds its first argument to an element of its second, and the four ways to run its program.
struct Adding {
  ExportedProgram program =
      export_program(exportable([](std::span<const Argument> arguments) {
                       const Tensor& total = std::get<Tensor>(arguments[1].children[0].value);
                       add_(total, std::get<Tensor>(arguments[0].value));
                       return Argument(total * 2);
                     }),
                     std::vector<NamedArgument>{{"x", counting({2})}, {"totals", Argument::list({counting({2})})}});
  ProgramSession session{program};
  std::shared_ptr<ProgramModule> flat = program_module(program), tree = unflatten(program);
  std::vector<std::function<std::vector<Tensor>(const std::vector<Tensor>&)>> runs = {
      [this](const std::vector<Tensor>& x) { return program.call_flat(x); },
      [this](const std::vector<Tensor>& x) { return session.run(x); },
      [this](const std::vector<Tensor>& x) { return flat->forward(x); },
      [this](const std::vector<Tensor>& x) { return tree->forward(x); }};
};

TEST(Mutation, AnUpdatedElementSharesMemoryWithNoOtherInput) {
  Adding adding;
  const Tensor memory = counting({5});
  const auto part = [&](int64_t begin) { return memory.slice(0, begin, begin + 2); };
  for (const auto& run : adding.runs) {
    const Tensor x = counting({2});
    EXPECT_ERROR(run({x, x}), ArgumentError, "updates its input 'totals_0'", "shares memory with the input 'x'");
    EXPECT_ERROR(run({part(0), part(1)}), ArgumentError, "shares memory");
    EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2}));
    const Tensor before = memory.clone();
    EXPECT_EQ(run({part(0), part(2)})[0].to_vector<float>(), (std::vector<float>{8, 12})) << "parts that are apart";
    EXPECT_EQ(memory.to_vector<float>(), (std::vector<float>{1, 2, 4, 6, 5}));
    Tensor(memory).copy_from(before);
  }
}

TEST(Mutation, AnUpdatedElementRequiresNoGradient) {
  Adding adding;
  for (const auto& run : adding.runs) {
    const Tensor leaf = counting({2});
    set_requires_grad(leaf);
    EXPECT_ERROR(run({counting({2}), leaf}), GradientError, "updates its input 'totals_0'", "requires a gradient");
    EXPECT_ERROR(run({counting({2}), leaf * 2}), GradientError, "requires a gradient");
    EXPECT_EQ(leaf.detach().to_vector<float>(), (std::vector<float>{1, 2}));
    const NoGrad none;
    run({counting({2}), leaf});
    EXPECT_EQ(leaf.detach().to_vector<float>(), (std::vector<float>{2, 4}));
  }
}

TEST(Mutation, AModuleOfAProgramWithoutUpdatesIsTraced) {
  Model model([](Model&, Inputs inputs) -> Outputs { return {inputs[0] + 1}; });
  const ExportedProgram program = exported(model, {counting({3})});
  const std::shared_ptr<nn::Module> flat = program_module(program), tree = unflatten(program);
  for (const auto& module : {flat, tree}) EXPECT_EQ(operators(trace_module(*module, counting({3})).graph), "Add");
}

TEST(Mutation, GeneratorsAndModesAreAsTheyWere) {
  int draws = 0;
  Model model([&](Model& self, Inputs inputs) -> Outputs {
    ++draws;
    self.eval();
    return {inputs[0] * (nn::default_generator().uniform() + generator_for({}).uniform())};
  });
  const Generator::State weights = nn::default_generator().state(), seeds = seeds_state();
  exported(model, {counting({3})});
  EXPECT_GT(draws, 0);
  EXPECT_EQ(nn::default_generator().state(), weights);
  EXPECT_EQ(seeds_state(), seeds);
}

}  // namespace
}  // namespace onemodel::test
