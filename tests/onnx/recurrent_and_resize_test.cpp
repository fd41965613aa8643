// Files of older opsets with Upsample and Resize, and lists of activations.

#include <gtest/gtest.h>

#include "onnx/convert_attribute.h"
#include "onnx/model_file.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

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
