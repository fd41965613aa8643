// Opsets 1 to 6 mean the same in today's operators.

#include <gtest/gtest.h>

#include <cmath>

#include "onnx/model_file.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

using Ints = std::vector<int64_t>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

Tensor run(const ModelFile& file, const std::vector<Tensor>& inputs) { return evaluate_graph(file.read(), inputs)[0]; }

ModelFile of_x(int64_t opset, const std::string& type, const Names& dims, const Attributes& attributes = {}) {
  ModelFile file(opset);
  file.input("x", dims).node(type, {"x"}, {"y"}, attributes, "n").output("y");
  return file;
}

ModelFile of_two(int64_t opset, const std::string& type, const Names& a, const Names& b, const Attributes& attributes,
                 DType dtype = DType::f32) {
  ModelFile file(opset);
  file.input("a", a, dtype).input("b", b, dtype).node(type, {"a", "b"}, {"y"}, attributes, "n").output("y");
  return file;
}

TEST(EarlyOpset, BroadcastsTheSecondOperandFromTheGivenAxis) {
  const Tensor a = sample_values({2, 3, 4}), b = sample_values({3}, 1, 2);
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Pow"}) {
    const Tensor positive = sample_values({2, 3, 4}, 1, 3);
    const ModelFile old = of_two(6, op, {"n", "3", "4"}, {"3"}, {{"broadcast", int64_t{1}}, {"axis", int64_t{1}}});
    const ModelFile today = of_two(7, op, {"n", "3", "4"}, {"3", "1"}, {});
    EXPECT_TRUE(same_bits(run(old, {positive, b}), run(today, {positive, b.reshape({3, 1})}))) << op;
  }
  const ModelFile from_end =
      of_two(1, "Add", {"2", "3", "4"}, {"3"},
             {{"broadcast", int64_t{1}}, {"axis", int64_t{-2}}, {"consumed_inputs", Ints{0, 0}}});
  EXPECT_TRUE(
      same_bits(run(from_end, {a, b}), run(of_two(7, "Add", {"2", "3", "4"}, {"3", "1"}, {}), {a, b.reshape({3, 1})})));
  const ModelFile suffix = of_two(6, "Add", {"2", "3", "4"}, {"4"}, {{"broadcast", int64_t{1}}});
  EXPECT_EQ(operators(suffix.read()), "Add");
  EXPECT_NE(of_two(6, "Add", {"2", "3"}, {"3"}, {{"broadcast", int64_t{1}}, {"axis", int64_t{2}}})
                .error()
                .find("axis 2 is out of range for rank 2"),
            std::string::npos);
}

TEST(EarlyOpset, BroadcastsComparisonsAndLogic) {
  const Attributes along{{"broadcast", int64_t{1}}, {"axis", int64_t{0}}};
  const Tensor a = Tensor::from<float>({1, 2, 3, 4}, {2, 2}), b = Tensor::from<float>({2, 3}, {2});
  EXPECT_EQ(run(of_two(6, "Greater", {"2", "2"}, {"2"}, along), {a, b}).to_vector<int64_t>(), (Ints{0, 0, 0, 1}));
  EXPECT_EQ(run(of_two(1, "Less", {"2", "2"}, {"2"}, along), {a, b}).to_vector<int64_t>(), (Ints{1, 0, 0, 0}));
  const Tensor truth = Tensor::from<bool>({true, false, true, false}, {2, 2}),
               one = Tensor::from<bool>({true, false}, {2});
  EXPECT_EQ(run(of_two(6, "And", {"2", "2"}, {"2"}, along, DType::boolean), {truth, one}).to_vector<int64_t>(),
            (Ints{1, 0, 0, 0}));
  EXPECT_EQ(run(of_two(6, "Xor", {"2", "2"}, {"2"}, along, DType::boolean), {truth, one}).to_vector<int64_t>(),
            (Ints{0, 1, 1, 0}));
}

TEST(EarlyOpset, TakesOneSlopeForEachChannel) {
  const ModelFile file = of_two(6, "PRelu", {"1", "2", "3"}, {"2"}, {});
  EXPECT_EQ(run(file, {Tensor::full({1, 2, 3}, -1), Tensor::from<float>({2, 3}, {2})}).to_vector<int64_t>(),
            (Ints{-2, -2, -2, -3, -3, -3}));
}

TEST(EarlyOpset, ReadsGemmWithBroadcast) {
  ModelFile file(6);
  file.input("a", {"2", "3"}).input("b", {"3", "4"}).input("c", {"4"});
  file.node("Gemm", {"a", "b", "c"}, {"y"}, {{"broadcast", int64_t{1}}, {"alpha", 1.0}}, "n").output("y");
  EXPECT_EQ(operators(file.read()), "Gemm");
}

TEST(EarlyOpset, PadsWithPaddings) {
  const ModelFile file = of_x(1, "Pad", {"2"}, {{"paddings", Ints{1, 0}}, {"value", 7.0}});
  EXPECT_EQ(run(file, {Tensor::from<float>({1, 2}, {2})}).to_vector<int64_t>(), (Ints{7, 1, 2}));
}

TEST(EarlyOpset, TakesTheShapeOfReshapeFromAnAttribute) {
  const ModelFile file = of_x(4, "Reshape", {"2", "3"}, {{"shape", Ints{3, 2}}, {"consumed_inputs", Ints{0}}});
  EXPECT_EQ(concat(file.read().value(file.read().outputs[0]).type), "float32[3, 2]");
}

TEST(EarlyOpset, ConcatenatesAlongAxisOne) {
  const ModelFile old = of_two(3, "Concat", {"2", "1"}, {"2", "2"}, {});
  const Graph graph = old.read();
  EXPECT_EQ(concat(graph.value(graph.outputs[0]).type), "float32[2, 3]");
}

TEST(EarlyOpset, TilesAlongOneAxis) {
  ModelFile file(5);
  file.input("x", {"2", "1"}).constant("tiles", Tensor::full({1}, 3)).constant("axis", Tensor::full({1}, 1));
  file.node("Tile", {"x", "tiles", "axis"}, {"y"}, {}, "n").output("y");
  EXPECT_EQ(run(file, {Tensor::from<float>({1, 2}, {2, 1})}).to_vector<int64_t>(), (Ints{1, 1, 1, 2, 2, 2}));
  ModelFile unknown(5);
  unknown.input("x", {"2", "1"}).input("tiles", {"1"}).constant("axis", Tensor::full({1}, 1));
  unknown.node("Tile", {"x", "tiles", "axis"}, {"y"}, {}, "n").output("y");
  EXPECT_NE(unknown.error().find("node 'n' (Tile, ai.onnx opset 5): 'tiles' needs to be one constant in this opset"),
            std::string::npos)
      << unknown.error();
}

TEST(EarlyOpset, SplitsBySizesOfTheInputsType) {
  ModelFile file(1);
  file.input("x", {"3"}).constant("sizes", Tensor::from<float>({1, 2}, {2}));
  file.node("Split", {"x", "sizes"}, {"y", "z"}, {}, "n").output("z");
  EXPECT_EQ(run(file, {Tensor::from<float>({1, 2, 3}, {3})}).to_vector<int64_t>(), (Ints{2, 3}));
}

TEST(EarlyOpset, UpsamplesByHeightAndWidth) {
  const ModelFile file = of_x(1, "Upsample", {"1", "1", "1", "2"}, {{"height_scale", 2.0}, {"width_scale", 2.0}});
  const Tensor x = Tensor::from<float>({1, 2}, {1, 1, 1, 2});
  EXPECT_EQ(run(file, {x}).to_vector<int64_t>(), (Ints{1, 1, 2, 2, 1, 1, 2, 2}));
  const ModelFile smooth = of_x(1, "Upsample", {"1", "1", "1", "2"},
                                {{"height_scale", 1.0}, {"width_scale", 2.0}, {"mode", std::string("bilinear")}});
  EXPECT_EQ(run(smooth, {x}).to_vector<double>(), (std::vector<double>{1, 1.5, 2, 2}));
}

TEST(EarlyOpset, NormalisesWithoutTraining) {
  const auto batch_norm = [](const Attributes& attributes, const Names& outputs) {
    ModelFile file(6);
    file.input("x", {"n", "2"});
    for (const char* name : {"scale", "bias", "mean", "var"}) file.constant(name, Tensor::full({2}, 1));
    file.node("BatchNormalization", {"x", "scale", "bias", "mean", "var"}, outputs, attributes, "n").output("y");
    return file;
  };
  EXPECT_EQ(batch_norm({{"is_test", int64_t{1}}, {"momentum", 0.9}}, {"y"}).error(), "");
  EXPECT_EQ(batch_norm({}, {"y"}).error(), "");
  EXPECT_EQ(of_x(6, "Dropout", {"2"}, {{"is_test", int64_t{1}}, {"ratio", 0.5}}).error(), "");
  EXPECT_NE(of_x(1, "Dropout", {"2"}, {{"is_test", int64_t{0}}}).error().find("training mode (is_test = 0)"),
            std::string::npos);
}

TEST(EarlyOpset, KnowsTheFirstConstantsOfSelu) {
  const double y =
      run(of_x(1, "Selu", {"1"}, {{"consumed_inputs", Ints{0}}}), {Tensor::full({1}, -1)}).to_vector<double>()[0];
  EXPECT_NEAR(y, 1.0507 * 1.6732 * (std::exp(-1.0) - 1), 1e-6);
}

TEST(EarlyOpset, ReadsRecurrentNetworksWithOutputSequence) {
  ModelFile file(1);
  file.input("x", {"2", "1", "3"}).constant("w", Tensor::zeros({1, 8, 3})).constant("r", Tensor::zeros({1, 8, 2}));
  file.node("LSTM", {"x", "w", "r"}, {"y"}, {{"hidden_size", int64_t{2}}, {"output_sequence", int64_t{1}}}, "n");
  EXPECT_EQ(file.output("y").error(), "");
}

TEST(EarlyOpset, ReadsExperiments) {
  const auto value = [](const std::string& op, const Attributes& attributes) {
    return run(of_x(1, op, {"1"}, attributes), {Tensor::full({1}, 2)}).to_vector<double>()[0];
  };
  EXPECT_EQ(value("Affine", {{"alpha", 3.0}, {"beta", 1.0}}), 7);
  EXPECT_EQ(value("Scale", {{"scale", 0.5}}), 1);
  EXPECT_NEAR(value("ScaledTanh", {{"alpha", 2.0}, {"beta", 0.5}}), 2 * std::tanh(1.0), 1e-6);
  EXPECT_NEAR(value("ParametricSoftplus", {{"alpha", 2.0}, {"beta", 0.5}}), 2 * std::log1p(std::exp(1.0)), 1e-6);
  const ModelFile scaler =
      of_x(1, "ImageScaler", {"1", "2", "1", "1"}, {{"scale", 2.0}, {"bias", std::vector<double>{1, 3}}});
  EXPECT_EQ(run(scaler, {Tensor::full({1, 2, 1, 1}, 1)}).to_vector<int64_t>(), (Ints{3, 5}));
  const Tensor image = Tensor::from<float>({0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 3, 3});
  const ModelFile crop = of_x(1, "Crop", {"1", "1", "3", "3"}, {{"border", Ints{1, 0, 0, 1}}});
  EXPECT_EQ(run(crop, {image}).to_vector<int64_t>(), (Ints{1, 2, 4, 5}));
  const ModelFile sized = of_x(1, "Crop", {"1", "1", "3", "3"}, {{"border", Ints{1, 1, 0, 0}}, {"scale", Ints{1, 2}}});
  EXPECT_EQ(run(sized, {image}).to_vector<int64_t>(), (Ints{4, 5}));
  EXPECT_NE(of_x(1, "Crop", {"1", "1", "3", "3"}, {{"border", Ints{int64_t{1} << 62, 0, 0, 1}}})
                .error()
                .find("numbers of pixels"),
            std::string::npos);
  EXPECT_NE(of_x(1, "ScaledTanh", {"1"}).error().find("attribute 'alpha' is missing"), std::string::npos);
  const ModelFile spread =
      of_x(1, "MeanVarianceNormalization", {"1", "1", "2", "1"}, {{"across_channels", int64_t{0}}});
  EXPECT_TRUE(close(run(spread, {Tensor::from<float>({1, 3}, {1, 1, 2, 1})}),
                    Tensor::from<float>({-1, 1}, {1, 1, 2, 1}), 1e-5));
}

TEST(EarlyOpset, RefusesWhatHasNoFormOfTodayByNameAndOpset) {
  EXPECT_EQ(
      of_x(1, "GRUUnit", {"1"}).error(),
      "Unsupported: the ONNX model 'by_hand' cannot be read: node 'n' (GRUUnit, ai.onnx opset 1): unknown operator");
  EXPECT_NE(
      of_x(1, "Relu", {"1"}, {{"odd", int64_t{1}}}).error().find("node 'n' (Relu, ai.onnx opset 1): attribute 'odd'"),
      std::string::npos);
}

TEST(ConvertOpset, FindsTheNearestByTensorflowsHalfPixels) {
  ModelFile file(11);
  file.input("x", {"1", "1", "1", "4"}).constant("none", Tensor::zeros({0}));
  file.constant("sizes", Tensor::from_ints(Ints{1, 1, 1, 3}));
  file.node(
      "Resize", {"x", "none", "none", "sizes"}, {"y"},
      {{"coordinate_transformation_mode", std::string("tf_half_pixel_for_nn")}, {"nearest_mode", std::string("floor")}},
      "n");
  file.output("y");
  // floor((i + 0.5) * 4 / 3) is 0, 2, 3.
  EXPECT_EQ(run(file, {Tensor::from<float>({0, 1, 2, 3}, {1, 1, 1, 4})}).to_vector<int64_t>(), (Ints{0, 2, 3}));
}

TEST(ConvertOpset, TakesANumberForAListOfOneAxis) {
  for (const bool is_constant : {true, false}) {
    ModelFile file(13);
    file.input("x", {"3"});
    if (is_constant)
      file.constant("axis", Tensor::scalar(int64_t{1}));
    else
      file.input("axis", {}, DType::i64);
    file.node("Unsqueeze", {"x", "axis"}, {"y"}).output("y");
    std::vector<Tensor> inputs{Tensor::from<float>({1, 2, 3}, {3})};
    if (!is_constant) inputs.push_back(Tensor::scalar(int64_t{1}));
    EXPECT_EQ(run(file, inputs).dims(), (Dims{3, 1}));
  }
}

TEST(ConvertOpset, CountsColumnsFirstInStorageOrderOne) {
  ModelFile file(12);
  file.input("x", {"1", "2", "2", "3"});
  file.node("MaxPool", {"x"}, {"y", "places"}, {{"kernel_shape", Ints{2, 3}}, {"storage_order", int64_t{1}}}, "n");
  file.output("places");
  const Tensor x = Tensor::from<float>({0, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0}, {1, 2, 2, 3});
  // Row 1, column 1 of plane 0, and row 0, column 2 of plane 1, in columns of two.
  EXPECT_EQ(run(file, {x}).to_vector<int64_t>(), (Ints{3, 6 + 4}));
}

}  // namespace
}  // namespace onemodel::test
