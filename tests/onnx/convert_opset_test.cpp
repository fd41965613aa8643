// Files of older opsets mean the same in today's operators.

#include <gtest/gtest.h>

#include <limits>

#include "onnx/convert_attribute.h"
#include "onnx/model_file.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

using Ints = std::vector<int64_t>;

Tensor run_one(const Graph& graph, const Tensor& x) { return evaluate_graph(graph, {x})[0]; }

// A model of one node from "x" to "y".
ModelFile one_node(int64_t opset, const std::string& type, const Names& dims,
                   const std::vector<std::pair<std::string, AttributeValue>>& attributes = {},
                   const Names& more_inputs = {}) {
  ModelFile file(opset);
  Names inputs{"x"};
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  file.input("x", dims).node(type, inputs, {"y"}, attributes, "n").output("y");
  return file;
}

std::string output_type(const Graph& graph) { return concat(graph.value(graph.outputs[0]).type); }

TEST(ConvertOpset, TakesAxesFromAttributes) {
  EXPECT_EQ(output_type(one_node(11, "Squeeze", {"1", "2", "1"}, {{"axes", Ints{0}}}).read()), "float32[2, 1]");
  EXPECT_EQ(output_type(one_node(11, "Squeeze", {"1", "2", "1"}).read()), "float32[2]");
  EXPECT_EQ(output_type(one_node(12, "Unsqueeze", {"n"}, {{"axes", Ints{0, -1}}}).read()), "float32[1, n, 1]");
  EXPECT_EQ(output_type(one_node(11, "ReduceSum", {"2", "n"}, {{"axes", Ints{0}}}).read()), "float32[1, n]");
  for (const char* op : {"ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"})
    EXPECT_EQ(output_type(one_node(13, op, {"2", "n"}, {{"axes", Ints{-1}}, {"keepdims", int64_t{0}}}).read()),
              "float32[2]")
        << op;
}

TEST(ConvertOpset, TakesTheShapeOfReshapeFromAnAttribute) {
  EXPECT_EQ(output_type(one_node(7, "Reshape", {"2", "3"}, {{"shape", Ints{3, -1}}}).read()), "float32[3, 2]");
}

TEST(ConvertOpset, TakesSliceBoundsFromAttributes) {
  const Tensor x = sample_values({4, 5});
  const Graph some =
      one_node(9, "Slice", {"4", "5"}, {{"starts", Ints{1}}, {"ends", Ints{-1}}, {"axes", Ints{1}}}).read();
  EXPECT_TRUE(same_bits(run_one(some, x), x.slice(1, 1, -1)));
  const Graph first = one_node(9, "Slice", {"4", "5"}, {{"starts", Ints{1, 2}}, {"ends", Ints{3, 99}}}).read();
  EXPECT_TRUE(same_bits(run_one(first, x), x.slice(0, 1, 3).slice(1, 2, 5)));
}

TEST(ConvertOpset, TakesClipBoundsFromAttributesInTheInputsType) {
  const Tensor x = Tensor::from<float>({-3, 0.5f, 8}, {3});
  EXPECT_TRUE(same_bits(run_one(one_node(6 + 1, "Clip", {"3"}, {{"min", 0.0}, {"max", 6.0}}).read(), x),
                        Tensor::from<float>({0, 0.5f, 6}, {3})));
  EXPECT_TRUE(same_bits(run_one(one_node(10, "Clip", {"3"}, {{"max", 6.0}}).read(), x),
                        Tensor::from<float>({-3, 0.5f, 6}, {3})));
  EXPECT_TRUE(same_bits(run_one(one_node(10, "Clip", {"3"}).read(), x), x));
  ModelFile half(10);
  half.input("x", {"3"}, DType::f16).node("Clip", {"x"}, {"y"}, {{"min", 0.0}}).output("y");
  EXPECT_TRUE(
      same_bits(run_one(half.read(), x.cast(DType::f16)), Tensor::from<float>({0, 0.5f, 8}, {3}).cast(DType::f16)));
}

TEST(ConvertOpset, TakesKOfTopKFromAnAttribute) {
  ModelFile file(9);
  file.input("x", {"n", "5"}).node("TopK", {"x"}, {"y", "places"}, {{"k", int64_t{2}}}, "n").output("y");
  EXPECT_EQ(output_type(file.read()), "float32[n, 2]");
}

TEST(ConvertOpset, SplitsEquallyAmongTheOutputs) {
  ModelFile file(13);
  file.input("x", {"n", "6"}).node("Split", {"x"}, {"y", "z"}, {{"axis", int64_t{1}}}, "n").output("y");
  EXPECT_EQ(output_type(file.read()), "float32[n, 3]");
}

TEST(ConvertOpset, ReadsScatterAsScatterElements) {
  ModelFile file(10);
  file.input("x", {"3"}).input("i", {"2"}, DType::i64).input("u", {"2"});
  file.node("Scatter", {"x", "i", "u"}, {"y"}, {}, "n").output("y");
  EXPECT_EQ(operators(file.read()), "ScatterElements");
}

TEST(ConvertOpset, ReadsDropoutAsIdentity) {
  const Tensor x = sample_values({2, 3});
  EXPECT_TRUE(same_bits(run_one(one_node(7, "Dropout", {"2", "3"}, {{"ratio", 0.25}}).read(), x), x));
  EXPECT_TRUE(same_bits(run_one(one_node(11, "Dropout", {"2", "3"}).read(), x), x));
}

TEST(ConvertOpset, GivesTheMaskOfDropoutTheTypeOfItsOpset) {
  const Tensor x = Tensor::from<float>({-1, 0, std::numeric_limits<float>::quiet_NaN(), 1e30f}, {2, 2});
  const auto mask = [&](int64_t opset) {
    ModelFile file(opset);
    file.input("x", {"2", "2"})
        .node("Dropout", {"x"}, {"y", "mask"}, {{"ratio", 0.25}}, "n")
        .output("y")
        .output("mask");
    if (opset < 7) attribute_to_onnx("is_test", int64_t{1}, *file.last_node().add_attribute());
    const std::vector<Tensor> results = evaluate_graph(file.read(), {x});
    EXPECT_TRUE(same_bits(results.at(0), x));
    return results.at(1);
  };
  for (const int64_t opset : {1, 6, 7, 9}) EXPECT_TRUE(same_bits(mask(opset), Tensor::full({2, 2}, 1))) << opset;
  for (const int64_t opset : {10, 11})
    EXPECT_TRUE(same_bits(mask(opset), Tensor::full({2, 2}, 1, DType::boolean))) << opset;
}

TEST(ConvertOpset, TakesTheAxisOfDftFromAnAttribute) {
  EXPECT_EQ(output_type(one_node(17, "DFT", {"2", "n", "5", "1"}, {{"onesided", int64_t{1}}}).read()),
            "float32[2, floor((n + 2) / 2), 5, 2]");
  EXPECT_EQ(
      output_type(one_node(17, "DFT", {"2", "n", "5", "1"}, {{"onesided", int64_t{1}}, {"axis", int64_t{2}}}).read()),
      "float32[2, n, 3, 2]");
  EXPECT_EQ(output_type(one_node(20, "DFT", {"2", "n", "5", "1"}, {{"onesided", int64_t{1}}}).read()),
            "float32[2, n, 3, 2]");
}

TEST(ConvertOpset, KeepsThePlacesOfOldRoiAlign) {
  const auto read = [](int64_t opset) {
    ModelFile file(opset);
    file.input("x", {"1", "2", "4", "4"}).input("rois", {"n", "4"}).input("images", {"n"}, DType::i64);
    file.node("RoiAlign", {"x", "rois", "images"}, {"y"}, {}, "n").output("y");
    return concat(file.read().nodes[0].op);
  };
  EXPECT_NE(read(10).find("coordinate_transformation_mode=\"output_half_pixel\""), std::string::npos) << read(10);
  EXPECT_EQ(read(16).find("output_half_pixel"), std::string::npos) << read(16);
}

TEST(ConvertOpset, KeepsOldSoftmaxOverTheLastAxis) {
  const Graph graph = one_node(7, "Softmax", {"n", "5"}).read();
  EXPECT_EQ(operators(graph), "Softmax");
  EXPECT_EQ(operators(one_node(11, "LogSoftmax", {"n", "2", "5"}, {{"axis", int64_t{-1}}}).read()), "LogSoftmax");
  EXPECT_EQ(operators(one_node(12, "Softmax", {"n", "2", "5"}, {{"axis", int64_t{2}}}).read()), "Softmax");
}

TEST(ConvertOpset, NormalisesOldSoftmaxOverAllAxesFromTheGivenOne) {
  const Tensor x = sample_values({2, 3, 4});
  for (const char* op : {"Softmax", "LogSoftmax"}) {
    const Tensor rows = run_one(one_node(13, op, {"2", "12"}, {{"axis", int64_t{1}}}).read(), x.reshape({2, 12}));
    const Graph fixed = one_node(12, op, {"2", "3", "4"}).read();
    EXPECT_EQ(operators(fixed), concat("Flatten ", op, " Reshape"));
    EXPECT_TRUE(same_bits(run_one(fixed, x), rows.reshape({2, 3, 4})));
    const Graph symbolic = one_node(12, op, {"n", "3", "4"}).read();
    EXPECT_EQ(operators(symbolic), concat("Flatten Shape ", op, " Reshape"));
    EXPECT_EQ(output_type(symbolic), "float32[n, 3, 4]");
    EXPECT_TRUE(same_bits(run_one(symbolic, x), rows.reshape({2, 3, 4})));
  }
  const Tensor all = run_one(one_node(11, "Softmax", {"2", "3", "4"}, {{"axis", int64_t{-3}}}).read(), x);
  const Tensor flat = run_one(one_node(13, "Softmax", {"24"}).read(), x.reshape({24}));
  EXPECT_TRUE(same_bits(all, flat.reshape({2, 3, 4})));
}

TEST(ConvertOpset, ReadsOldSoftmaxOfEmptyTensors) {
  for (const Names& dims : {Names{"0", "2"}, Names{"n", "2"}}) {
    const Tensor y = run_one(one_node(11, "Softmax", dims, {{"axis", int64_t{0}}}).read(), Tensor::zeros({0, 2}));
    EXPECT_EQ(y.dims(), (Dims{0, 2}));
  }
}

TEST(ConvertOpset, RefusesAnAxisOfOldSoftmaxOutOfRange) {
  EXPECT_NE(one_node(11, "Softmax", {"2"}).error().find("axis 1 is out of range for rank 1"), std::string::npos);
  EXPECT_NE(one_node(11, "Hardmax", {"2", "3"}, {{"axis", int64_t{-3}}}).error().find("axis -3 is out of range"),
            std::string::npos);
}

TEST(ConvertOpset, LeavesTodaysSoftmaxAlone) {
  const Graph graph = one_node(13, "Softmax", {"2", "3", "4"}, {{"axis", int64_t{1}}}).read();
  EXPECT_EQ(operators(graph), "Softmax");
  EXPECT_EQ(operators(one_node(13, "Softmax", {"2", "3", "4"}).read()), "Softmax");
}

ModelFile batch_norm(int64_t opset, const std::vector<std::pair<std::string, AttributeValue>>& attributes,
                     const Names& outputs = {"y"}) {
  ModelFile file(opset);
  file.input("x", {"n", "2", "3"});
  for (const char* name : {"scale", "bias", "mean", "var"}) file.constant(name, Tensor::full({2}, 0.5));
  file.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, outputs, attributes, "bn").output("y");
  return file;
}

TEST(ConvertOpset, ReadsBatchNormalizationInEvaluationMode) {
  const Tensor x = sample_values({2, 2, 3});
  const Tensor y = run_one(batch_norm(15, {}).read(), x);
  EXPECT_TRUE(same_bits(run_one(batch_norm(7, {{"spatial", int64_t{1}}, {"momentum", 0.5}}).read(), x), y));
  EXPECT_TRUE(same_bits(run_one(batch_norm(9, {}, {"y", "", "", "", ""}).read(), x), y));
  EXPECT_TRUE(same_bits(run_one(batch_norm(14, {{"training_mode", int64_t{0}}}).read(), x), y));
}

// Before opset 14 it trained when more than one output was asked for, and gave the batch's statistics too.
TEST(ConvertOpset, ReadsBatchNormalizationThatTrains) {
  const Tensor x = sample_values({2, 2, 3});
  const std::vector<std::pair<std::string, AttributeValue>> attributes{{"momentum", 0.75}, {"epsilon", 0.01}};
  auto today = attributes;
  today.emplace_back("training_mode", int64_t{1});
  const Names names{"y", "m", "v"};
  ModelFile newest = batch_norm(15, today, names), oldest = batch_norm(9, attributes, {"y", "m", "v", "sm", "sv"});
  for (const char* name : {"m", "v"}) newest.output(name), oldest.output(name);
  oldest.output("sm").output("sv");
  const std::vector<Tensor> expected = evaluate_graph(newest.read(), {x}), got = evaluate_graph(oldest.read(), {x});
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(same_bits(got[i], expected[i])) << names[i];
  const auto values = x.to_vector<double>();
  for (size_t channel = 0; channel < 2; ++channel) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < 12; ++i)
      if (i / 3 % 2 == channel) sum += values[i], squares += values[i] * values[i];
    EXPECT_NEAR(got[3].to_vector<double>()[channel], sum / 6, 1e-6);
    EXPECT_NEAR(got[4].to_vector<double>()[channel], squares / 6 - sum * sum / 36, 1e-6);
  }
}

// With spatial = 0, which ended with opset 8.
TEST(ConvertOpset, ReadsBatchNormalizationByElement) {
  const auto file = [](const Names& outputs) {
    ModelFile file(8);
    file.input("x", {"n", "2", "2"});
    file.constant("scale", Tensor::from({1.f, 2.f, 3.f, 4.f}, {2, 2}));
    file.constant("bias", Tensor::from({0.f, 1.f, 0.f, 1.f}, {2, 2}));
    file.constant("mean", Tensor::from({1.f, 1.f, 2.f, 2.f}, {2, 2}));
    file.constant("var", Tensor::from({3.f, 3.f, 0.f, 8.f}, {2, 2}));
    file.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, outputs,
              {{"spatial", int64_t{0}}, {"epsilon", 1.0}}, "bn");
    return file.output("y");
  };
  const Tensor x = Tensor::from({1.f, 3.f, 3.f, 5.f, -1.f, 1.f, 2.f, 2.f}, {2, 2, 2});
  EXPECT_EQ(run_one(file({"y"}).read(), x).to_vector<float>(), (std::vector<float>{0, 3, 3, 5, -1, 1, 0, 1}));
  EXPECT_NE(file({"y", "m", "v"}).error().find("training with statistics per element (spatial = 0)"),
            std::string::npos);
}

TEST(ConvertOpset, ReadsElementTypesByName) {
  const Graph graph = one_node(7, "Cast", {"2"}, {{"to", std::string("INT64")}}).read();
  EXPECT_EQ(output_type(graph), "int64[2]");
  EXPECT_EQ(output_type(one_node(7, "Cast", {"2"}, {{"to", std::string("STRING")}}).read()), "string[2]");
  EXPECT_NE(one_node(7, "Cast", {"2"}, {{"to", std::string("COMPLEX64")}}).error().find("element type 'COMPLEX64'"),
            std::string::npos);
  EXPECT_EQ(output_type(one_node(19, "Cast", {"2"}, {{"to", int64_t{17}}}).read()), "float8e4m3fn[2]");
  EXPECT_NE(one_node(19, "Cast", {"2"}, {{"to", int64_t{14}}}).error().find("element type 14"), std::string::npos);
}

TEST(ConvertOpset, RefusesWhatIsGivenAsAttributeAndOperand) {
  ModelFile file = one_node(13, "Squeeze", {"1", "2"}, {{"axes", Ints{0}}}, {"axes"});
  file.constant("axes", Tensor::from_ints(Ints{0}));
  EXPECT_NE(file.error().find("given twice"), std::string::npos);
  EXPECT_NE(one_node(11, "Squeeze", {"1", "2"}, {{"axes", int64_t{0}}}).error().find("expects integers"),
            std::string::npos);
  EXPECT_NE(one_node(10, "Clip", {"2"}, {{"min", int64_t{0}}}).error().find("expects a number"), std::string::npos);
  EXPECT_NE(one_node(11, "Softmax", {"2"}, {{"axis", 1.0}}).error().find("expects an integer"), std::string::npos);
}

TEST(ConvertOpset, ReadsEveryFormOfConstant) {
  const std::pair<std::string, AttributeValue> forms[] = {
      {"value", Tensor::from<float>({2, 2}, {2})},
      {"value_float", 2.0},
      {"value_floats", std::vector<double>{2, 2}},
  };
  for (const auto& form : forms) {
    ModelFile file(13);
    file.input("x", {"2"}).node("Constant", {}, {"c"}, {form}).node("Mul", {"x", "c"}, {"y"}).output("y");
    const Graph graph = file.read();
    EXPECT_EQ(operators(graph), "Mul");
    EXPECT_TRUE(same_bits(run_one(graph, Tensor::from<float>({1, 3}, {2})), Tensor::from<float>({2, 6}, {2})));
  }
  const std::pair<std::string, AttributeValue> integers[] = {{"value_int", int64_t{-1}}, {"value_ints", Ints{-1}}};
  for (const auto& form : integers) {
    ModelFile file(13);
    file.node("Constant", {}, {"c"}, {form}).output("c");
    EXPECT_EQ(file.read().values[0].constant.to_vector<int64_t>(), Ints{-1});
  }
  ModelFile none(13), two(13), text(13);
  EXPECT_NE(none.node("Constant", {}, {"c"}).output("c").error().find("one attribute, got 0"), std::string::npos);
  text.node("Constant", {}, {"c"}, {{"value_string", std::string("s")}}).output("c");
  EXPECT_EQ(text.read().values[0].constant.item<std::string>(), "s");
}

}  // namespace
}  // namespace onemodel::test
