// Updates that a captured program cannot have, and exports that fail.

#include "export/models.h"
#include "trace/trace_module.h"

namespace onemodel::test {
namespace {

/// Exporting throws, and everything is as before.
template <class E>
void expect_refused(Model& model, std::initializer_list<std::string_view> parts, std::string_view kind) {
  const Snapshot before(model);
  const MemoryCounters memory = memory_counters();
  try {
    const std::vector<Tensor> example = {counting({3})};
    export_program(model, example);
    ADD_FAILURE() << "nothing was refused";
  } catch (const E& error) {
    expect_parts(error, parts);
    EXPECT_EQ(error.kind(), kind);
  }
  before.expect_unchanged(model);
  EXPECT_EQ(memory_counters().storages, memory.storages);
}

TEST(Mutation, WholeInputsAndConstantsAreRefused) {
  const Tensor constant = counting({3});
  Model model([](Model&, Inputs inputs) -> Outputs { return {add_(inputs[0], 1)}; });
  expect_refused<TraceError>(model, {"add_", "the input 'input'", "elements of containers"}, "InPlaceMutation");
  model.run = [&](Model&, Inputs inputs) -> Outputs {
    add_(constant, 1);
    return {inputs[0] * constant};
  };
  expect_refused<TraceError>(model, {"add_", "float32[3]", "it is a constant"}, "InPlaceMutation");
  model.run = [&](Model&, Inputs inputs) -> Outputs { return {copy_(constant, inputs[0]) + inputs[0]}; };
  expect_refused<TraceError>(model, {"copy_", "it is a constant"}, "InPlaceMutation");
  EXPECT_TRUE(same_bits(constant, counting({3})));
}

TEST(Mutation, AFailingModelIsLeftAsItWas) {
  auto inner = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
    add_(self["count"], inputs[0]);
    throw std::runtime_error("the model's own");
  });
  inner->buffer("count", counting({3}));
  Model model([&](Model&, Inputs inputs) -> Outputs { return (*inner)(inputs); });
  model.child("inner", inner);
  const Snapshot before(model);
  const std::vector<Tensor> example = {counting({3})};
  EXPECT_THROW(export_program(model, example), std::runtime_error);
  before.expect_unchanged(model);
  model.run = [](Model&, Inputs inputs) -> Outputs { return {neg(inputs[0])}; };
  EXPECT_EQ(exported(model, example).graph.nodes.size(), 1u);
}

TEST(Mutation, ViewsThatWouldSeeAnUpdateAreRefused) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    const Tensor view = reshape(self["state"], {3, 1});
    copy_(self["state"], inputs[0]);
    return {view + inputs[0]};
  });
  model.buffer("state", counting({3}));
  expect_refused<TraceError>(model, {"Add: float32[3, 1] is a view of a tensor that was updated since"},
                             "InPlaceMutation");
  model.run = [](Model& self, Inputs inputs) -> Outputs {
    copy_(reshape(self["state"], {3, 1}), inputs[0]);
    return {self["state"] + inputs[0]};
  };
  expect_refused<TraceError>(model, {"slice_scatter_"}, "InPlaceMutation");
  model.run = [](Model& self, Inputs inputs) -> Outputs {
    const Tensor kept = reshape(self["state"], {3, 1}).clone(), copied = self["state"].clone();
    copy_(self["state"], inputs[0]);
    const Tensor again = self["state"].clone();
    return {kept, copied, again};
  };
  expect_follows(model, exported(model, {counting({3}) * 2}), {{counting({3}) * 2}, {counting({3}) * 4}});
}

TEST(Mutation, ValuesHaveToFit) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {copy_(self["state"], inputs[0]) * 2}; });
  model.buffer("state", counting({2}));
  expect_refused<ShapeError>(model, {"[3] and [2]"}, "Shape");
  EXPECT_ERROR(copy_(model["state"], counting({3})), ShapeError, "[3]");
  EXPECT_ERROR(add_(model["state"], counting({3})), ShapeError, "Add");
}

TEST(Mutation, OtherTracesRefuseUpdates) {
  const Tensor x = counting({3});
  Tracer tracer = Tracer::begin();
  const Tensor traced = tracer.input("x", x);
  EXPECT_ERROR(add_(traced * 2, 1), TraceError, "add_", "export the program");
}

TEST(Mutation, LeavesThatRequireAGradientAreRefusedOutsideOfNoGrad) {
  const Tensor weight = counting({3});
  set_requires_grad(weight);
  EXPECT_ERROR(add_(weight, 1), GradientError, "add_", "no-grad");
  EXPECT_ERROR(copy_(weight * 2, counting({3})), GradientError, "recorded operators");
  const NoGrad none;
  add_(weight, 1);
  EXPECT_EQ(weight.detach().to_vector<float>(), (std::vector<float>{2, 3, 4}));
}

TEST(Mutation, RefusalsNameTheCall) {
  const auto refused = [](Tensor (*update)(const Tensor&)) {
    Model model([update](Model&, Inputs inputs) -> Outputs {
      update(inputs[0]);
      return {inputs[0] * 2};
    });
    exported(model, {counting({2})});
  };
  EXPECT_ERROR(refused([](const Tensor& x) { return zero_(x); }), TraceError, "zero_:");
  EXPECT_ERROR(refused([](const Tensor& x) { return copy_(x, x * 2, "copyFrom"); }), TraceError, "copyFrom:");
}

// A capture would not see the update, and the program would be changed by it.
TEST(Mutation, AProgramThatUpdatesItsStateIsNotCalledInACapture) {
  const auto model = counter();
  ExportedProgram program = exported(*model, {counting({3})});
  ProgramSession session(program);
  const std::vector<Tensor> own = {counting({3})};
  Model by_call([&](Model&, Inputs inputs) -> Outputs { return {program.call_flat(inputs)[0] + 1}; });
  Model by_session([&](Model&, Inputs inputs) -> Outputs { return {inputs[0] + session.run(own)[0]}; });
  for (Model* outer : {&by_call, &by_session}) {
    expect_refused<TraceError>(*outer, {"program 'program' would update its state", "module"}, "InPlaceMutation");
    EXPECT_ERROR(trace_module(*outer, counting({3})), TraceError, "program 'program' would update its state");
  }
  EXPECT_EQ(program.state_dict().at("count").item<double>(), 0);
  EXPECT_EQ(session.state_dict().at("count").item<double>(), 0);
  const auto module = program_module(program);
  Model by_module(
      [](Model& self, Inputs inputs) -> Outputs { return {(*self.named_modules()[1].second)(inputs)[0] + 1}; });
  by_module.child("inner", module);
  expect_follows(by_module, exported(by_module, {counting({3})}), {{counting({3})}, {counting({3})}});
}

}  // namespace
}  // namespace onemodel::test
