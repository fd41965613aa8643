// What files may look like, and every refusal with its message.

#include "onnx/read_onnx.h"

#include <gtest/gtest.h>

#include "onnx/model_file.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const std::string kPrefix = "the ONNX model 'by_hand' cannot be read: ";

ModelFile relu() {
  ModelFile file;
  file.input("x", {"n", "2"}).node("Relu", {"x"}, {"y"}, {}, "r").output("y");
  return file;
}

TEST(ReadOnnx, SortsNodes) {
  ModelFile file;
  file.input("x", {"2"});
  file.node("Tanh", {"b"}, {"c"}).node("Relu", {"x"}, {"a"}).node("Sigmoid", {"a"}, {"b"}).output("c");
  EXPECT_EQ(operators(file.read()), "Relu Sigmoid Tanh");
}

TEST(ReadOnnx, KeepsTheFilesOrderWhereItIsOne) {
  ModelFile file;
  file.input("x", {"2"});
  file.node("Tanh", {"x"}, {"a"}).node("Relu", {"x"}, {"b"}).node("Add", {"b", "a"}, {"y"}).output("y");
  EXPECT_EQ(operators(file.read()), "Tanh Relu Add");
}

TEST(ReadOnnx, TakesInitializersListedAsInputsAsConstants) {
  ModelFile file(8, 3);
  file.input("x", {"2"}).input("w", {"2"}).constant("w", Tensor::full({2}, 3));
  file.node("Mul", {"x", "w"}, {"y"}).output("y");
  const Graph graph = file.read();
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_TRUE(graph.value(graph.find_value("w")).is_constant());
}

TEST(ReadOnnx, ReadsAbsentOperandsAndOutputs) {
  ModelFile file;
  file.input("x", {"2"}).constant("max", Tensor::scalar(1.0f));
  file.node("Clip", {"x", "", "max"}, {"a"}).node("Dropout", {"a", "", ""}, {"y", ""}).output("y");
  const Graph graph = file.read();
  EXPECT_EQ(graph.nodes[0].inputs[1], kNone);
  EXPECT_EQ(graph.nodes[1].inputs.size(), 1u);
  EXPECT_EQ(graph.nodes[1].outputs.size(), 1u);
}

TEST(ReadOnnx, MakesMissingAndRepeatedNodeNamesUnique) {
  ModelFile file;
  file.input("x", {"2"});
  file.node("Relu", {"x"}, {"a"}).node("Relu", {"a"}, {"b"}, {}, "same").node("Relu", {"b"}, {"y"}, {}, "same");
  const Graph graph = file.output("y").read();
  EXPECT_EQ(graph.nodes[0].name, "Relu_0");
  EXPECT_EQ(graph.nodes[1].name, "same");
  EXPECT_EQ(graph.nodes[2].name, "same_1");
}

TEST(ReadOnnx, MadeUpNamesAvoidThoseOfTheFile) {
  ModelFile file(11);
  file.input("x", {"1", "2"}).input("n_axes", {"2"});
  file.node("Squeeze", {"x"}, {"s"}, {{"axes", std::vector<int64_t>{0}}}, "n")
      .node("Add", {"s", "n_axes"}, {"n_axes_1"});
  const Graph graph = file.output("n_axes_1").read();
  EXPECT_EQ(graph.inputs.size(), 2u);
  EXPECT_NE(graph.find_value("n_axes_2"), kNone);
}

TEST(ReadOnnx, ReadsSizes) {
  ModelFile file = relu();
  file.graph().clear_input();
  file.input("x", {"batch", "?", "-1", "2*batch", "7"});
  const Graph graph = file.read();
  EXPECT_EQ(concat(graph.value(graph.inputs[0]).type), "float32[batch, x_dim_1, x_dim_2, 2*batch, 7]");
}

TEST(ReadOnnx, SharpensTypesByWhatTheFileTells) {
  ModelFile file;
  file.input("x", {"n"}).input("shape", {"2"}, DType::i64);
  file.node("Reshape", {"x", "shape"}, {"y"}).output("y", {"rows", "4"}, DType::f32);
  const Graph graph = file.read();
  EXPECT_EQ(concat(graph.value(graph.outputs[0]).type), "float32[rows, 4]");
}

TEST(ReadOnnx, FollowsSizesThroughNegation) {
  ModelFile file;
  file.constant("minus_two", Tensor::from_ints(std::vector<int64_t>{-2})).node("Neg", {"minus_two"}, {"two"});
  file.node("ConstantOfShape", {"two"}, {"shape"}, {{"value", Tensor::from<int64_t>({1}, {1})}});
  file.input("x", {"1"}).node("Reshape", {"x", "shape"}, {"y"}).output("y");
  const Graph graph = file.read();
  EXPECT_EQ(concat(graph.value(graph.outputs[0]).type), "float32[1, 1]");
}

TEST(ReadOnnx, IgnoresDomainsThatNoNodeUses) {
  ModelFile file = relu();
  auto& import = *file.model.add_opset_import();
  import.set_domain("com.microsoft");
  import.set_version(1);
  EXPECT_EQ(file.error(), "");
}

TEST(ReadOnnx, TakesTheLongNameOfTheStandardDomain) {
  ModelFile file = relu();
  file.model.mutable_opset_import(0)->set_domain("ai.onnx");
  file.last_node().set_domain("ai.onnx");
  EXPECT_EQ(file.error(), "");
}

TEST(ReadOnnx, ReadsEveryVersionInItsRange) {
  for (int64_t opset = kOldestOnnxOpset; opset <= kNewestOnnxOpset; ++opset) {
    ModelFile file(opset);
    file.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
    EXPECT_EQ(file.error(), "") << opset;
  }
  for (int64_t ir = kOldestOnnxIr; ir <= kNewestOnnxIr; ++ir) {
    ModelFile file(20, ir);
    file.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
    EXPECT_EQ(file.error(), "") << ir;
  }
}

TEST(ReadOnnx, RefusesOtherVersions) {
  const auto with = [](int64_t opset, int64_t ir_version) {
    ModelFile file(opset, ir_version);
    return file.input("x", {"2"}).node("Relu", {"x"}, {"y"}, {}, "r").output("y");
  };
  EXPECT_EQ(with(26, 9).error(), "Unsupported: " + kPrefix + "opset 26 of ai.onnx is not supported (1 to 25 are)");
  EXPECT_EQ(with(20, 14).error(), "Unsupported: " + kPrefix + "IR version 14 is not supported (3 to 13 are)");
  ModelFile none = with(20, 9);
  none.model.clear_opset_import();
  EXPECT_EQ(none.error(), "Malformed: " + kPrefix + "the model names no opset");
}

TEST(ReadOnnx, TellsAllProblemsTogether) {
  ModelFile file(17);
  file.input("x", {"2"});
  file.node("Foo", {"x"}, {"a"}, {}, "first");
  file.node("FusedConv", {"a"}, {"b"}, {}, "second").last_node().set_domain("com.microsoft");
  file.node("Relu", {"missing"}, {"c"}, {}, "third");
  file.node("Relu", {"x"}, {"d"}, {{"slope", 0.5}}, "fourth");
  file.add_initializer("w", {2}, 14);
  file.output("d").output("nowhere");
  EXPECT_EQ(
      file.error(),
      "Malformed: " + kPrefix +
          "6 problems\n"
          "  initializer 'w': element type 14 (complex64) is not supported: no operator here computes with complex "
          "numbers\n"
          "  node 'third' (Relu, ai.onnx opset 17): input 'missing' is made by no node\n"
          "  node 'first' (Foo, ai.onnx opset 17): unknown operator\n"
          "  node 'second' (FusedConv, com.microsoft, no opset imported): the domain is not supported\n"
          "  node 'fourth' (Relu, ai.onnx opset 17): attribute 'slope' is not supported\n"
          "  graph output 'nowhere' is made by no node");
}

// Each kind of problem that once hid the rest, together with one of a node. What follows from a problem is none.
TEST(ReadOnnx, NoProblemHidesAnother) {
  const std::string foo = "node 'foo' (Foo, ai.onnx opset 17): unknown operator";
  const auto problems = [&](const char* what, auto&& spoil, std::initializer_list<std::string> expected) {
    ModelFile file(17);
    file.input("x", {"2"}).node("Foo", {"x"}, {"a"}, {}, "foo");
    file.node("Softmax", {"a"}, {"b"}, {{"axis", int64_t{0}}}, "after").output("b");
    spoil(file);
    std::string text = concat("the ONNX model 'by_hand' cannot be read: ", expected.size(), " problems");
    for (const std::string& line : expected) text += "\n  " + line;
    const std::string error = file.error();
    EXPECT_EQ(error.substr(error.find(": ") + 2), text) << what;
  };
  const auto external = [](ModelFile& file, const std::string& length) {
    auto& w = file.add_initializer("w", {2}, onnx::TensorProto::FLOAT);
    w.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair<std::string, std::string>{"location", "w.bin"}, {"length", length}}) {
      auto& entry = *w.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    }
    file.node("Softmax", {"w"}, {"c"}, {{"axis", 1.5}}, "fed").output("c");
  };
  const std::string fed = "node 'fed' (Softmax, ai.onnx opset 17): Softmax: 'axis' expects an integer, got 1.5";
  problems("missing weights", [&](ModelFile& file) { external(file, "8"); },
           {"initializer 'w': the values are in the file 'w.bin' (external data), which is not at hand", foo, fed});
  problems("weights of a wrong length", [&](ModelFile& file) { external(file, "9"); },
           {"initializer 'w': external data: 9 bytes of 'w.bin' do not fit the 8 of the tensor", foo, fed});
  problems("a call that does not fit",
           [&](ModelFile& file) {
             auto& function = *file.model.add_functions();
             function.set_name("F");
             function.set_domain("mine");
             function.add_output("r");
             file.node("F", {"x"}, {"y"}, {}, "call").last_node().set_domain("mine");
             file.node("Relu", {"y"}, {"z"}).output("z");
           },
           {"node 'call' (F): function 'F' has 0 inputs, got 1", foo});
  problems(
      "an unsupported opset", [](ModelFile& file) { file.model.mutable_opset_import(0)->set_version(26); },
      {"opset 26 of ai.onnx is not supported (1 to 25 are)", "node 'foo' (Foo, ai.onnx opset 26): unknown operator"});
  problems("no opset", [](ModelFile& file) { file.model.clear_opset_import(); },
           {"the model names no opset", "node 'foo' (Foo, ai.onnx opset 25): unknown operator"});
  problems(
      "an initializer that is unsupported",
      [](ModelFile& file) {
        file.add_initializer("c", {2}, onnx::TensorProto::COMPLEX64);
        file.node("Resize", {"x", "", "c"}, {"r"}, {}, "r").output("r");
      },
      {"initializer 'c': element type 14 (complex64) is not supported: no operator here computes with complex numbers",
       foo});
}

TEST(ReadOnnx, TellsAllTypesThatContradictTheirDeclarations) {
  ModelFile file(17);
  file.input("x", {"2"}).node("Relu", {"x"}, {"a"}, {}, "one").node("Tanh", {"x"}, {"b"}, {}, "two");
  file.output("a", {"3"}, DType::f32).output("b", {"2"}, DType::f64);
  EXPECT_EQ(file.error(), "Malformed: " + kPrefix +
                              "2 problems\n"
                              "  node 'one' (Relu): output 'a' is declared float32[3] but computes "
                              "float32[2]\n"
                              "  node 'two' (Tanh): output 'b' is declared float64[2] but computes "
                              "float32[2]");
}

TEST(ReadOnnx, IsUnsupportedWhenNothingIsMalformed) {
  ModelFile file(17);
  file.input("x", {"2"}).node("Foo", {"x"}, {"y"}, {}, "first").output("y");
  EXPECT_EQ(file.error(), "Unsupported: " + kPrefix + "node 'first' (Foo, ai.onnx opset 17): unknown operator");
}

TEST(ReadOnnx, ShowsTheFirstHundredProblems) {
  ModelFile file;
  file.input("x", {"2"}).output("x");
  for (int i = 0; i < 150; ++i) file.node("Foo", {"x"}, {concat("y", i)});
  EXPECT_NE(file.error().find(": 150 problems"), std::string::npos);
  EXPECT_NE(file.error().find("and 50 more"), std::string::npos);
}

TEST(ReadOnnx, RefusesInternalOperators) {
  ModelFile file;
  file.input("x", {"2"}).node("SliceGradient", {"x"}, {"y"}).output("y");
  EXPECT_NE(file.error().find("unknown operator"), std::string::npos);
}

TEST(ReadOnnx, RefusesCyclesNamingTheirNodes) {
  ModelFile file;
  file.input("x", {"2"});
  file.node("Add", {"x", "c"}, {"a"}, {}, "one")
      .node("Relu", {"a"}, {"b"}, {}, "two")
      .node("Tanh", {"b"}, {"c"}, {}, "three");
  file.node("Relu", {"c"}, {"y"}, {}, "after").output("y");
  EXPECT_EQ(file.error(), "Malformed: " + kPrefix +
                              "node 'one' (Add, ai.onnx opset 20): the graph has a cycle: node 'one' (Add) <- node "
                              "'three' (Tanh) <- node 'two' (Relu)");
  ModelFile itself;
  itself.node("Relu", {"y"}, {"y"}, {}, "r").output("y");
  EXPECT_EQ(itself.error(),
            "Malformed: " + kPrefix + "node 'r' (Relu, ai.onnx opset 20): the graph has a cycle: node 'r' (Relu)");
}

TEST(ReadOnnx, RefusesAttributesOfAWrongKind) {
  ModelFile kind = relu(), missing, twice = relu();
  kind.graph().clear_node();
  kind.node("Softmax", {"x"}, {"y"}, {{"axis", 1.5}}, "s");
  EXPECT_NE(kind.error().find("'axis' expects an integer, got 1.5"), std::string::npos) << kind.error();
  missing.input("x", {"2"}).node("Cast", {"x"}, {"y"}, {}, "c").output("y");
  EXPECT_EQ(missing.error(),
            "Malformed: the ONNX model 'by_hand' cannot be read: node 'c' (Cast, ai.onnx opset 20): Cast: attribute "
            "'to' is missing");
  for (int i = 0; i < 2; ++i) {
    auto& attribute = *twice.last_node().add_attribute();
    attribute.set_name("a");
    attribute.set_type(onnx::AttributeProto::INT);
  }
  EXPECT_NE(twice.error().find("attribute 'a' is given twice"), std::string::npos);
  ModelFile strings = relu();
  auto& list = *strings.last_node().add_attribute();
  list.set_name("a");
  list.set_type(onnx::AttributeProto::STRINGS);
  EXPECT_NE(strings.error().find("attribute 'a' is not supported"), std::string::npos) << strings.error();
  list.set_type(onnx::AttributeProto::INT);
  list.set_ref_attr_name("outer");
  EXPECT_NE(strings.error().find("refers to one of a function"), std::string::npos);
}

TEST(ReadOnnx, ReadsAttributesThatDoNotSayTheirType) {
  ModelFile file;
  file.input("x", {"2", "3"}).node("Softmax", {"x"}, {"y"}, {{"axis", int64_t{0}}}).output("y");
  file.last_node().mutable_attribute(0)->clear_type();
  EXPECT_EQ(file.error(), "");
}

TEST(ReadOnnx, RefusesNamesUsedTwice) {
  ModelFile values = relu();
  values.node("Relu", {"x"}, {"y"}, {}, "again");
  EXPECT_EQ(values.error(), "Malformed: " + kPrefix +
                                "node 'again' (Relu, ai.onnx opset 20): output 'y' is also made by node 'r' (Relu)");
  ModelFile given = relu();
  given.node("Relu", {"y"}, {"x"}, {}, "again");
  EXPECT_NE(given.error().find("output 'x' is also a graph input or initializer"), std::string::npos);
  ModelFile inputs = relu();
  inputs.input("x", {"2"});
  EXPECT_NE(inputs.error().find("graph input 'x': the name is empty or used twice"), std::string::npos);
  ModelFile constants = relu();
  constants.constant("w", Tensor::zeros({1})).constant("w", Tensor::zeros({1})).constant("", Tensor::zeros({1}));
  EXPECT_NE(constants.error().find("2 problems"), std::string::npos);
}

TEST(ReadOnnx, RefusesArityThatDoesNotFit) {
  ModelFile few, many, outputs, none;
  few.input("x", {"2"}).node("Add", {"x"}, {"y"}, {}, "a").output("y");
  EXPECT_NE(few.error().find("expects at least 2 inputs, got 1"), std::string::npos) << few.error();
  many.input("x", {"2"}).node("Relu", {"x", "x"}, {"y"}, {}, "a").output("y");
  EXPECT_NE(many.error().find("at most 1 inputs"), std::string::npos) << many.error();
  outputs.input("x", {"2"}).node("Relu", {"x"}, {"y", "z"}, {}, "a").output("y");
  EXPECT_NE(outputs.error().find("output 2 ('z') is not supported"), std::string::npos) << outputs.error();
  none.input("x", {"2"}).node("Relu", {"x"}, {}, {}, "a").output("x");
  EXPECT_NE(none.error().find("the node has no outputs"), std::string::npos) << none.error();
}

TEST(ReadOnnx, RefusesTypesThatContradictEachOther) {
  ModelFile shapes, declared = relu();
  shapes.input("x", {"2"}).input("z", {"3"}).node("Add", {"x", "z"}, {"y"}, {}, "sum").output("y");
  EXPECT_NE(shapes.error().find("node 'sum' (Add, ai.onnx opset 20): "), std::string::npos) << shapes.error();
  declared.graph().clear_output();
  declared.output("y", {"n", "3"}, DType::f32);
  EXPECT_NE(declared.error().find("is declared float32[n, 3] but computes float32[n, 2]"), std::string::npos)
      << declared.error();
}

TEST(ReadOnnx, RefusesInputsThatAreNoTensorsOfKnownType) {
  ModelFile sequence = relu(), high = relu(), name = relu(), type = relu(), none = relu();
  sequence.graph().mutable_input(0)->mutable_type()->mutable_sequence_type();
  EXPECT_NE(sequence.error().find("graph input 'x': only tensors"), std::string::npos);
  none.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_elem_type();
  EXPECT_NE(none.error().find("graph input 'x': element type 0 (unknown) is not supported"), std::string::npos);
  high.graph().clear_input();
  high.input("x", Names(9, "1"));
  EXPECT_NE(high.error().find("rank 9 is above 8"), std::string::npos);
  name.graph().clear_input();
  name.input("x", {"n + 99999999999999999999"});
  EXPECT_NE(name.error().find("cannot name a size"), std::string::npos);
  type.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(15);
  EXPECT_NE(type.error().find("element type 15 (complex128)"), std::string::npos);
}

TEST(ReadOnnx, RefusesMissingOutputs) {
  ModelFile none = relu();
  none.graph().clear_output();
  EXPECT_EQ(none.error(), "Malformed: " + kPrefix + "the graph has no outputs");
}

TEST(ReadOnnx, RefusesWhatIsNoModel) {
  const auto read = [](std::string_view text) { return read_onnx(std::as_bytes(std::span(text.data(), text.size()))); };
  EXPECT_ERROR(read(""), ModelError, "no graph");
  EXPECT_ERROR(read("\xff\xff\xff"), ModelError, "not a protocol buffer");
  EXPECT_ERROR(read("{\"json\": 1}"), ModelError, "cannot be read");
}

TEST(ReadOnnx, ObeysItsLimits) {
  EXPECT_EQ(relu().error({.max_bytes = 10}).substr(0, 40),
            concat("TooLarge: the ONNX model has ", relu().bytes().size(), " bytes; the limit is 10").substr(0, 40));
  EXPECT_EQ(relu().error({.max_nodes = 0}), "TooLarge: the ONNX model 'by_hand' has 1 nodes; the limit is 0");
}

}  // namespace
}  // namespace onemodel::test
