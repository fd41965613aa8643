// Sessions of exported programs: their state, shared or not, and what a failing run leaves.

#include <algorithm>
#include <set>

#include "eager/functions_attention.h"
#include "export/models.h"
#include "export/structure.h"
#include "format/file.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"

namespace onemodel::test {
namespace {

double count_of(const ProgramSession& session) { return session.state_dict().at("count").item<double>(); }

TEST(ProgramSession, EachHasAStateOfItsOwnUnlessAskedToShare) {
  const auto model = counter();
  const ExportedProgram program = exported(*model, {counting({3})});
  ProgramSession first(program), second(program), shared(program, {.session = {}, .share_state_with = &first});
  const std::vector<Tensor> x = {counting({3})};
  first.run(x);
  first.run(x);
  second.run(x);
  EXPECT_EQ(count_of(first), 2);
  EXPECT_EQ(count_of(second), 1);
  EXPECT_EQ(count_of(shared), 2);
  EXPECT_EQ(shared.run(x)[0].to_vector<float>()[0], 2 + 30);
  EXPECT_EQ(count_of(first), 3);
  EXPECT_EQ(program.state_dict().at("count").item<double>(), 0);
  EXPECT_EQ((*model)["count"].item<double>(), 0);
}

TEST(ProgramSession, SharesOnlyWithProgramsThatUpdateTheSame) {
  bool updates = true;
  const auto scaled = [&](const std::string& name) {
    auto model = std::make_shared<Model>([&updates, name](Model& self, Inputs inputs) -> Outputs {
      if (updates) add_(self[name], 1);
      return {inputs[0] * self[name]};
    });
    model->buffer(name, Tensor::zeros({1}));
    return model;
  };
  const auto count = scaled("count"), total = scaled("total");
  const ExportedProgram writer = exported(*count, {counting({3})}), other = exported(*total, {counting({3})});
  updates = false;
  const ExportedProgram reader = exported(*count, {counting({3})});
  ProgramSession session(writer);
  EXPECT_ERROR(ProgramSession(reader, {.session = {}, .share_state_with = &session}), ArgumentError,
               "'count' is updated by one of the two programs only");
  EXPECT_ERROR(ProgramSession(other, {.session = {}, .share_state_with = &session}), ArgumentError, "has other state",
               "Buffer 'total'", "Buffer 'count'");
  const auto wider = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
    add_(self["count"], 1);
    return {inputs[0] * self["count"]};
  });
  wider->buffer("count", Tensor::zeros({3}));
  EXPECT_ERROR(ProgramSession(exported(*wider, {counting({3})}), {.session = {}, .share_state_with = &session}),
               ArgumentError, "'count' is float32[3], there float32[1]");
}

TEST(ProgramSession, StateDictsAreCopies) {
  const auto model = counter();
  ExportedProgram program = exported(*model, {counting({3})});
  ProgramSession first(program), second(program);
  first.state_dict().at("count").fill(50);
  program.state_dict().at("count").fill(50);
  EXPECT_EQ(count_of(first), 0);
  EXPECT_EQ(count_of(second), 0);
  EXPECT_EQ(program.state_dict().at("count").item<double>(), 0);
}

TEST(ProgramSession, TakesAStateDictForItselfAndThoseThatShare) {
  Model model([](Model& self, Inputs inputs) -> Outputs {
    const Tensor y = (inputs[0] * self["weight"] + self["count"]) * self["cache"];
    add_(self["count"], 1);
    return {y};
  });
  model.parameter("weight", counting({2})).buffer("count", Tensor::zeros({1}));
  model.buffer("cache", Tensor::full({1}, 1), false);
  const ExportedProgram program = exported(model, {counting({2})});
  ProgramSession session(program), shared(program, {.session = {}, .share_state_with = &session}), other(program);
  const std::vector<Tensor> x = {counting({2})};
  const auto values = [&](ProgramSession& each) { return each.run(x)[0].to_vector<float>(); };
  EXPECT_EQ(values(session), (std::vector<float>{1, 4}));
  const Tensor weight = counting({2}) * 10;
  session.load_state_dict({{"weight", weight}, {"count", Tensor::full({1}, 5)}});
  Tensor(weight).fill(0);  // the session has its own
  EXPECT_EQ(values(session), (std::vector<float>{15, 45}));
  EXPECT_EQ(values(shared), (std::vector<float>{16, 46})) << "bound anew";
  EXPECT_EQ(values(other), (std::vector<float>{1, 4}));
  EXPECT_EQ(count_of(session), 7);
  EXPECT_EQ(program.state_dict().at("count").item<double>(), 0);

  EXPECT_ERROR(session.load_state_dict({{"weight", counting({3})}, {"cache", Tensor::zeros({1})}}), ModelError,
               "missing: count", "weight: expected float32[2], got float32[3]", "unexpected: cache");
  EXPECT_EQ(values(session), (std::vector<float>{17, 47})) << "nothing was changed";
}

TEST(ProgramSession, RefusesInputsBeforeAnythingRuns) {
  // The first node refuses the index 7, and the second input has another size.
  Model model([](Model& self, Inputs inputs) -> Outputs {
    add_(self["count"], 1);
    return {gather(self["table"], inputs[0]) * inputs[1]};
  });
  model.buffer("count", Tensor::zeros({1})).buffer("table", counting({3}));
  const auto index = [](int64_t i) { return Tensor::from_ints(std::vector<int64_t>{i}); };
  ExportedProgram program = exported(model, {index(2), counting({4})});
  ProgramSession session(program);
  int steps = 0;
  const RunOptions counted{.cancelled = [&] { return ++steps < 0; }};
  const std::vector<Tensor> bad = {index(7), counting({5})};
  EXPECT_ERROR(session.run(bad, counted), ConstraintsError, "must be 4, got 5");
  EXPECT_EQ(steps, 0);
  EXPECT_ERROR(program.call_flat(bad), ConstraintsError, "must be 4, got 5");
  EXPECT_ERROR(program_module(program)->forward(bad), ConstraintsError, "must be 4, got 5");
  session.run(std::vector<Tensor>{index(1), counting({4})}, counted);
  EXPECT_GT(steps, 0);
  EXPECT_EQ(count_of(session), 1);
}

TEST(ProgramSession, GivesNoIntermediates) {
  const auto model = counter();
  const ExportedProgram program = exported(*model, {counting({3})});
  SessionOptions options;
  options.intermediates = {program.graph.nodes[0].name};
  EXPECT_ERROR(ProgramSession(program, {.session = options}), ArgumentError, "no intermediate values");
}

TEST(ProgramSession, ValuesThatACallerHoldsStay) {
  const auto model = counter();
  ProgramSession session(exported(*model, {counting({3})}));
  const std::vector<Tensor> x = {counting({3})};
  std::vector<Tensor> held;
  for (int i = 0; i < 5; ++i) {
    held.push_back(session.state_dict().at("count"));
    session.run(x);
  }
  for (size_t i = 0; i < held.size(); ++i) EXPECT_EQ(held[i].item<double>(), static_cast<double>(i));
}

TEST(ProgramSession, OutputsThatAreStateStay) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {add_(self["sum"], inputs[0])}; });
  model.buffer("sum", Tensor::zeros({3}));
  ProgramSession session(exported(model, {counting({3})}));
  std::vector<Tensor> held;
  for (int i = 0; i < 5; ++i) held.push_back(session.run(std::vector{counting({3})})[0]);
  for (size_t i = 0; i < held.size(); ++i) EXPECT_EQ(held[i].to_vector<float>()[0], static_cast<float>(i + 1));
}

TEST(ExportedProgram, WhatItGivesIsNotItsState) {
  Model model([](Model& self, Inputs inputs) -> Outputs { return {self["held"], inputs[0] + self["held"]}; });
  model.buffer("held", Tensor::zeros({2}), false);
  ExportedProgram program = exported(model, {counting({2})});
  const std::vector<Tensor> x = {Tensor::zeros({2})};
  Tensor given = program.call_flat(x)[0], constant = program.constants().at("held");
  given.fill(7);
  constant.fill(8);
  EXPECT_EQ(program.call_flat(x)[1].to_vector<float>(), (std::vector<float>{0, 0}));
}

TEST(ProgramSession, AFailingRunChangesNothing) {
  // The table is read at the place that the input names, after the state has its new value.
  Model model([](Model& self, Inputs inputs) -> Outputs {
    add_(self["count"], 1);
    return {gather(self["table"], inputs[0]) * self["count"]};
  });
  model.buffer("count", Tensor::zeros({1})).buffer("table", counting({3}));
  const std::vector<Tensor> good = {Tensor::from_ints(std::vector<int64_t>{2})};
  const std::vector<Tensor> bad = {Tensor::from_ints(std::vector<int64_t>{7})};
  ExportedProgram program = exported(model, good);
  ProgramSession session(program);
  for (int i = 0; i < 3; ++i) {
    EXPECT_ERROR(session.run(bad), Error, "Gather");
    EXPECT_ERROR(program.call_flat(bad), Error, "Gather");
    EXPECT_EQ(count_of(session), i);
    EXPECT_EQ(program.state_dict().at("count").item<double>(), i);
    EXPECT_EQ(session.run(good)[0].item<double>(), 3 * (i + 1));
    EXPECT_EQ(program.call_flat(good)[0].item<double>(), 3 * (i + 1));
  }
  int steps = 0;
  EXPECT_ERROR(session.run(good, {.cancelled = [&] { return ++steps == 2; }}), CancelledError, "");
  EXPECT_EQ(count_of(session), 3);
  EXPECT_ERROR(session.run(std::vector<Tensor>{}), ArgumentError, "takes 1 inputs, got 0");
  EXPECT_ERROR(session.run(std::vector<Tensor>{counting({1})}), ConstraintsError, "'input'");
  EXPECT_ERROR(session.run(std::vector<Feed>{{"other", good[0]}}), ArgumentError, "other");
  EXPECT_EQ(session.run(std::vector<Feed>{{"input", good[0]}})[0].item<double>(), 12);
}

TEST(ProgramSession, WeightsAreConstants) {
  nn::Sequential model({std::make_shared<nn::Linear>(4, 3), std::make_shared<nn::ReLU>()});
  const ExportedProgram program = exported(model, {counting({2, 4})});
  EXPECT_EQ(program.signature.names_of(InputKind::parameter), (std::vector<std::string>{"p_0_weight", "p_0_bias"}));
  const Graph bound =
      bind_state(program.graph, program.signature, program.state->tensors(), is_never_updated(program.signature));
  EXPECT_EQ(bound.inputs.size(), 1u);
  const Value& weight = bound.value(bound.find_value("p_0_weight"));
  EXPECT_TRUE(weight.is_constant());
  EXPECT_EQ(weight.kind, ConstantKind::parameter);
  ProgramSession session(program);
  const std::vector<Tensor> x = {counting({2, 4})};
  EXPECT_TRUE(close(session.run(x)[0], model.forward(x)[0].detach(), 1e-6));

  const ExportedProgram training = export_for_training(exportable(model), tensor_arguments(x));
  ProgramSession tuned(training);
  for (size_t i = 0; i < 2; ++i) tuned.state()->set(i, Tensor::zeros(tuned.state()->tensor(i).dims()));
  EXPECT_EQ(tuned.run(x)[0].to_vector<float>(), std::vector<float>(6, 0.0f));
  EXPECT_ERROR(tuned.state()->set(0, counting({2})), ShapeError, "float32[3, 4]", "float32[2]");
}

TEST(ProgramSession, OnnxHasUpdatesOnRequest) {
  const auto model = counter();
  ExportedProgram program = exported(*model, {counting({3})});
  const std::vector<Tensor> x = {counting({3})};
  program.call_flat(x);
  const auto names = [](const std::vector<ValueInfo>& values) {
    std::vector<std::string> out;
    for (const ValueInfo& value : values) out.push_back(value.name);
    return out;
  };
  using Names = std::vector<std::string>;
  Session plain(read_onnx(write_onnx(onnx_graph(program))));
  EXPECT_EQ(names(plain.inputs()), Names{"input"});
  EXPECT_EQ(names(plain.outputs()), Names{"output"});
  EXPECT_EQ(plain.run(x)[0].to_vector<float>(), (std::vector<float>{21, 42, 63}));
  Session whole(read_onnx(write_onnx(onnx_graph(program, {.state_inputs = true}))));
  EXPECT_EQ(names(whole.inputs()), (Names{"b_count", "input"}));
  EXPECT_EQ(names(whole.outputs()), (Names{"b_count_out", "output"}));
  const auto out = whole.run(std::vector{Tensor::full({1}, 5), x[0]});
  EXPECT_EQ(out[0].item<double>(), 6);
  EXPECT_EQ(out[1].to_vector<float>(), (std::vector<float>{65, 130, 195}));
}

// One attention layer over a vocabulary, which sees one token at a time and keeps keys and values in buffers.
class CachedAttention final : public nn::Module {
 public:
  static constexpr int64_t kWords = 11, kWidth = 8, kHeads = 2, kMost = 16;
  CachedAttention()
      : embed_(register_module("embed", std::make_shared<nn::Embedding>(kWords, kWidth))),
        qkv_(register_module("qkv", std::make_shared<nn::Linear>(kWidth, 3 * kWidth))),
        head_(register_module("head", std::make_shared<nn::Linear>(kWidth, kWords))) {
    const Dims cache = {kHeads, kMost, kWidth / kHeads};
    register_buffer("keys", Tensor::zeros(cache), false);
    register_buffer("values", Tensor::zeros(cache), false);
    register_buffer("position", Tensor::from_ints(std::vector<int64_t>{0}), false);
  }
  // [1] token -> [1, kWords] scores of the next.
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    const Tensor& position = tensor("position");
    const Tensor x = (*embed_)(inputs[0]);
    const Tensor all = permute(reshape((*qkv_)(x), {1, 3, kHeads, kWidth / kHeads}), {1, 2, 0, 3});
    index_copy_(tensor("keys"), 1, position, select(all, 0, 1));
    index_copy_(tensor("values"), 1, position, select(all, 0, 2));
    const Tensor seen = greater(position + Tensor::scalar<int64_t>(1), arange(0, kMost));
    const Tensor y = scaled_dot_product_attention(select(all, 0, 0), tensor("keys"), tensor("values"), seen);
    add_(position, Tensor::scalar<int64_t>(1));
    return {(*head_)(x + reshape(permute(y, {1, 0, 2}), {1, kWidth}))};
  }
  std::string describe() const override { return "CachedAttention"; }

 private:
  std::shared_ptr<nn::Embedding> embed_;
  std::shared_ptr<nn::Linear> qkv_, head_;
};

int64_t likeliest(const Tensor& scores) {
  const auto values = scores.detach().to_vector<float>();
  return std::max_element(values.begin(), values.end()) - values.begin();
}

template <class Step>
std::vector<int64_t> generate(const Step& step) {
  std::vector<int64_t> words = {3};
  while (words.size() < CachedAttention::kMost)
    words.push_back(likeliest(step(std::vector{Tensor::from_ints(std::vector{words.back()})})));
  return words;
}

TEST(ProgramSession, AKeyValueCacheGeneratesTokenByToken) {
  const Exact exact;
  CachedAttention model;
  const ExportedProgram program = exported(model, {Tensor::from_ints(std::vector<int64_t>{3})});
  EXPECT_EQ(program.signature.non_persistent_buffers(), (std::vector<std::string>{"keys", "values", "position"}));
  EXPECT_EQ(program.signature.mutation_count(), 3u);
  ProgramSession session(program, {.session = {.arithmetic = Arithmetic::exact}}), fast(program);
  std::vector<Tensor> scores;
  const auto eager = generate([&](const std::vector<Tensor>& x) {
    scores.push_back(model.forward(x)[0].detach());
    return scores.back();
  });
  size_t at = 0;
  const auto by_session = generate([&](const std::vector<Tensor>& x) {
    const Tensor out = session.run(x)[0];
    EXPECT_TRUE(same_bits(out, scores[at])) << "token " << at;
    EXPECT_TRUE(close(fast.run(x)[0], scores[at++], 1e-5));
    return out;
  });
  EXPECT_EQ(by_session, eager);
  EXPECT_GT(std::set<int64_t>(eager.begin(), eager.end()).size(), 1u) << "a model that repeats one word shows little";
  const std::vector<Tensor> one_more = {Tensor::from_ints(std::vector<int64_t>{3})};
  session.run(one_more);
  EXPECT_ERROR(session.run(one_more), Error, "ScatterElements");
}

}  // namespace
}  // namespace onemodel::test
