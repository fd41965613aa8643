// Programs written to files and read again.

#include "format/file.h"
#include "export/models.h"
#include "export/program_file.h"
#include "format/write_onemodel.h"

namespace onemodel::test {
namespace {

// Everything that a program has: nested and constant arguments, all kinds of state, updates, calls, sizes.
ExportedProgram rich(double scale = 3) {
  const auto scaler = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
    add_(self["seen"], 1);
    return {inputs[0] * self["weight"] + self["cache"]};
  });
  scaler->parameter("weight", counting({2})).buffer("seen", Tensor::zeros({1})).buffer("cache", counting({2}), false);
  Exportable model = exportable([scaler, scale](std::span<const Argument> arguments) {
    const CallLog::Scope call(*call_log(), "scaler", {});
    const Tensor& x = std::get<Tensor>(arguments[0].value);
    add_(std::get<Tensor>(arguments[1].children[0].value), 1);
    const Tensor y = scaler->forward(std::vector{x * scale})[0];
    call_log()->finish(std::vector{y});
    return Argument::dict({{"y", y}, {"rest", Argument::list({Argument(std::string("text")), Argument(true)})}});
  });
  model.name = "rich";
  model.state = scaler->named_tensors();
  model.state.push_back({"unused", counting({3}), ConstantKind::plain});
  const Argument nested = Argument::dict({{"total", counting({1})}, {"none", Argument()}, {"n", Argument(int64_t{4})}});
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::by_name({{"x", ShapeSpec::axes({{0, Dim("batch", 2, 64)}})}});
  ExportedProgram program =
      export_program(model, std::vector<NamedArgument>{{"x", counting({5, 2})}, {"nested", nested}}, options);
  program.calls[1].input_form = form_of(Argument::list({Argument::dict({{"rate", Argument(0.5)}})}));
  return program;
}

void expect_same(const ExportedProgram& a, const ExportedProgram& b, bool with_examples) {
  EXPECT_EQ(to_string(a), to_string(b));
  EXPECT_EQ(a.signature, b.signature);
  EXPECT_EQ(a.calls, b.calls);
  EXPECT_EQ(a.trainable, b.trainable);
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_TRUE(a.graph.contract && b.graph.contract);
  EXPECT_EQ(*a.graph.contract, *b.graph.contract);
  EXPECT_EQ(encode_record(a, false), encode_record(b, false));
  const auto left = a.state->tensors(), right = b.state->tensors();
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) EXPECT_TRUE(same_bits(left[i], right[i]));
  ASSERT_EQ(b.example_inputs.size(), with_examples ? a.example_inputs.size() : 0u);
  for (size_t i = 0; i < b.example_inputs.size(); ++i) EXPECT_TRUE(same_bits(a.example_inputs[i], b.example_inputs[i]));
}

TEST(ProgramFile, WhatIsSavedIsWhatIsLoaded) {
  ExportedProgram program = rich();
  program.trainable = true;
  program.warnings = {"one", "two"};
  program.graph.metadata = {{"author", "a test"}};
  for (const bool with_examples : {false, true}) {
    const auto file = write_programs({{"main", program}}, {.examples = with_examples});
    auto loaded = read_programs(file);
    ASSERT_EQ(loaded.size(), 1u);
    expect_same(program, loaded.at("main"), with_examples);
    EXPECT_EQ(loaded.at("main").graph.metadata, program.graph.metadata);
    EXPECT_EQ(write_programs(loaded, {.examples = with_examples}), file);
  }
}

TEST(ProgramFile, ALoadedProgramRuns) {
  ExportedProgram program = rich();
  ExportedProgram loaded = read_programs(write_programs({{"main", program}})).at("main");
  const auto run = [](ExportedProgram& each, int64_t batch) {
    const Argument nested =
        Argument::dict({{"total", counting({1})}, {"none", Argument()}, {"n", Argument(int64_t{4})}});
    const Argument result = each.call(std::vector<Argument>{counting({batch, 2}), nested});
    EXPECT_EQ(std::get<Tensor>(nested.children[0].value).item<double>(), 2);
    EXPECT_EQ(std::get<std::string>(result.children[1].children[0].value), "text");
    return std::get<Tensor>(result.children[0].value);
  };
  for (const int64_t batch : {2, 64}) EXPECT_TRUE(same_bits(run(program, batch), run(loaded, batch)));
  EXPECT_EQ(loaded.state_dict().at("seen").item<double>(), 2);
  EXPECT_ERROR(run(loaded, 65), ConstraintsError, "batch", "[2, 64]", "65");
  EXPECT_ERROR(run(loaded, 1), ConstraintsError, "batch", "[2, 64]");
  ProgramSession session(loaded);
  const std::vector<Tensor> wide = {counting({65, 2}), counting({1})};
  EXPECT_ERROR(session.run(wide), ConstraintsError, "batch", "65");
  EXPECT_EQ(session.state_dict().at("seen").item<double>(), 2) << "the state it was loaded with and ran to";
}

TEST(ProgramFile, ProgramsShareAFileAndItsWeights) {
  const Tensor weight = counting({64, 64});
  Model model([](Model& self, Inputs inputs) -> Outputs { return {matmul(inputs[0], self["weight"])}; });
  model.parameter("weight", weight);
  const ExportedProgram one = exported(model, {counting({1, 64})}), many = exported(model, {counting({8, 64})});
  const auto both = write_programs({{"decode", one}, {"prefill", many}}), single = write_programs({{"decode", one}});
  EXPECT_LT(both.size(), single.size() + 4096) << "the weight of 16 KiB is there once";
  auto loaded = read_programs(both);
  EXPECT_EQ(loaded.at("decode").state->tensor(0).memory(), loaded.at("prefill").state->tensor(0).memory());
  expect_same(one, loaded.at("decode"), false);
  expect_same(many, loaded.at("prefill"), false);
  EXPECT_ERROR(write_programs({}), ArgumentError, "no programs");

  const std::string path = testing::TempDir() + "/programs.onemodel";
  save_programs(path, loaded);
  EXPECT_EQ(load_programs(path).size(), 2u);
  EXPECT_ERROR(load_program(path), ModelError, "several programs: 'decode', 'prefill'");
  save_program(path, one);
  expect_same(one, load_program(path), false);
  Session plain = Session::load(path);
  EXPECT_EQ(plain.run(std::vector{counting({1, 64})})[0].dims(), (Dims{1, 64}));
}

TEST(ProgramFile, AGraphIsNoProgram) {
  Graph graph;
  graph.outputs.push_back(graph.add_input("x", {DType::f32, {Extent(2)}}));
  try {
    read_programs(write_onemodel(graph));
    FAIL() << "a graph was read as programs";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.kind(), "NoProgram");
  }
  EXPECT_ERROR(read_programs(std::vector<std::byte>(10)), ModelError, "");
}

// Every byte of the record is changed and every length is cut: a program that is sound, or ModelError.
TEST(ProgramFile, RecordsAreTakenToBeHostile) {
  const std::vector<StoredGraph> sound = stored_programs({{"main", rich()}}, {.examples = true});
  const auto read = [&](std::vector<std::byte> record) {
    std::vector<StoredGraph> graphs = sound;
    graphs.front().record = std::move(record);
    try {
      for (const auto& [name, program] : programs_of(std::move(graphs))) program.validate();
      return true;
    } catch (const ModelError&) {
      return false;
    }
  };
  const std::vector<std::byte>& record = sound.front().record;
  EXPECT_TRUE(read(record));
  size_t refused = 0;
  for (size_t i = 0; i < record.size(); ++i) {
    for (const int value : {0x00, 0x01, 0x7f, 0xff}) {
      std::vector<std::byte> changed = record;
      changed[i] = static_cast<std::byte>(value);
      refused += !read(std::move(changed));
    }
  }
  EXPECT_GT(refused, record.size());
  for (size_t size = 1; size < record.size(); ++size)
    EXPECT_FALSE(read({record.begin(), record.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  std::vector<std::byte> longer = record;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(read(longer));
}

// Of an input an older record has neither whether it is frozen nor other paths.
TEST(ProgramFile, RecordsOfTheVersionBeforeAreRead) {
  Model model([](Model&, std::span<const Tensor> inputs) -> std::vector<Tensor> { return {inputs[0] * 2}; });
  std::vector<StoredGraph> graphs = stored_programs({{"main", exported(model, {counting({2})})}});
  std::vector<std::byte>& record = graphs.front().record;
  ASSERT_EQ(record[0], std::byte{3});
  record[0] = std::byte{2};
  EXPECT_THROW(programs_of(graphs), ModelError);
  // version, flag, count, kind, length and text "input", empty target, persistent: then 5 bytes more in a new record
  const auto at = record.begin() + 4 + 1 + 4 + 1 + 4 + 5 + 4 + 1;
  record.erase(at, at + 5);
  ExportedProgram program = programs_of(graphs).at("main");
  EXPECT_EQ(program.call_flat(std::vector{counting({2})})[0].to_vector<float>(), (std::vector<float>{2, 4}));
  record[0] = std::byte{4};
  EXPECT_ERROR(programs_of(graphs), ModelError, "has version 4", "reads 2 and 3");
}

TEST(ProgramFile, RecordsFitTheirGraphs) {
  std::vector<StoredGraph> graphs = stored_programs({{"main", rich()}});
  ExportedProgram other = decode_record(graphs.front().record);
  other.signature.inputs[0].name = "p_nowhere";
  graphs.front().record = encode_record(other, false);
  EXPECT_ERROR(programs_of(graphs), ModelError, "program 'main'", "no constant stands for the state 'p_nowhere'");
}

}  // namespace
}  // namespace onemodel::test
