#include <gtest/gtest.h>

#include <cmath>

#include "core/storage.h"
#include "eager/apply.h"
#include "eager/autograd.h"
#include "eager/functions.h"
#include "format/safetensors.h"
#include "nn/adam.h"
#include "nn/checkpoint.h"
#include "nn/layers.h"
#include "nn/losses.h"
#include "nn/one_cycle.h"
#include "nn/random.h"
#include "nn/sgd.h"
#include "support/compare.h"
#include "support/exact_bits.h"

namespace onemodel::nn {
namespace {

using test::same_bits;

const Tensor kInputs = Tensor::from({0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 1.0f, 1.0f}, {4, 2});
const Tensor kXor = Tensor::from({0.0f, 1.0f, 1.0f, 0.0f}, {4, 1});

std::shared_ptr<Sequential> two_layers(double dropout = 0) {
  return std::make_shared<Sequential>(std::make_shared<Linear>(2, 8), std::make_shared<Tanh>(),
                                      std::make_shared<Dropout>(dropout), std::make_shared<Linear>(8, 1));
}

float train_step(Module& model, Optimizer& optimizer) {
  optimizer.zero_grad();
  const Tensor loss = mse_loss(model(kInputs), kXor);
  backward(loss);
  optimizer.step();
  return loss.item<float>();
}

void expect_same_state(const Module& a, const Module& b) {
  const auto state = b.state_dict();
  for (const auto& [path, tensor] : a.state_dict())
    EXPECT_TRUE(same_bits(tensor.detach(), state.at(path).detach())) << path;
}

TEST(Training, TwoLayersLearnExclusiveOrWithSgd) {
  manual_seed(1);
  const auto model = two_layers();
  SGD optimizer(model->parameters(), {.lr = 0.2, .momentum = 0.9});
  float loss = 0;
  for (int i = 0; i < 500; ++i) loss = train_step(*model, optimizer);
  EXPECT_LT(loss, 0.01f);
}

TEST(Training, ExactTrainingHasTheSameBitsEverywhere) {
  set_eager_arithmetic(Arithmetic::exact);
  manual_seed(3);
  const auto conv =
      std::make_shared<Conv2d>(1, 4, 3);  // compilers evaluate arguments, and so draw weights, in any order
  const auto fc = std::make_shared<Linear>(36, 3);
  Sequential model(conv, std::make_shared<BatchNorm2d>(4), std::make_shared<ReLU>(), std::make_shared<MaxPool2d>(2),
                   std::make_shared<Flatten>(), std::make_shared<Dropout>(0.2), fc);
  Adam optimizer(model.parameters(), {.lr = 0.01});
  const Tensor images = fan_in_uniform({6, 1, 8, 8}, 1);
  const Tensor labels = Tensor::from<int64_t>({0, 1, 2, 0, 1, 2}, {6});
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    backward(cross_entropy(model(images), labels));
    optimizer.step();
  }
  set_eager_arithmetic(Arithmetic::fast);
  std::vector<Tensor> state;
  for (const auto& [path, tensor] : model.state_dict()) state.push_back(tensor.detach());
  test::expect_exact_bits("training", state);
}

TEST(Training, TwoLayersLearnExclusiveOrWithAdam) {
  manual_seed(2);
  const auto model = two_layers();
  Adam optimizer(model->parameters(), {.lr = 0.05});
  float loss = 0;
  for (int i = 0; i < 300; ++i) loss = train_step(*model, optimizer);
  EXPECT_LT(loss, 0.01f);
}

TEST(Training, TheSameSeedGivesTheSameBits) {
  const auto run = [] {
    manual_seed(7);
    auto model = two_layers(0.25);
    SGD optimizer(model->parameters(), {.lr = 0.1, .momentum = 0.9});
    for (int i = 0; i < 20; ++i) train_step(*model, optimizer);
    return model;
  };
  expect_same_state(*run(), *run());
}

TEST(Training, MemoryStaysFlat) {
  manual_seed(1);
  const auto model = two_layers(0.1);
  Adam optimizer(model->parameters());
  for (int i = 0; i < 2; ++i) train_step(*model, optimizer);
  const MemoryCounters before = memory_counters();
  for (int i = 0; i < 1000; ++i) train_step(*model, optimizer);
  const MemoryCounters after = memory_counters();
  EXPECT_EQ(after.storages, before.storages);
  EXPECT_EQ(after.bytes, before.bytes);
}

// With dropout, a schedule, and two groups, of which the second learns at a tenth of the rate.
template <class O>
struct Run {
  explicit Run(typename O::Options options)
      : model(two_layers(0.25)),
        optimizer(groups(options)),
        schedule(optimizer, {.max_lr = {0.1, 0.01}, .total_steps = 20}) {}
  std::vector<typename O::Group> groups(typename O::Options options) const {
    const std::vector<Tensor> all = model->parameters();
    typename O::Options slow = options;
    slow.lr /= 10;
    return {{{all[0], all[1]}, options}, {{all[2], all[3]}, slow}};
  }
  void step() {
    train_step(*model, optimizer);
    schedule.step();
  }
  std::shared_ptr<Sequential> model;
  O optimizer;
  OneCycleLR schedule;
};

template <class O>
void expect_resumed_equals_uninterrupted(const typename O::Options& options) {
  manual_seed(11);
  Run<O> whole(options);
  std::vector<std::byte> saved;
  for (int i = 0; i < 20; ++i) {
    if (i == 9) saved = save_checkpoint(*whole.model, &whole.optimizer, &default_generator(), &whole.schedule);
    whole.step();
  }
  manual_seed(999);
  typename O::Options other = options;
  other.lr = 3;
  Run<O> resumed(other);
  load_checkpoint(saved, *resumed.model, &resumed.optimizer, &default_generator(), &resumed.schedule);
  for (int i = 9; i < 20; ++i) resumed.step();
  expect_same_state(*whole.model, *resumed.model);
}

TEST(Checkpoint, KeepsARateThatWasSetByHand) {
  const SGD::Options options = {.lr = 0.1, .momentum = 0.9};
  nn::Run<SGD> whole(options);
  whole.step();
  whole.optimizer.set_learning_rate(0.5);
  const std::vector<std::byte> saved =
      save_checkpoint(*whole.model, &whole.optimizer, &default_generator(), &whole.schedule);
  whole.step();
  nn::Run<SGD> resumed(options);
  load_checkpoint(saved, *resumed.model, &resumed.optimizer, &default_generator(), &resumed.schedule);
  EXPECT_EQ(resumed.optimizer.learning_rate(), 0.5);
  EXPECT_EQ(resumed.schedule.last_epoch(), 1);
  resumed.step();
  expect_same_state(*whole.model, *resumed.model);
}

TEST(Checkpoint, ResumedSgdRunEqualsUninterruptedRun) {
  expect_resumed_equals_uninterrupted<SGD>({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01, .nesterov = true});
}

TEST(Checkpoint, ResumedAdamRunEqualsUninterruptedRun) {
  expect_resumed_equals_uninterrupted<Adam>({.lr = 0.05, .weight_decay = 0.01});
}

TEST(Checkpoint, RestoresAChangedLearningRate) {
  const auto model = two_layers();
  SGD optimizer(model->parameters(), {.lr = 0.1});
  optimizer.set_learning_rate(0.025);
  SGD other(model->parameters(), {.lr = 0.1});
  load_checkpoint(save_checkpoint(*model, &optimizer), *model, &other);
  EXPECT_EQ(other.learning_rate(), 0.025);
}

TEST(Checkpoint, HoldsTheNamesOfPyTorchInSafetensors) {
  const auto model = std::make_shared<Sequential>(std::make_shared<Linear>(2, 1));
  SGD optimizer(model->parameters(), {.momentum = 0.9});
  backward((*model)(Tensor::full({1, 2}, 1)));
  optimizer.step();
  std::vector<std::string> names;
  for (const auto& [name, tensor] : read_safetensors(save_checkpoint(*model, &optimizer, &default_generator())))
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"0.bias", "0.weight", "generator", "optimizer.param_groups.0.dampening",
                                             "optimizer.param_groups.0.lr", "optimizer.param_groups.0.momentum",
                                             "optimizer.param_groups.0.nesterov", "optimizer.param_groups.0.params",
                                             "optimizer.param_groups.0.weight_decay",
                                             "optimizer.state.0.momentum_buffer", "optimizer.state.0.step",
                                             "optimizer.state.1.momentum_buffer", "optimizer.state.1.step"}));
}

TEST(Checkpoint, ChangesNothingWhenTheOptimizerIsMissing) {
  Linear saved(2, 1), other(2, 1);
  Adam optimizer(other.parameters());
  const Tensor before = other.parameters()[0].detach().clone();
  const std::vector<std::byte> bytes = save_checkpoint(saved);
  EXPECT_THROW(load_checkpoint(bytes, other, &optimizer, &default_generator()), ModelError);
  EXPECT_TRUE(same_bits(other.parameters()[0].detach(), before));
  load_checkpoint(bytes, other);
  expect_same_state(saved, other);
}

TEST(Checkpoint, ChangesNothingWhenTheScheduleIsMissing) {
  Linear model(2, 1);
  Adam optimizer(model.parameters());
  StepLR schedule(optimizer, {.step_size = 1});
  const std::vector<std::byte> bytes = save_checkpoint(model, &optimizer);
  optimizer.set_learning_rate(0.5);
  EXPECT_THROW(load_checkpoint(bytes, model, &optimizer, nullptr, &schedule), ModelError);
  EXPECT_EQ(optimizer.learning_rate(), 0.5);
}

TEST(Checkpoint, ChangesNothingWhenTheScheduleIsShorter) {
  Linear model(2, 1);
  const auto saved = [&] {
    SGD optimizer(model.parameters(), {.lr = 0.1, .momentum = 0.9});
    OneCycleLR schedule(optimizer, {.max_lr = 0.5, .total_steps = 100});
    for (int i = 0; i < 50; ++i) schedule.step();
    return save_checkpoint(model, &optimizer, &default_generator(), &schedule);
  }();
  Linear other(2, 1);
  SGD optimizer(other.parameters(), {.lr = 0.1, .momentum = 0.9});
  OneCycleLR schedule(optimizer, {.max_lr = 0.5, .total_steps = 10});
  const auto before = save_checkpoint(other, &optimizer, &default_generator(), &schedule);
  EXPECT_THROW(load_checkpoint(saved, other, &optimizer, &default_generator(), &schedule), ModelError);
  EXPECT_EQ(save_checkpoint(other, &optimizer, &default_generator(), &schedule), before);
}

TEST(Checkpoint, RefusesPathsThatWouldCollide) {
  class Wrapper : public Module {
   public:
    Wrapper() { register_module("optimizer", std::make_shared<Linear>(1, 1)); }
    std::vector<Tensor> forward(std::span<const Tensor>) override { return {}; }
    std::string describe() const override { return "Wrapper"; }
  };
  EXPECT_THROW(save_checkpoint(Wrapper()), ArgumentError);
}

TEST(Dropout, DropsTheShareAndKeepsTheMean) {
  manual_seed(5);
  Dropout layer(0.25);
  const Tensor x = Tensor::full({10000}, 3);
  set_requires_grad(x);
  const Tensor y = layer(x);
  int zeros = 0;
  for (const float value : y.to_vector<float>()) {
    zeros += value == 0;
    EXPECT_TRUE(value == 0 || value == 4.0f) << value;
  }
  EXPECT_NEAR(zeros, 2500, 150);
  backward(y, Tensor::full({10000}, 3));
  EXPECT_TRUE(same_bits(grad(x), y.detach()));
}

TEST(Dropout, IsTheIdentityInEvaluationMode) {
  Dropout layer(0.5);
  layer.eval();
  const Tensor x = Tensor::full({4}, 3);
  EXPECT_TRUE(same(layer(x), x));
  EXPECT_THROW(Dropout(1.5), ArgumentError);
}

TEST(Dropout, OfEverythingIsZero) {
  Dropout layer(1);
  EXPECT_TRUE(same_bits(layer(Tensor::full({4}, 3)), Tensor::zeros({4})));
}

}  // namespace
}  // namespace onemodel::nn
