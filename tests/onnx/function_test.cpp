// Operators that are read as compositions give what the ONNX text says.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "onnx/one_node.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

TEST(Functions, CastLikeTakesTheOthersType) {
  const Tensor y = Call("CastLike", {reals({1.5, -2}, {2}), Tensor::zeros({1}, DType::i32)}).first();
  EXPECT_EQ(concat(y.dtype()), "int32");
  EXPECT_EQ(y.to_vector<int64_t>(), (Ints{1, -2}));
}

TEST(Functions, CastLikeSaturatesOrNot) {
  const std::vector<Tensor> operands = {reals({500}, {1}), Tensor::zeros({1}, DType::f8e5m2)};
  EXPECT_EQ(Call("CastLike", operands).first().to_vector<float>(), std::vector<float>{512});
  const std::vector<Tensor> large = {reals({1e6}, {1}), operands[1]};
  EXPECT_EQ(Call("CastLike", large).first().to_vector<float>(), std::vector<float>{57344});
  EXPECT_EQ(Call("CastLike", large, {{"saturate", int64_t{0}}}).first().to_vector<float>(),
            std::vector<float>{std::numeric_limits<float>::infinity()});
}

TEST(Functions, RegexFullMatchIsRefusedWithItsReason) {
  const Call call("RegexFullMatch", {Tensor::zeros({1}, DType::string)}, {{"pattern", std::string("a+")}});
  EXPECT_NE(call.file.error().find("node 'n' (RegexFullMatch, ai.onnx opset 24): the patterns are those of RE2"),
            std::string::npos)
      << call.file.error();
}

TEST(Functions, SwishWeighsByItsSigmoid) {
  EXPECT_TRUE(is(Call("Swish", {reals({1, -2}, {2})}, {{"alpha", 2.0}}).first(),
                 {1 / (1 + std::exp(-2.0)), -2 / (1 + std::exp(4.0))}, {2}));
}

Tensor window(const std::string& type, int64_t size, const Attributes& attributes) {
  ModelFile file(17);
  file.constant("size", Tensor::scalar(static_cast<int32_t>(size)))
      .node(type, {"size"}, {"y"}, attributes, "n")
      .output("y");
  return evaluate_graph(file.read(), {})[0];
}

TEST(Functions, WindowsAreSumsOfCosines) {
  const Attributes symmetric{{"periodic", int64_t{0}}};
  EXPECT_TRUE(is(window("HannWindow", 4, {}), {0, 0.5, 1, 0.5}, {4}));
  EXPECT_TRUE(is(window("HannWindow", 3, symmetric), {0, 1, 0}, {3}));
  EXPECT_TRUE(is(window("HammingWindow", 4, {}), {4.0 / 46, 25.0 / 46, 1, 25.0 / 46}, {4}));
  EXPECT_TRUE(is(window("BlackmanWindow", 4, {}), {0, 0.34, 1, 0.34}, {4}));
  EXPECT_TRUE(is(window("BlackmanWindow", 3, symmetric), {0, 1, 0}, {3}));
  EXPECT_EQ(concat(window("HannWindow", 4, {{"output_datatype", int64_t{11}}}).dtype()), "float64");
  EXPECT_EQ(concat(window("HannWindow", 4, {{"output_datatype", int64_t{10}}}).dtype()), "float16");
  ModelFile odd(17);
  odd.input("n", {}, DType::i64).node("HannWindow", {"n"}, {"y"}, {{"output_datatype", int64_t{257}}}, "w").output("y");
  EXPECT_NE(odd.error().find("element type 257"), std::string::npos) << odd.error();
}

TEST(Functions, PoolsOverAllPositions) {
  const Tensor x = reals({1, -5, 2, 3, 4, 0}, {1, 2, 3});
  EXPECT_TRUE(is(Call("GlobalMaxPool", {x}).first(), {2, 4}, {1, 2, 1}));
  EXPECT_TRUE(is(Call("GlobalLpPool", {x}).first(), {std::sqrt(30.0), 5}, {1, 2, 1}));
  EXPECT_TRUE(is(Call("GlobalLpPool", {x}, {{"p", int64_t{1}}}).first(), {8, 7}, {1, 2, 1}));
  EXPECT_TRUE(is(Call("LpPool", {x}, {{"kernel_shape", Ints{2}}, {"pads", Ints{1, 0}}}).first(),
                 {1, std::sqrt(26.0), std::sqrt(29.0), 3, 5, 4}, {1, 2, 3}, 1e-5));
}

TEST(Functions, LpPoolRoundsTheNumberOfWindowsUp) {
  const auto pooled = [](const Tensor& x, Attributes attributes) {
    attributes.insert(attributes.end(), {{"p", int64_t{1}}, {"ceil_mode", int64_t{1}}});
    return Call("LpPool", {x}, attributes).first();
  };
  const Tensor x = reals({1, -2, 3, 4, 5}, {1, 1, 5});
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}}), {3, 7, 5}, {1, 1, 3}, 1e-5));
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"strides", Ints{3}}}), {3, 9}, {1, 1, 2}, 1e-5));
  // No window begins in the padding at the end.
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}}), {1, 5, 9},
                 {1, 1, 3}, 1e-5));
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"dilations", Ints{3}}, {"strides", Ints{2}}}), {5, 3},
                 {1, 1, 2}, 1e-5));
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{1}}, {"strides", Ints{3}}, {"auto_pad", std::string("VALID")}}),
                 {1, 4}, {1, 1, 2}, 1e-5));
  const Call bad("LpPool", {x}, {{"kernel_shape", Ints{2}}, {"strides", Ints{1, 1}}, {"ceil_mode", int64_t{1}}});
  EXPECT_NE(bad.file.error().find("'strides' expects 1 numbers"), std::string::npos);
}

TEST(Functions, GroupNormalizationScalesGroupsOrChannels) {
  const Tensor x = reals({1, 3, 5, 7, 0, 2, 4, 4}, {1, 4, 2});  // groups of two channels
  const Attributes two{{"num_groups", int64_t{2}}, {"epsilon", 0.0}};
  const double a = std::sqrt(5.0), b = std::sqrt(2.75);
  const Reals plain{-3 / a, -1 / a, 1 / a, 3 / a, -2.5 / b, -0.5 / b, 1.5 / b, 1.5 / b};
  Reals groups, channels;
  for (size_t i = 0; i < 8; ++i) {
    groups.push_back(plain[i] * (i < 4 ? 1 : 2) + (i < 4 ? 0 : 1));
    channels.push_back(plain[i] * static_cast<double>(i / 2 + 1) + 1);
  }
  EXPECT_TRUE(is(Call("GroupNormalization", {x, reals({1, 2}, {2}), reals({0, 1}, {2})}, two, 1, 18).first(), groups,
                 {1, 4, 2}, 1e-5));
  EXPECT_TRUE(is(Call("GroupNormalization", {x, reals({1, 2, 3, 4}, {4}), Tensor::full({4}, 1)}, two, 1, 21).first(),
                 channels, {1, 4, 2}, 1e-5));
}

TEST(Functions, GroupNormalizationHasNoMoreGroupsThanChannels) {
  const Tensor x = Tensor::zeros({1, 4, 2}), four = Tensor::zeros({4});
  EXPECT_NE(
      Call("GroupNormalization", {x, four, four}, {{"num_groups", int64_t{5}}}).file.error().find("at most 4, got 5"),
      std::string::npos);
  EXPECT_NE(Call("GroupNormalization", {x, four, four}).file.error().find("expects a positive integer"),
            std::string::npos);
}

TEST(Functions, RmsNormalizationDividesByTheRootMeanSquare) {
  const Tensor x = reals({3, 4, 0, 2}, {2, 2}), scale = reals({1, 2}, {2});
  const double a = std::sqrt(12.5), b = std::sqrt(2.0);
  EXPECT_TRUE(is(Call("RMSNormalization", {x, scale}, {{"epsilon", 0.0}}).first(), {3 / a, 8 / a, 0, 4 / b}, {2, 2}));
  const double all = std::sqrt(29.0 / 4);
  EXPECT_TRUE(is(Call("RMSNormalization", {x, Tensor::full({}, 1)}, {{"axis", int64_t{0}}, {"epsilon", 0.0}}).first(),
                 {3 / all, 4 / all, 0, 2 / all}, {2, 2}));
}

TEST(Functions, BatchNormalizationTrains) {
  const Tensor x = reals({1, 2, 3, 6}, {2, 2}), one = Tensor::full({2}, 1), zero = Tensor::zeros({2});
  const auto out = Call("BatchNormalization", {x, one, one, zero, one},
                        {{"training_mode", int64_t{1}}, {"epsilon", 0.0}, {"momentum", 0.5}}, 3, 15)
                       .run();
  EXPECT_TRUE(is(out[0], {0, 0, 2, 2}, {2, 2}));
  EXPECT_TRUE(is(out[1], {1, 2}, {2}));    // half of the means 2 and 4
  EXPECT_TRUE(is(out[2], {1, 2.5}, {2}));  // half of 1, and of the variances 1 and 4
}

TEST(Functions, CenterCropPadKeepsTheMiddle) {
  const Tensor x = reals({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 5});
  EXPECT_TRUE(is(Call("CenterCropPad", {x, Tensor::from_ints(Ints{3, 2})}).first(), {1, 2, 6, 7, 0, 0}, {3, 2}));
  EXPECT_TRUE(is(Call("CenterCropPad", {x, Tensor::from_ints(Ints{4})}, {{"axes", Ints{-2}}}).first(),
                 {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0}, {4, 5}));
}

Tensor grid(const Tensor& theta, const Ints& size, int64_t align_corners) {
  ModelFile file(20);
  Names dims;
  for (const int64_t extent : theta.dims()) dims.push_back(concat(extent));
  file.input("theta", dims).constant("size", Tensor::from_ints(size));
  file.node("AffineGrid", {"theta", "size"}, {"y"}, {{"align_corners", align_corners}}, "n").output("y");
  return evaluate_graph(file.read(), {theta})[0];
}

TEST(Functions, AffineGridTellsWherePixelsComeFrom) {
  const Tensor same = reals({1, 0, 0, 0, 1, 0}, {1, 2, 3}), moved = reals({1, 0, 0.5, 0, -1, 0}, {1, 2, 3});
  EXPECT_TRUE(is(grid(same, {1, 1, 2, 2}, 1), {-1, -1, 1, -1, -1, 1, 1, 1}, {1, 2, 2, 2}));
  EXPECT_TRUE(is(grid(moved, {1, 1, 2, 2}, 0), {0, 0.5, 1, 0.5, 0, -0.5, 1, -0.5}, {1, 2, 2, 2}));
  EXPECT_ERROR(grid(same, {1, 1, 1 << 20, 1 << 20}, 1), ModelError, "1048576 at 3, which is out of range");
  EXPECT_ERROR(grid(same, {1, 1, 2}, 1), ModelError, "expects 4 or 5 elements");
  const Tensor solid = reals({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 3, 4});
  EXPECT_TRUE(is(grid(solid, {1, 1, 1, 1, 2}, 0), {-0.5, 0, 0, 0.5, 0, 0}, {1, 1, 1, 2, 3}));
}

TEST(Functions, RefuseWhatDoesNotFit) {
  const Tensor x = reals({1, 2}, {2});
  EXPECT_EQ(Call("Swish", {x}, {{"odd", 1.0}}).file.error(),
            "Unsupported: the ONNX model 'by_hand' cannot be read: node 'n' (Swish, ai.onnx opset 24): attribute 'odd' "
            "is not "
            "supported");
  EXPECT_NE(Call("Swish", {x, x}).file.error().find("expects at most 1 inputs, got 2"), std::string::npos);
  EXPECT_NE(Call("CastLike", {x}).file.error().find("input 1 is missing"), std::string::npos);
  EXPECT_NE(Call("Swish", {x}, {}, 2).file.error().find("output 1 ('y1') is not supported"), std::string::npos);
  EXPECT_NE(Call("Swish", {x}, {{"alpha", int64_t{1}}}).file.error().find("attribute 'alpha' expects a number"),
            std::string::npos);
  ModelFile elsewhere;
  elsewhere.input("x", {"2"}).node("Adam", {"x"}, {"y"}, {}, "n").output("y");
  EXPECT_NE(elsewhere.error().find("unknown operator"), std::string::npos);  // of another domain
}

TEST(Functions, NameTheirNodesAfterTheCall) {
  const Graph graph = Call("Swish", {reals({1}, {1})}).file.read();
  EXPECT_EQ(operators(graph), "Mul Sigmoid Mul");
  EXPECT_EQ(graph.nodes[1].name, "n_Sigmoid");
}

}  // namespace
}  // namespace onemodel::test
