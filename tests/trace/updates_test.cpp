// A trace never changes what was there before it: every way to update a model's state, or another older tensor, is refused
// by name, before a bit of it changes.

#include <gtest/gtest.h>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "eager/in_place.h"
#include "nn/adam.h"
#include "nn/batch_norm.h"
#include "nn/clip_grad.h"
#include "nn/layers.h"
#include "nn/random.h"
#include "nn/schedule.h"
#include "nn/sgd.h"
#include "ops/sample.h"
#include "support/error_text.h"
#include "support/graphs.h"
#include "trace/trace_module.h"

namespace onemodel::test {
namespace {

// Traces what a test does with its buffer 'seen' float32[4] and its parameter 'weight' float32[4].
class Counting final : public nn::Module {
 public:
  using Body = std::function<Tensor(Counting&, const Tensor&)>;
  explicit Counting(Body b) : body(std::move(b)) {}
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override { return {body(*this, inputs[0])}; }
  std::string describe() const override { return "Counting"; }
  Body body;
  Tensor& seen = register_buffer("seen", Tensor::full({4}, 2));
  Tensor& weight = register_parameter("weight", sample_values({4}));
};

struct Update {
  std::string name;
  std::string how;  // as the message has it
  std::string what = "the buffer 'inner.seen', float32[4],";
  Counting::Body body;
};

void PrintTo(const Update& update, std::ostream* out) { *out << update.name; }

std::vector<std::vector<double>> values_of(const nn::Module& module) {
  std::vector<std::vector<double>> out;
  for (const nn::NamedTensor& named : module.named_tensors()) out.push_back(named.tensor.to_vector<double>());
  return out;
}

class Net final : public nn::Module {
 public:
  explicit Net(std::shared_ptr<nn::Module> inner) { inner_ = register_module("inner", std::move(inner)); }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override { return (*inner_)(inputs); }
  std::string describe() const override { return "Net"; }

 private:
  std::shared_ptr<nn::Module> inner_;
};

class Updates : public testing::TestWithParam<Update> {};

TEST_P(Updates, AreRefusedByNameBeforeAnythingChanges) {
  const auto inner = std::make_shared<Counting>(GetParam().body);
  Net net(inner);
  set_grad(inner->weight, Tensor::full({4}, 1));  // for optimizers
  const auto before = values_of(net);
  const MemoryCounters memory = memory_counters();
  try {
    trace_module(net, sample_values({3, 4}));
    ADD_FAILURE() << "nothing was refused";
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "InPlaceMutation");
    expect_parts(error, {"module 'inner': ", "export the program instead (exportProgram"});
    expect_parts(error, {GetParam().how + ": ", GetParam().what});
  }
  EXPECT_EQ(values_of(net), before);
  EXPECT_EQ(memory_counters().storages, memory.storages);
  EXPECT_EQ(memory_counters().bytes, memory.bytes);
  inner->body = [](Counting& self, const Tensor& x) { return x * self.seen; };
  EXPECT_EQ(operators(trace_module(net, sample_values({3, 4})).graph), "Mul");
}

// `change` is given the buffer; the model uses it afterwards.
Update of_seen(std::string name, std::string how, void (*change)(Tensor seen)) {
  return {.name = std::move(name), .how = std::move(how), .body = [change](Counting& self, const Tensor& x) {
            change(self.seen);
            return x * self.seen;
          }};
}

std::vector<Update> updates() {
  const Tensor other = sample_values({4});
  return {
      of_seen("Copy", "copy_", [](Tensor seen) { copy_(seen, Tensor::zeros({4})); }),
      of_seen("FillIn", "fill_", [](Tensor seen) { fill_(seen, 3); }),
      of_seen("Zero", "zero_", [](Tensor seen) { zero_(seen); }),
      of_seen("AddANumber", "add_", [](Tensor seen) { add_(seen, 1); }),
      of_seen("AddATensor", "add_", [](Tensor seen) { add_(seen, Tensor::full({4}, 1)); }),
      of_seen("Subtract", "sub_", [](Tensor seen) { sub_(seen, Tensor::full({4}, 1)); }),
      of_seen("Multiply", "mul_", [](Tensor seen) { mul_(seen, 3); }),
      of_seen("Divide", "div_", [](Tensor seen) { div_(seen, Tensor::full({4}, 3)); }),
      of_seen("SliceScatter", "slice_scatter_", [](Tensor seen) { slice_scatter_(seen, Tensor::zeros({2}), 0, 1, 3); }),
      of_seen("SelectScatter", "slice_scatter_", [](Tensor seen) { select_scatter_(seen, Tensor::zeros({}), 0, 1); }),
      of_seen(
          "IndexCopy", "index_copy_",
          [](Tensor seen) { index_copy_(seen, 0, Tensor::from_ints(std::vector<int64_t>{2}), Tensor::zeros({1})); }),
      of_seen("Fill", "fill", [](Tensor seen) { seen.fill(5); }),
      of_seen("Set", "set", [](Tensor seen) { seen.set({1}, 5); }),
      of_seen("MutableData", "mutable_data", [](Tensor seen) { seen.mutable_data<float>()[0] = 5; }),
      of_seen("CopyFrom", "copy_from", [](Tensor seen) { seen.copy_from(Tensor::zeros({4})); }),
      {.name = "FillOfAView",
       .how = "fill",
       .what = "the buffer 'inner.seen', float32[1],",
       .body =
           [](Counting& self, const Tensor& x) {
             self.seen.slice(0, 1, 2).fill(5);
             return x * self.seen;
           }},
      of_seen("FillOfADetachedOne", "fill", [](Tensor seen) { seen.detach().fill(5); }),
      {.name = "LoadStateDict",
       .how = "copy_from",
       .body =
           [](Counting& self, const Tensor& x) {
             self.load_state_dict({{"seen", Tensor::zeros({4})}, {"weight", Tensor::zeros({4})}});
             return x * self.seen;
           }},
      {.name = "OptimizerStep",
       .how = "Adam",
       .what = "the parameter 'inner.weight', float32[4],",
       .body =
           [](Counting& self, const Tensor& x) {
             nn::Adam(self.parameters(), {}).step();
             return x * self.weight;
           }},
      {.name = "ParameterWritten",
       .how = "mutable_data",
       .what = "the parameter 'inner.weight', float32[4],",
       .body =
           [](Counting& self, const Tensor& x) {
             self.weight.mutable_data<float>()[0] = 5;
             return x * self.weight;
           }},
      // Whether or not the graph needs it.
      {.name = "UnusedBuffer",
       .how = "add_",
       .body =
           [](Counting& self, const Tensor& x) {
             add_(self.seen, 1);
             return neg(x);
           }},
      {.name = "TensorOfNoModule",
       .how = "add_",
       .what = "float32[4], which was there before the trace,",
       .body =
           [other](Counting&, const Tensor& x) {
             add_(other, 1);
             return x * other;
           }},
  };
}

INSTANTIATE_TEST_SUITE_P(All, Updates, testing::ValuesIn(updates()), [](const auto& info) { return info.param.name; });

void expect_unsupported(const std::shared_ptr<nn::Module>& layer, const Tensor& example, std::string_view function) {
  Net net(layer);
  const auto before = values_of(net);
  try {
    Tracer tracer = Tracer::begin();
    net(tracer.input("x", example));
    ADD_FAILURE() << "nothing was refused";
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "UnsupportedOperation");
    expect_parts(error, {function, "module 'inner'", "in training mode", "use evaluation mode"});
  }
  EXPECT_EQ(values_of(net), before);
}

TEST(Updates, LayersInTrainingModeAreRefused) {
  expect_unsupported(std::make_shared<nn::BatchNorm1d>(nn::BatchNorm2dOptions{.num_features = 4}),
                     sample_values({3, 4}), "batch_norm");
  expect_unsupported(std::make_shared<nn::BatchNorm2d>(nn::BatchNorm2dOptions{.num_features = 4}),
                     sample_values({3, 4, 2, 2}), "batch_norm");
  const nn::BatchNorm2dOptions cumulative = {.num_features = 4, .momentum = std::nullopt};
  expect_unsupported(std::make_shared<nn::BatchNorm1d>(cumulative), sample_values({3, 4}), "batch_norm");
  const nn::InstanceNormOptions tracked = {.num_features = 4, .track_running_stats = true};
  expect_unsupported(std::make_shared<nn::InstanceNorm1d>(tracked), sample_values({3, 4, 5}), "instance_norm");
  expect_unsupported(std::make_shared<nn::InstanceNorm2d>(tracked), sample_values({3, 4, 5, 2}), "instance_norm");
}

TEST(Updates, OfGradientsRatesAndSeedsAreRefused) {
  const auto inner = std::make_shared<Counting>([](Counting& self, const Tensor& x) { return x * self.seen; });
  Net net(inner);
  set_grad(inner->weight, Tensor::full({4}, 1));
  nn::SGD optimizer(net.parameters(), {.lr = 0.5});
  nn::StepLR schedule(optimizer, {.step_size = 1});
  const auto optimizer_state = optimizer.state_dict(), schedule_state = schedule.state_dict();
  const Generator::State generator = nn::default_generator().state();
  const std::pair<std::string_view, std::function<void()>> changes[] = {
      {"zero_grad of float32[4]", [&] { optimizer.zero_grad(); }},
      {"zero_grad of float32[4]", [&] { net.zero_grad(); }},
      {"set_grad of float32[4]", [&] { set_grad(inner->weight, {}); }},
      {"set_grad of float32[4]", [&] { nn::clip_grad_value(net.parameters(), 0.5); }},
      {"SGD", [&] { optimizer.set_learning_rate(3); }},
      {"SGD", [&] { optimizer.load_state_dict(optimizer_state); }},
      {"a schedule", [&] { schedule.step(); }},
      {"a schedule", [&] { schedule.load_state_dict(schedule_state); }},
      {"manual_seed", [&] { nn::manual_seed(5); }},
  };
  for (const auto& [what, change] : changes) {
    inner->body = [&change](Counting& self, const Tensor& x) {
      change();
      return x * self.seen;
    };
    try {
      trace_module(net, sample_values({3, 4}));
      ADD_FAILURE() << what << " was not refused";
    } catch (const TraceError& error) {
      EXPECT_EQ(error.kind(), "UnsupportedOperation");
      expect_parts(error, {what, "in module 'inner' cannot be traced: ", "outside of the trace"});
    }
    EXPECT_EQ(grad(inner->weight).to_vector<float>(), std::vector<float>(4, 1)) << what;
    EXPECT_EQ(optimizer.learning_rate(), 0.5) << what;
    EXPECT_EQ(schedule.last_epoch(), 0) << what;
    EXPECT_EQ(nn::default_generator().state(), generator) << what;
  }
}

TEST(Updates, AReplacedBufferIsRefusedAndPutBack) {
  const auto inner = std::make_shared<Counting>([](Counting& self, const Tensor& x) {
    self.seen = self.seen + 1.0;
    return x * self.seen;
  });
  Net net(inner);
  const Tensor before = inner->seen;
  EXPECT_ERROR(trace_module(net, sample_values({3, 4})), TraceError,
               "the buffer 'inner.seen', float32[4], was replaced", "export the program instead");
  EXPECT_TRUE(same(inner->seen, before));
  inner->body = [](Counting& self, const Tensor& x) -> Tensor {
    self.weight = Tensor::zeros({4});
    throw ArgumentError("the model's own");
    return x;
  };
  const Tensor weight = inner->weight;
  EXPECT_THROW(trace_module(net, sample_values({3, 4})), ArgumentError);
  EXPECT_TRUE(same(inner->weight, weight));
}

// What the model makes for itself it may write to; older tensors again once the trace has ended.
TEST(Updates, OfNewTensorsAreConstants) {
  const auto inner = std::make_shared<Counting>([](Counting& self, const Tensor& x) {
    Tensor mask = Tensor::zeros({4});
    mask.slice(0, 0, 2).fill(1);
    add_(mask, 1);
    const Tensor copy = self.seen.clone();
    mul_(copy, mask);
    return x * copy;
  });
  Net net(inner);
  const TracedModel traced = trace_module(net, sample_values({3, 4}));
  EXPECT_EQ(operators(traced.graph), "Mul");
  EXPECT_EQ(inner->seen.to_vector<float>(), std::vector<float>(4, 2));
  add_(inner->seen, 1);
  EXPECT_EQ(inner->seen.to_vector<float>(), std::vector<float>(4, 3));
}

}  // namespace
}  // namespace onemodel::test
