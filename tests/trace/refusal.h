#pragma once
// Traces that are refused: what is thrown, and that everything is as it was before.

#include <gtest/gtest.h>

#include <functional>

#include "eager/functions.h"
#include "eager/record.h"
#include "nn/layers.h"
#include "ops/sample.h"
#include "support/graphs.h"
#include "trace/trace_module.h"

namespace onemodel::test {

/// What a test does with x, float32[batch, 6] (batch = 4), inside the module 'decoder'.
using Model = std::function<Tensor(const Tensor&)>;

class Decoder final : public nn::Module {
 public:
  Decoder() { add_module("drop", std::make_shared<nn::Dropout>(0.5)); }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override { return {model(inputs[0])}; }
  std::string describe() const override { return "Decoder"; }
  Model model;
};

/// Modules of which each has another mode than the one above it.
class Net final : public nn::Module {
 public:
  Net() {
    add_module("decoder", decoder);
    decoder->eval();
    decoder->named_modules().back().second->train();
  }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override { return (*decoder)(inputs); }
  std::string describe() const override { return "Net"; }
  std::vector<bool> modes() {
    std::vector<bool> out;
    for (const auto& [path, module] : named_modules()) out.push_back(module->training());
    return out;
  }
  const std::shared_ptr<Decoder> decoder = std::make_shared<Decoder>();
};

/// Hands the E that `run`, which traces in `net`, throws to `check`. Then no memory is held, the thread is as it was, every
/// mode of the net too, and it can be traced.
template <class E>
void expect_nothing_left(Net& net, const std::function<void()>& run, const std::function<void(const E&)>& check) {
  const std::vector<bool> modes = net.modes();
  EXPECT_EQ(modes, (std::vector<bool>{true, false, true}));
  const MemoryCounters before = memory_counters();
  try {
    run();
    ADD_FAILURE() << "nothing was refused";
  } catch (const E& error) {
    check(error);
  }
  EXPECT_EQ(memory_counters().storages, before.storages);
  EXPECT_EQ(memory_counters().bytes, before.bytes);
  EXPECT_EQ(net.modes(), modes);
  EXPECT_EQ(active_trace(), 0u);
  EXPECT_EQ(module_path(), "");
  EXPECT_TRUE(grad_enabled());
  net.decoder->model = [](const Tensor& x) { return neg(x); };
  EXPECT_EQ(operators(trace_module(net, sample_values({4, 6})).graph), "Neg");
}

/// The same of a net with `model` in it that is traced as a whole.
template <class E>
void expect_refusal(const Model& model, const std::function<void(const E&)>& check) {
  Net net;
  net.decoder->model = model;
  const Tensor example = sample_values({4, 6});
  const std::vector<std::string> axes = {"batch", ""};
  expect_nothing_left<E>(
      net, [&] { trace_module(net, example, axes); }, check);
}

}  // namespace onemodel::test
