#pragma once
// Small models with state, exported in tests.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "eager/apply.h"
#include "eager/autograd.h"
#include "eager/functional_trace.h"
#include "eager/functions.h"
#include "eager/in_place.h"
#include "eager/record.h"
#include "export/decompositions.h"
#include "export/export_program.h"
#include "export/program_session.h"
#include "export/unflatten.h"
#include "nn/layers.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {

using Inputs = std::span<const Tensor>;
using Outputs = std::vector<Tensor>;

/// 1, 2, 3, …
inline Tensor counting(const Dims& dims) {
  std::vector<float> values(static_cast<size_t>(numel(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return Tensor::from(std::span<const float>(values), dims);
}

/// A module whose forward is given: parameters, buffers and children by name.
class Model : public nn::Module {
 public:
  using Forward = std::function<Outputs(Model&, Inputs)>;
  explicit Model(Forward forward = {}) : run(std::move(forward)) {}
  Model& parameter(const std::string& name, const Tensor& tensor) { return register_parameter(name, tensor), *this; }
  Model& buffer(const std::string& name, const Tensor& tensor, bool persistent = true) {
    return register_buffer(name, tensor, persistent), *this;
  }
  Model& child(const std::string& name, std::shared_ptr<nn::Module> module) {
    return add_module(name, std::move(module)), *this;
  }
  const Tensor& operator[](std::string_view name) const { return tensor(name); }
  Outputs forward(Inputs inputs) override { return run(*this, inputs); }
  std::string describe() const override { return "Model"; }
  Forward run;
};

/// Counts its calls in a buffer and scales by it: reads before and after the update.
inline std::shared_ptr<Model> counter() {
  auto model = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
    const Tensor before = inputs[0] * self["count"];
    add_(self["count"], 1);
    return {before + inputs[0] * self["count"] * 10};
  });
  model->buffer("count", Tensor::zeros({1}));
  return model;
}

/// Everything of a module that an export must leave alone.
struct Snapshot {
  explicit Snapshot(nn::Module& module) {
    for (const nn::NamedTensor& named : module.named_tensors()) {
      values.push_back(named.tensor.detach().clone());
      extensions.push_back(named.tensor.extension());
      versions.push_back(named.tensor.memory()->version());
      tensors.push_back(named.tensor);
    }
    for (const auto& [path, each] : module.named_modules()) modes.push_back(each->training());
  }
  void expect_unchanged(nn::Module& module) const {
    for (size_t i = 0; i < tensors.size(); ++i) {
      EXPECT_TRUE(same_bits(tensors[i].detach(), values[i]));
      EXPECT_EQ(tensors[i].extension(), extensions[i]);
      EXPECT_EQ(tensors[i].memory()->version(), versions[i]);
    }
    std::vector<bool> now;
    for (const auto& [path, each] : module.named_modules()) now.push_back(each->training());
    EXPECT_EQ(now, modes);
    EXPECT_EQ(active_trace(), 0u);
    EXPECT_FALSE(functional_trace());
    EXPECT_EQ(call_log(), nullptr);
    EXPECT_EQ(module_path(), "");
  }
  std::vector<Tensor> tensors, values;
  std::vector<const TensorExtension*> extensions;
  std::vector<uint64_t> versions;
  std::vector<bool> modes;
};

/// Exports `module`, and the module is as before.
inline ExportedProgram exported(nn::Module& module, const std::vector<Tensor>& inputs,
                                const ExportOptions& options = {}) {
  const Snapshot before(module);
  ExportedProgram program = export_program(module, inputs, options);
  before.expect_unchanged(module);
  return program;
}

/// Eager exact arithmetic while it lives.
class Exact {
 public:
  Exact() : before_(eager_arithmetic()) { set_eager_arithmetic(Arithmetic::exact); }
  ~Exact() { set_eager_arithmetic(before_); }

 private:
  Arithmetic before_;
};

/// Runs the program, with simpler operators too, a session of it, its modules and the model on the same inputs, one after the
/// other: equal bits, and equal state after each.
inline void expect_follows(nn::Module& module, const ExportedProgram& exported_program,
                           const std::vector<std::vector<Tensor>>& runs) {
  const Exact exact;
  ExportedProgram program = exported_program, retraced = run_decompositions(exported_program, {});
  program.state = program.state->copy();
  ProgramSession session(exported_program, {.session = {.arithmetic = Arithmetic::exact}});
  const auto flat = program_module(exported_program), tree = unflatten(exported_program);
  using Given = const std::vector<Tensor>&;
  struct Follower {
    const char* name;
    std::function<std::vector<Tensor>(Given)> run;
    std::function<std::map<std::string, Tensor>()> state;
  };
  const std::vector<Follower> followers = {
      {"program", [&](Given x) { return program.call_flat(x); }, [&] { return program.state_dict(); }},
      {"retraced", [&](Given x) { return retraced.call_flat(x); }, [&] { return retraced.state_dict(); }},
      {"session", [&](Given x) { return session.run(x); }, [&] { return session.state_dict(); }},
      {"module", [&](Given x) { return flat->forward(x); }, [&] { return flat->state_dict(); }},
      {"tree", [&](Given x) { return tree->forward(x); }, [&] { return tree->state_dict(); }}};
  for (const std::vector<Tensor>& inputs : runs) {
    const std::vector<Tensor> expected = module.forward(inputs);
    const auto state = module.state_dict();
    for (const Follower& follower : followers) {
      const std::vector<Tensor> got = follower.run(inputs);
      ASSERT_EQ(got.size(), expected.size()) << follower.name;
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(same_bits(got[i].detach(), expected[i].detach())) << follower.name << ", output " << i;
      const auto own = follower.state();
      ASSERT_EQ(state.size(), own.size());
      for (const auto& [path, tensor] : state)
        EXPECT_TRUE(same_bits(own.at(path).detach(), tensor.detach())) << follower.name << ": " << path;
    }
  }
}

}  // namespace onemodel::test
