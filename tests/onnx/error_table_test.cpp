// Every kind of mistake, at load and at run time: what the error says of model, node, operator, opset, argument, expected
// and got.

#include <gtest/gtest.h>

#include "onnx/model_file.h"
#include "runtime/session.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

using Parts = std::vector<std::string>;
using Ints = std::vector<int64_t>;

void expect_all(const std::string& what, const std::string& message, const Parts& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << what << ": no \"" << part << "\" in: " << message;
}

struct FileRow {
  const char* what;
  ModelFile file;
  Parts parts;
};

ModelFile one_node(int64_t opset, const std::string& type, const std::vector<Names>& inputs,
                   const std::vector<std::pair<std::string, AttributeValue>>& attributes = {},
                   DType dtype = DType::f32) {
  ModelFile file(opset);
  Names names;
  for (const Names& dims : inputs) {
    names.push_back(concat("x", names.size()));
    file.input(names.back(), dims, dtype);
  }
  return file.node(type, names, {"y"}, attributes, "bad").output("y");
}

TEST(ErrorTable, OfFiles) {
  ModelFile domain = one_node(17, "FusedConv", {{"2"}});
  domain.last_node().set_domain("com.microsoft");
  ModelFile nameless = one_node(17, "Frobnicate", {{"2"}});
  nameless.last_node().clear_name();
  ModelFile function = one_node(21, "Swish", {{"2"}}, {{"odd", int64_t{1}}});
  const FileRow rows[] = {
      {"unknown operator", one_node(17, "Frobnicate", {{"2"}}), {"node 'bad' (Frobnicate, ai.onnx opset 17): unknown"}},
      {"of a node without a name", nameless, {"node 'Frobnicate_0' (Frobnicate, ai.onnx opset 17): unknown operator"}},
      {"unknown domain", domain, {"node 'bad' (FusedConv, com.microsoft", "the domain is not supported"}},
      {"missing attribute", one_node(17, "Cast", {{"2"}}), {"node 'bad' (Cast, ai.onnx opset 17)", "'to' is missing"}},
      {"attribute of a wrong kind",
       one_node(17, "Softmax", {{"2"}}, {{"axis", 1.5}}),
       {"node 'bad' (Softmax, ai.onnx opset 17)", "'axis' expects an integer, got 1.5"}},
      {"attribute out of range",
       one_node(17, "Softmax", {{"2", "3"}}, {{"axis", int64_t{2}}}),
       {"node 'bad' (Softmax, ai.onnx opset 17)", "axis 2 is out of range for rank 2"}},
      {"attribute that nobody knows", function, {"node 'bad' (Swish, ai.onnx opset 21)", "attribute 'odd'"}},
      {"wrong element type",
       one_node(17, "Softmax", {{"2"}}, {}, DType::i32),
       {"node 'bad' (Softmax, ai.onnx opset 17)", "int32", "float"}},
      {"wrong rank",
       one_node(17, "Conv", {{"2", "3"}, {"4", "3"}}),
       {"node 'bad' (Conv, ai.onnx opset 17)", "'X' expects [batch, channels, 1 to 3 spatial axes], got shape [2, 3]"}},
      {"shapes that do not fit",
       one_node(17, "Add", {{"2", "3"}, {"2", "4"}}),
       {"node 'bad' (Add, ai.onnx opset 17)", "[2, 3]", "[2, 4]"}},
      {"too few inputs", one_node(17, "Add", {{"2"}}), {"node 'bad' (Add, ai.onnx opset 17)", "at least 2", "got 1"}},
      {"unsupported opset", one_node(26, "Relu", {{"2"}}), {"opset 26 of ai.onnx is not supported (1 to 25 are)"}},
      {"complex numbers",
       one_node(17, "Relu", {{"2"}}, {}, static_cast<DType>(14)),
       {"graph input 'x0'", "element type 14 (complex64) is not supported"}},
  };
  for (const FileRow& row : rows) {
    Parts parts = row.parts;
    parts.push_back("the ONNX model 'by_hand' cannot be read");
    expect_all(row.what, row.file.error(), parts);
  }
}

struct RunRow {
  const char* what;
  ModelFile file;
  std::vector<Feed> feeds;
  std::string name;  // of the class
  Parts parts;
};

std::string error_of(const RunRow& row, Arithmetic arithmetic) {
  Session session(row.file.read(), {.arithmetic = arithmetic});
  try {
    session.run(row.feeds);
  } catch (const Error& error) {
    EXPECT_EQ(error.name(), row.name) << row.what << ": " << error.what();
    return error.what();
  }
  return "no error";
}

Tensor zeros(const Dims& dims, DType dtype = DType::f32) { return Tensor::zeros(dims, dtype); }

ModelFile with_indices(const std::string& type, const std::vector<std::pair<std::string, AttributeValue>>& attributes,
                       const Names& dims, const Names& more = {}) {
  ModelFile file(17);
  file.input("x", {"n", "m"}).input("at", dims, DType::i64);
  Names names{"x", "at"};
  if (!more.empty()) {
    file.input("with", more);
    names.push_back("with");
  }
  return file.node(type, names, {"y"}, attributes, "bad").output("y");
}

std::vector<RunRow> run_rows() {
  ModelFile relu(17);
  relu.input("x", {"n", "3"}).input("z", {"n"}).node("Relu", {"x"}, {"y"}).output("y");
  const Tensor x = zeros({2, 3}), z = zeros({2});
  ModelFile add(17);
  add.input("x", {"n"}).input("z", {"m"}).node("Add", {"x", "z"}, {"y"}, {}, "bad").output("y");
  ModelFile product(17);
  product.input("x", {"n", "k"}).input("z", {"l", "m"}).node("MatMul", {"x", "z"}, {"y"}, {}, "bad").output("y");
  ModelFile reshape(17);
  reshape.input("x", {"n"}).input("to", {"2"}, DType::i64).node("Reshape", {"x", "to"}, {"y"}, {}, "bad").output("y");
  ModelFile any(17);
  any.input("x", {}).input("z", {"2"}).node("Add", {"x", "z"}, {"y"}, {}, "bad").output("y");
  any.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  ModelFile inside(17);  // the condition decides, so that the node is evaluated alone
  inside.input("x", {"n"}).input("z", {"m"}).node("NonZero", {"x"}, {"at"});
  inside.node("Gather", {"z", "at"}, {"y"}, {}, "bad").output("y");
  const auto at = [](Ints values) { return Tensor::from_ints(values); };
  const std::string node = "model 'by_hand' (opset 17): node 'bad' (";
  return {
      {"wrong dtype",
       relu,
       {{"x", zeros({2, 3}, DType::i32)}, {"z", z}},
       "DTypeError",
       {"model 'by_hand'", "input 'x'", "expects float32[n, 3]", "got int32[2, 3]"}},
      {"wrong rank",
       relu,
       {{"x", zeros({2})}, {"z", z}},
       "ShapeError",
       {"model 'by_hand'", "input 'x'", "float32[n, 3]", "got float32[2]", "rank 1, expected 2"}},
      {"wrong size",
       relu,
       {{"x", zeros({2, 4})}, {"z", z}},
       "ShapeError",
       {"model 'by_hand'", "input 'x'", "float32[n, 3]", "got float32[2, 4]", "axis 1 is 4, expected 3"}},
      {"two sizes of one name",
       relu,
       {{"x", x}, {"z", zeros({5})}},
       "ShapeError",
       {"model 'by_hand'", "size 'n' is 2 at axis 0 of input 'x' but 5 at axis 0 of input 'z'"}},
      {"missing feed",
       relu,
       {{"x", x}},
       "ArgumentError",
       {"model 'by_hand'", "input 'z' expects float32[n]", "nothing"}},
      {"extra feed",
       relu,
       {{"x", x}, {"z", z}, {"w", z}},
       "ArgumentError",
       {"model 'by_hand' has no input 'w' (inputs: 'x', 'z')"}},
      {"a feed twice", relu, {{"x", x}, {"x", x}}, "ArgumentError", {"model 'by_hand'", "input 'x' is fed twice"}},
      {"shapes that do not broadcast",
       add,
       {{"x", zeros({2})}, {"z", zeros({3})}},
       "ShapeError",
       {node + "Add)", "[2]", "[3]"}},
      {"products that do not fit",
       product,
       {{"x", zeros({2, 3})}, {"z", zeros({4, 5})}},
       "ShapeError",
       {node + "MatMul)", "[2, 3]", "[4, 5]"}},
      {"elements that do not fit",
       reshape,
       {{"x", zeros({6})}, {"to", at({4, 2})}},
       "ShapeError",
       {node + "Reshape)", "[6]", "[4, 2]"}},
      {"an input of any rank",
       any,
       {{"x", zeros({3})}, {"z", zeros({2})}},
       "ShapeError",
       {node + "Add)", "[3]", "[2]"}},
      {"a wrong dtype for one",
       any,
       {{"x", zeros({3}, DType::f64)}, {"z", zeros({2})}},
       "DTypeError",
       {"model 'by_hand'", "input 'x' expects float32 of any rank, got float64[3]"}},
      {"Gather",
       with_indices("Gather", {}, {"k"}),
       {{"x", x}, {"at", at({1, 2})}},
       "ShapeError",
       {node + "Gather)", "index 2", "2"}},
      {"GatherElements",
       with_indices("GatherElements", {}, {"k", "3"}),
       {{"x", x}, {"at", at({0, 1, -3}).reshape({1, 3})}},
       "ShapeError",
       {node + "GatherElements)", "index -3", "2"}},
      {"GatherND",
       with_indices("GatherND", {}, {"k", "2"}),
       {{"x", x}, {"at", at({1, 3}).reshape({1, 2})}},
       "ShapeError",
       {node + "GatherND)", "index 3", "3"}},
      {"ScatterElements",
       with_indices("ScatterElements", {}, {"1", "3"}, {"1", "3"}),
       {{"x", x}, {"at", at({0, 7, 0}).reshape({1, 3})}, {"with", zeros({1, 3})}},
       "ShapeError",
       {node + "ScatterElements)", "index 7", "2"}},
      {"ScatterND",
       with_indices("ScatterND", {}, {"1", "1"}, {"1", "3"}),
       {{"x", x}, {"at", at({9}).reshape({1, 1})}, {"with", zeros({1, 3})}},
       "ShapeError",
       {node + "ScatterND)", "index 9", "2"}},
      {"between pieces",
       inside,
       {{"x", Tensor::from({0.f, 1.f, 1.f}, {3})}, {"z", zeros({2})}},
       "ShapeError",
       {node + "Gather)", "index 2", "2"}},
  };
}

TEST(ErrorTable, OfRuns) {
  for (const Arithmetic arithmetic : {Arithmetic::fast, Arithmetic::exact})
    for (const RunRow& row : run_rows()) expect_all(row.what, error_of(row, arithmetic), row.parts);
}

// What goes wrong in a graph inside a node names both nodes.
TEST(ErrorTable, OfGraphsInsideNodes) {
  ModelFile file(17);
  file.input("x", {"n"}).input("z", {"m"}).input("flag", {}, DType::boolean).node("If", {"flag"}, {"y"}, {}, "choice");
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& attribute = *file.last_node().add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    ModelFile body(17);
    body.node("Add", {"x", "z"}, {concat(name, "_sum")}, {}, "bad").output(concat(name, "_sum"));
    *attribute.mutable_g() = body.graph();
  }
  Session session(file.output("y").read());
  const std::vector<Tensor> inputs{zeros({2}), zeros({3}), Tensor::scalar(true)};
  EXPECT_ERROR(session.run(inputs), ShapeError,
               "model 'by_hand' (opset 17): node 'choice' (If): node 'bad' (Add): ", "[2]", "[3]");
}

}  // namespace
}  // namespace onemodel::test
