// Files of older opsets with Upsample and Resize, and lists of activations.

#include <gtest/gtest.h>

#include "onnx/convert_attribute.h"
#include "onnx/model_file.h"
#include "ops/grid_sample.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

TEST(ConvertOpset, NamesModesOfGridSampleAsTheyAreToday) {
  const auto mode = [](const std::vector<std::pair<std::string, AttributeValue>>& attributes) {
    ModelFile file(16);
    file.input("x", {"1", "1", "4", "4"}).input("grid", {"1", "2", "2", "2"});
    file.node("GridSample", {"x", "grid"}, {"y"}, attributes, "n").output("y");
    return file.read().nodes[0].op.as<GridSample>()->mode;
  };
  EXPECT_EQ(mode({}), "linear");
  EXPECT_EQ(mode({{"mode", std::string("bilinear")}}), "linear");
  EXPECT_EQ(mode({{"mode", std::string("bicubic")}}), "cubic");
  EXPECT_EQ(mode({{"mode", std::string("nearest")}}), "nearest");
}

// As ONNX's resize_downsample_nearest and resize_upsample_nearest of opset 10.
TEST(ConvertOpset, ReadsResizeWithPlacesRoundedTowardsWhereItGoes) {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4});
  const auto resized = [&](float down, float along) {
    ModelFile file(10);
    file.input("x", {"2", "4"}).constant("s", Tensor::from<float>({down, along}, {2}));
    file.node("Resize", {"x", "s"}, {"y"}, {{"mode", std::string("nearest")}}, "n").output("y");
    ModelFile open(10);
    open.input("x", {"2", "4"}).input("s", {"2"}).node("Resize", {"x", "s"}, {"y"}, {}, "n").output("y");
    const Tensor scales = Tensor::from<float>({down, along}, {2}), y = evaluate_graph(file.read(), {x})[0];
    EXPECT_TRUE(same_bits(evaluate_graph(open.read(), {x, scales})[0], y));
    return y;
  };
  EXPECT_TRUE(same_bits(resized(0.6f, 0.6f), Tensor::from<float>({1, 3}, {1, 2})));
  EXPECT_TRUE(same_bits(resized(1, 0.7f), Tensor::from<float>({1, 3, 5, 7}, {2, 2})));
  EXPECT_TRUE(same_bits(resized(1.5f, 1), Tensor::from<float>({1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8}, {3, 4})));
  EXPECT_TRUE(same_bits(resized(1.5f, 0.6f), Tensor::from<float>({1, 3, 1, 3, 5, 7}, {3, 2})));
}

TEST(ConvertOpset, TakesUpsampleAsAsymmetricResize) {
  ModelFile file(7);
  const std::vector<double> scales = {1, 1.5};
  file.input("x", {"2", "2"}).node("Upsample", {"x"}, {"y"}, {{"scales", scales}}, "n").output("y");
  const Tensor x = Tensor::from<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_TRUE(same_bits(evaluate_graph(file.read(), {x})[0], Tensor::from<float>({1, 1, 2, 3, 3, 4}, {2, 3})));
}

TEST(ConvertAttribute, JoinsActivationsAndKeepsOtherListsOfStrings) {
  onnx::AttributeProto proto;
  attribute_to_onnx("activations", AttributeValue(std::string("Sigmoid,Tanh")), proto);
  EXPECT_EQ(proto.type(), onnx::AttributeProto::STRINGS);
  ASSERT_EQ(proto.strings_size(), 2);
  EXPECT_EQ(proto.strings(1), "Tanh");
  EXPECT_EQ(std::get<std::string>(attribute_from_onnx(proto)), "Sigmoid,Tanh");
  proto.set_name("others");
  EXPECT_EQ(std::get<Tensor>(attribute_from_onnx(proto)).to_vector<std::string>(),
            (std::vector<std::string>{"Sigmoid", "Tanh"}));
}

}  // namespace
}  // namespace onemodel::test
