// Draft exports: every kind of failure, really produced.

#include "export/draft.h"
#include "export/models.h"
#include "nn/random.h"

namespace onemodel::test {
namespace {

// A model with a buffer, whose child 'part' does what a test says.
struct Drafted {
  explicit Drafted(Model::Forward run) : part(std::make_shared<Model>(std::move(run))) {
    part->buffer("total", Tensor::zeros({3}));
    model.child("part", part);
  }
  DraftReport report() {
    const Snapshot before(model);
    ExportOptions options;
    options.dynamic_shapes = sizes;
    options.strict = strict;
    DraftReport out = draft_export(exportable(model), arguments, options);
    for (size_t i = 0; i < before.tensors.size(); ++i)
      EXPECT_TRUE(same_bits(before.tensors[i].detach(), before.values[i]));
    EXPECT_EQ(before.modes, Snapshot(model).modes);
    EXPECT_EQ(active_trace(), 0u);
    return out;
  }
  ShapeSpec sizes = {};
  bool strict = false;
  std::shared_ptr<Model> part;
  Model model{[this](Model&, Inputs inputs) -> Outputs { return (*part)(inputs); }};
  std::vector<NamedArgument> arguments = {{"x", counting({5, 3})}};
};

void expect_failure(const DraftReport& report, std::string_view kind, std::string_view path, std::string_view part) {
  ASSERT_EQ(report.failures.size(), 1u) << to_string(report);
  EXPECT_EQ(report.failures[0].kind, kind);
  EXPECT_EQ(report.failures[0].module_path, path);
  EXPECT_NE(report.failures[0].message.find(part), std::string::npos) << report.failures[0].message;
  EXPECT_FALSE(report.success());
  const std::string text = to_string(report);
  EXPECT_NE(text.find(concat("1. ", kind)), std::string::npos) << text;
  try {
    report.raise_on_failure();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), kind);
  }
}

TEST(DraftExport, AModelWithoutFaults) {
  Drafted draft([](Model& self, Inputs inputs) -> Outputs {
    add_(self["total"], sum(inputs[0], {0}));
    return {inputs[0] * self["total"]};
  });
  const DraftReport report = draft.report();
  EXPECT_TRUE(report.success()) << to_string(report);
  EXPECT_NO_THROW(report.raise_on_failure());
  ASSERT_TRUE(report.program);
  EXPECT_EQ(report.program->state_dict().at("part.total").to_vector<float>(), std::vector<float>(3, 0));
  EXPECT_FALSE(report.suggested_dynamic_shapes);
}

TEST(DraftExport, ModesAreAsTheyWere) {
  Drafted draft([](Model& self, Inputs inputs) -> Outputs {
    self.eval();
    return {inputs[0] * 2};
  });
  EXPECT_TRUE(draft.report().success());
}

TEST(DraftExport, DataDependent) {
  Drafted draft([](Model&, Inputs inputs) -> Outputs {
    return {sum(inputs[0]).item<double>() > 0 ? inputs[0] : neg(inputs[0])};
  });
  expect_failure(draft.report(), "DataDependent", "part", "item");
}

TEST(DraftExport, MissingKernel) {
  Drafted draft(
      [](Model&, Inputs inputs) -> Outputs { return {dropout(inputs[0], 0.5, true, nn::default_generator())}; });
  expect_failure(draft.report(), "MissingKernel", "part", "dropout");
}

TEST(DraftExport, Mismatched) {
  // A number that the host language counts is frozen in the program.
  int runs = 0;
  Drafted draft([&](Model&, Inputs inputs) -> Outputs { return {inputs[0] * ++runs}; });
  const DraftReport report = draft.report();
  expect_failure(report, "Mismatched", "part",
                 "output 'output' differs: element 0 is 1 in the program, 2 in the model");
  EXPECT_TRUE(report.program);
}

TEST(DraftExport, WhatChangesFromRunToRun) {
  // Each capture sees the first run.
  int runs = 0;
  bool is_kept = false;
  Exportable model = exportable([&](std::span<const Argument> arguments) {
    if (!is_kept) runs = 0;
    return Argument(std::get<Tensor>(arguments[0].value) * ++runs);
  });
  model.keep_between_runs = [&] {
    is_kept = true;
    runs = 0;
    return std::shared_ptr<void>(nullptr, [&](void*) { is_kept = false; });
  };
  const DraftReport report = draft_export(model, std::vector<NamedArgument>{{"x", counting({2})}});
  expect_failure(report, "Mismatched", "", "element 0 is 1 in the program, 2 in the model; in a first run both");
  EXPECT_FALSE(is_kept);
}

TEST(DraftExport, MismatchedState) {
  int runs = 0;
  Drafted draft([&](Model& self, Inputs inputs) -> Outputs {
    add_(self["total"], ++runs);
    return {inputs[0]};
  });
  expect_failure(draft.report(), "Mismatched", "part", "state 'part.total' differs");
}

TEST(DraftExport, UnsupportedMutationUsageAndTheModelsOwn) {
  Drafted mutation([](Model&, Inputs inputs) -> Outputs { return {add_(inputs[0], 1)}; });
  expect_failure(mutation.report(), "UnsupportedMutation", "part", "the input 'x'");
  Drafted usage([](Model&, Inputs) -> Outputs { return {counting({2})}; });
  expect_failure(usage.report(), "UnsupportedUsage", "", "depends on no input");
  Drafted own([](Model&, Inputs) -> Outputs { throw std::runtime_error("out of ideas"); });
  expect_failure(own.report(), "ModelError", "part", "out of ideas");
}

TEST(DraftExport, GuardAddedAndItsFix) {
  // The batch is fixed by a table of five rows.
  Drafted draft([](Model&, Inputs inputs) -> Outputs { return {inputs[0] + counting({5, 1})}; });
  draft.sizes = ShapeSpec::by_name({{"x", ShapeSpec::axes({{0, Dim("batch")}})}});
  const DraftReport report = draft.report();
  ASSERT_FALSE(report.success());
  EXPECT_EQ(report.failures[0].kind, "GuardAdded");
  EXPECT_NE(report.failures[0].message.find("batch"), std::string::npos) << report.failures[0].message;
  ASSERT_TRUE(report.suggested_dynamic_shapes) << to_string(report);
  EXPECT_TRUE(report.program);
  EXPECT_NE(to_string(report).find("apply the suggested fixes"), std::string::npos);
  const ExportedProgram fixed = apply_suggested_fixes(report, exportable(draft.model), draft.arguments);
  EXPECT_EQ(concat(fixed.graph.value(fixed.graph.find_value("x")).type), "float32[5, 3]");
}

TEST(DraftExport, UnsupportedShapeWhereNoSizeMayBeMistaken) {
  Drafted draft([](Model& self, Inputs inputs) -> Outputs {
    return {inputs[0] * 2, matmul(counting({5, 3}), self["total"])};  // five rows, as the example's batch
  });
  draft.sizes = ShapeSpec::by_name({{"x", ShapeSpec::axes({{0, Dim("batch")}})}});
  EXPECT_TRUE(draft.report().success());
  draft.strict = true;
  expect_failure(draft.report(), "UnsupportedShape", "part", "symbol 'batch' has example size 5");
}

TEST(DraftExport, TheCallersMistakesAreThrown) {
  Drafted draft([](Model&, Inputs inputs) -> Outputs { return {inputs[0]}; });
  draft.sizes = ShapeSpec::by_name({{"y", ShapeSpec::axes({{0, Dim("batch")}})}});
  EXPECT_ERROR(draft.report(), ArgumentError, "y");
  EXPECT_ERROR(apply_suggested_fixes({}, exportable(draft.model), draft.arguments), ArgumentError,
               "suggests no other sizes");
}

}  // namespace
}  // namespace onemodel::test
