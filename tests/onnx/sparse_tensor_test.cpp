// Sparse tensors are read as dense ones.

#include <gtest/gtest.h>

#include "onnx/convert_sparse_tensor.h"
#include "onnx/convert_tensor.h"
#include "onnx/model_file.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

using Ints = std::vector<int64_t>;

onnx::SparseTensorProto sparse(const Tensor& values, const Tensor& indices, const Ints& dims) {
  onnx::SparseTensorProto out;
  tensor_to_onnx(values, "s", *out.mutable_values());
  tensor_to_onnx(indices, "", *out.mutable_indices());
  for (const int64_t extent : dims) out.add_dims(extent);
  return out;
}

const Tensor kValues = Tensor::from<float>({5, 7}, {2});

TEST(SparseTensor, HasItsValuesAtPlacesOrCoordinates) {
  const Tensor dense = Tensor::from<float>({0, 5, 0, 0, 0, 7}, {2, 3});
  EXPECT_TRUE(same_bits(dense_tensor_from_onnx(sparse(kValues, Tensor::from_ints(Ints{1, 5}), {2, 3})), dense));
  const Tensor rows = Tensor::from<int64_t>({0, 1, 1, 2}, {2, 2});
  EXPECT_TRUE(same_bits(dense_tensor_from_onnx(sparse(kValues, rows, {2, 3})), dense));
  const Tensor none = Tensor::zeros({0});
  EXPECT_TRUE(same_bits(dense_tensor_from_onnx(sparse(none, Tensor::from_ints(Ints{}), {2})), Tensor::zeros({2})));
}

TEST(SparseTensor, RefusesWhatDoesNotFit) {
  const Tensor places = Tensor::from_ints(Ints{1, 6});
  EXPECT_ERROR(dense_tensor_from_onnx(sparse(kValues, places, {2, 3})), ModelError,
               "index 6 at axis 0 is out of range");
  EXPECT_ERROR(dense_tensor_from_onnx(sparse(kValues, Tensor::from_ints(Ints{-1, 0}), {2, 3})), ModelError, "index -1");
  EXPECT_ERROR(dense_tensor_from_onnx(sparse(kValues, Tensor::from_ints(Ints{1}), {2, 3})), ModelError, "expect shape");
  EXPECT_ERROR(dense_tensor_from_onnx(sparse(kValues, places.cast(DType::i32), {9})), ModelError, "expect int64");
  EXPECT_ERROR(dense_tensor_from_onnx(sparse(kValues, places, {int64_t{1} << 40, int64_t{1} << 40})), ModelError,
               "more than 2 GiB");
  EXPECT_ERROR(dense_tensor_from_onnx(sparse(kValues, places, {-3})), ModelError, "negative");
}

TEST(SparseTensor, ServesAsInitializerAndAsConstant) {
  ModelFile file;
  *file.graph().add_sparse_initializer() = sparse(kValues, Tensor::from_ints(Ints{0, 2}), {3});
  file.input("x", {"3"}).node("Constant", {}, {"c"}).node("Sum", {"x", "s", "c"}, {"y"}).output("y");
  auto& attribute = *file.graph().mutable_node(0)->add_attribute();
  attribute.set_name("sparse_value");
  attribute.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  *attribute.mutable_sparse_tensor() = sparse(kValues, Tensor::from_ints(Ints{1, 2}), {3});
  const Tensor y = evaluate_graph(file.read(), {Tensor::from<float>({1, 1, 1}, {3})})[0];
  EXPECT_EQ(y.to_vector<int64_t>(), (Ints{6, 6, 15}));
}

TEST(SparseTensor, IsNamedInProblems) {
  ModelFile file;
  *file.graph().add_sparse_initializer() = sparse(kValues, Tensor::from_ints(Ints{0, 9}), {3});
  file.node("Relu", {"s"}, {"y"}).output("y");
  EXPECT_NE(file.error().find("sparse initializer 's': index 9 at axis 0"), std::string::npos) << file.error();
}

TEST(SparseTensor, LeavesTextsAlone) {
  ModelFile file;
  auto& attribute = *file.node("Constant", {}, {"c"}, {}, "n").output("c").last_node().add_attribute();
  attribute.set_name("value_strings");
  attribute.set_type(onnx::AttributeProto::STRINGS);
  attribute.add_strings("a");
  EXPECT_EQ(file.read().values[0].constant.to_vector<std::string>(), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace onemodel::test
