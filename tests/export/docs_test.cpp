// What docs/export.md shows of C++: its code runs here, and its messages are those that come out.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "eager/functions.h"
#include "export/model_recorder.h"
#include "export/models.h"
#include "export/program_session.h"

namespace onemodel::test {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream out;
  out << file.rdbuf();
  return out.str();
}

// The blocks of `language` in the sections before that about JavaScript.
std::vector<std::string> blocks(const std::string& language) {
  std::string text = contents_of(ONEMODEL_TEST_DATA "/../../docs/export.md");
  const size_t end = text.find("\n## In JavaScript\n");
  EXPECT_NE(end, text.npos);
  text.resize(end);
  std::vector<std::string> out;
  const std::string fence = "\n```" + language + "\n";
  for (size_t at = 0; (at = text.find(fence, at)) != text.npos;) {
    at += fence.size();
    out.push_back(text.substr(at, text.find("\n```", at) - at));
  }
  return out;
}

std::string without_spaces(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

const Function kModel = [](const Tensors& in) { return Tensors{sum(in[0] + ramp({6}), {1}) + sum(in[1], {1})}; };

TEST(ExportDocs, CodeIsWhatTheseTestsRun) {
  const std::string source = without_spaces(contents_of(ONEMODEL_TEST_DATA "/../export/docs_test.cpp"));
  const std::vector<std::string> code = blocks("cpp");
  EXPECT_EQ(code.size(), 3U);
  for (const std::string& block : code) EXPECT_NE(source.find(without_spaces(block)), source.npos) << block;
}

TEST(ExportDocs, ASpecification) {
  const std::vector<NamedArgument> arguments{{"x", ramp({4, 6, 3})}, {"mask", ramp({4, 13})}};
  const Dim batch("batch", 1, 64), n("n");
  const ShapeSpec spec = ShapeSpec::by_name(
      {{"x", ShapeSpec::of({batch, n, {}})}, {"mask", ShapeSpec::axes({{0, batch}, {1, 2 * n + 1}})}});
  const std::vector<InputSizes> inputs = lay_out(spec, arguments);
  EXPECT_EQ(entry_text(inputs[1].entries[1]), "Dim '2*n + 1'");
}

TEST(ExportDocs, ARefusalAndItsFixes) {
  const std::vector<NamedArgument> arguments{{"x", ramp({4, 6})}, {"y", ramp({4, 5})}};
  const Recorder record = recorder({"x", "y"}, kModel);
  const Dim batch("batch"), n("n"), m("m");
  ShapeSpec spec = ShapeSpec::of({ShapeSpec::of({batch, n}), ShapeSpec::of({m, {}})});
  ExportSizes sizes;
  std::string message;
  try {
    find_constraints(lay_out(spec, arguments), record);
  } catch (const ConstraintsError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, blocks("text").at(0));
  try {
    sizes = find_constraints(lay_out(spec, arguments), record);
  } catch (const ConstraintsError& error) {
    spec = refine_dynamic_shapes(error.what(), spec);
  }
  EXPECT_EQ(spec, ShapeSpec::of({ShapeSpec::of({batch, 6}), ShapeSpec::of({batch, {}})}));
  sizes = find_constraints(lay_out(spec, arguments), record);
  EXPECT_EQ(concat(sizes.shapes[0]), "[batch, 6]");
}

TEST(ExportDocs, ARunThatIsRefused) {
  const Extent n = Extent::symbol("n");
  Graph graph;
  graph.name = "copy";
  const std::vector<Shape> shapes{{n, 3}, {n}, {Extent(2) * n}, {4}};
  for (size_t i = 0; i < shapes.size(); ++i)
    graph.outputs.push_back(graph.add_input(std::string(1, "xyzw"[i]), {DType::f32, shapes[i]}));
  graph.contract =
      std::make_shared<const SizeContract>(SizeContract{.ranges = {{"n", 2, 8}}, .relations = {{"2*n", "n", 2, 0}}});
  Session session(graph);
  try {
    session.run(std::vector{ramp({9, 5}), ramp({7}), ramp({13}), ramp({4, 4})});
    FAIL() << "nothing was refused";
  } catch (const ConstraintsError& error) {
    EXPECT_EQ(error.what(), blocks("text").at(1));
  }
}

TEST(ExportDocs, AProgramWithState) {
  const Tensor token = ramp({1, 4});
  Model model([](Model& self, std::span<const Tensor> inputs) -> Tensors {
    index_copy_(self["cache"], 0, Tensor::zeros({1}, DType::i64), inputs[0]);
    return {matmul(self["cache"], self.named_modules()[1].second->named_parameters()[0].tensor)};
  });
  const auto head = std::make_shared<Model>();
  head->parameter("weight", ramp({4, 2}));
  model.buffer("cache", Tensor::zeros({8, 4}), false).child("head", head);

  const std::vector<Tensor> example = {token};
  ExportedProgram program = export_program(model, example);  // an nn::Module of tensors
  ProgramSession session(program);
  const Tensor scores = session.run(example)[0];  // the key-value cache in the model's buffers has one entry more
  EXPECT_EQ(scores.dims(), Dims({8, 2}));
  EXPECT_EQ(to_string(program.signature), blocks("text").at(2) + "\n");
}

}  // namespace
}  // namespace onemodel::test
