#pragma once
// Functions as models: recorded for find_constraints, and exported with the fixes that it suggests.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "export/find_constraints.h"
#include "export/suggest.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "trace/tracer.h"

namespace onemodel::test {

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensors(const Tensors&)>;

/// Records `model`, which keeps no state; the inputs are named as in `inputs`.
inline Recorder recorder(std::vector<std::string> names, Function model) {
  return [=](std::span<const Tensor> inputs, std::span<const Shape> shapes) {
    Tracer tracer = Tracer::begin();
    Tensors traced;
    for (size_t i = 0; i < inputs.size(); ++i) traced.push_back(tracer.sized_input(names[i], inputs[i], shapes[i]));
    Recording out;
    out.outputs = model(traced);
    std::vector<std::string> results;
    for (size_t i = 0; i < out.outputs.size(); ++i) results.push_back(concat("y", i));
    out.graph = tracer.finish(out.outputs, results).graph;
    return out;
  };
}

inline std::vector<NamedArgument> arguments_of(const std::vector<std::pair<std::string, Tensor>>& inputs) {
  std::vector<NamedArgument> out;
  for (const auto& [name, tensor] : inputs) out.push_back({name, tensor});
  return out;
}

struct Exported {
  ExportSizes sizes;
  Graph graph;
};

/// What find_constraints leaves of `spec`, and the graph at those sizes with its contract.
inline Exported export_once(const std::vector<std::pair<std::string, Tensor>>& inputs, const ShapeSpec& spec,
                            const Function& model) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : inputs) names.push_back(name);
  const Recorder record = recorder(names, model);
  Exported out{find_constraints(lay_out(spec, arguments_of(inputs)), record), {}};
  out.graph = record(out.sizes.examples, out.sizes.shapes).graph;
  attach_contract(out.graph, out.sizes);
  return out;
}

/// The same, with suggested fixes applied until it succeeds; `messages` gets the refusals.
inline Exported export_refined(const std::vector<std::pair<std::string, Tensor>>& inputs, ShapeSpec& spec,
                               const Function& model, std::vector<std::string>& messages) {
  for (;;) {
    try {
      return export_once(inputs, spec, model);
    } catch (const ConstraintsError& error) {
      messages.emplace_back(error.what());
      if (messages.size() > 6) throw;
      spec = refine_dynamic_shapes(messages.back(), spec);
    }
  }
}

/// Values that differ and are valid indices of three rows or more.
inline Tensor ramp(const Dims& dims, DType dtype = DType::f32) {
  std::vector<float> values(static_cast<size_t>(numel(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) / (dtype == DType::f32 ? 4 : 3);
  return Tensor::from(std::span<const float>(values), dims).cast(dtype);
}

/// The program gives what the model gives, at those sizes of its inputs.
inline void expect_serves(const Exported& program, const Function& model,
                          std::initializer_list<std::vector<Dims>> cases) {
  Session session(program.graph);
  for (const std::vector<Dims>& dims : cases) {
    Tensors inputs;
    for (size_t i = 0; i < dims.size(); ++i) inputs.push_back(ramp(dims[i], program.sizes.examples[i].dtype()));
    const Tensors got = session.run(inputs), expected = model(inputs);
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(concat(got[i].dims()), concat(expected[i].dims()));
      const auto a = got[i].to_vector<double>(), b = expected[i].to_vector<double>();
      for (size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-5);
    }
  }
}

inline void expect_refuses(const Exported& program, std::initializer_list<std::vector<Dims>> cases) {
  Session session(program.graph);
  for (const std::vector<Dims>& dims : cases) {
    Tensors inputs;
    for (size_t i = 0; i < dims.size(); ++i) inputs.push_back(ramp(dims[i], program.sizes.examples[i].dtype()));
    EXPECT_THROW(session.run(inputs), ConstraintsError) << concat(dims[0]) << to_string(program.graph);
  }
}

}  // namespace onemodel::test
