// Every form in which a file stores a tensor, and those that are refused.

#include <gtest/gtest.h>

#include "onnx/convert_tensor.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

onnx::TensorProto proto_of(DType dtype, std::initializer_list<int64_t> dims) {
  onnx::TensorProto out;
  out.set_data_type(static_cast<int32_t>(dtype));
  for (const int64_t extent : dims) out.add_dims(extent);
  return out;
}

// 0, 1, 3 in the field that ONNX prescribes for the dtype.
onnx::TensorProto typed(DType dtype) {
  onnx::TensorProto out = proto_of(dtype, {3});
  for (const int value : {0, 1, 3}) {
    switch (dtype) {
      case DType::f32: out.add_float_data(static_cast<float>(value)); break;
      case DType::f64: out.add_double_data(value); break;
      case DType::i64: out.add_int64_data(value); break;
      case DType::u32:
      case DType::u64: out.add_uint64_data(static_cast<uint64_t>(value)); break;
      case DType::f16: out.add_int32_data(Float16(static_cast<float>(value)).bits); break;
      case DType::bf16: out.add_int32_data(BFloat16(static_cast<float>(value)).bits); break;
      default: out.add_int32_data(value); break;
    }
  }
  return out;
}

TEST(TensorFromOnnx, ReadsTypedFieldsOfEveryDType) {
  for (const DType dtype : kAllDTypes) {
    const Tensor expected = Tensor::from<float>({0, 1, 3}, {3}).cast(dtype);
    EXPECT_TRUE(same_bits(tensor_from_onnx(typed(dtype)), expected)) << dtype_name(dtype);
  }
}

TEST(TensorFromOnnx, ReadsRawDataOfEveryDType) {
  for (const DType dtype : kAllDTypes) {
    const Tensor expected = Tensor::from<float>({0, 1, 3, 7}, {2, 1, 2}).cast(dtype);
    onnx::TensorProto proto;
    tensor_to_onnx(expected, "t", proto);
    EXPECT_EQ(proto.name(), "t");
    EXPECT_TRUE(same_bits(tensor_from_onnx(proto), expected)) << dtype_name(dtype);
  }
}

TEST(TensorFromOnnx, ReadsScalarsAndEmptyTensors) {
  for (const Dims& dims : {Dims{}, Dims{0}, Dims{2, 0, 3}}) {
    onnx::TensorProto proto;
    tensor_to_onnx(Tensor::full(dims, 2.5), "", proto);
    EXPECT_TRUE(same_bits(tensor_from_onnx(proto), Tensor::full(dims, 2.5)));
  }
  EXPECT_EQ(tensor_from_onnx(proto_of(DType::i64, {0})).numel(), 0);
}

TEST(TensorFromOnnx, ReadsNegativeSmallIntegers) {
  onnx::TensorProto proto = proto_of(DType::i8, {2});
  proto.add_int32_data(-128);
  proto.add_int32_data(127);
  EXPECT_TRUE(same_bits(tensor_from_onnx(proto), Tensor::from<int8_t>({-128, 127}, {2})));
}

TEST(TensorFromOnnx, MakesBooleansOfAnyByte) {
  onnx::TensorProto proto = proto_of(DType::boolean, {3});
  proto.set_raw_data(std::string("\x00\x01\xff", 3));
  EXPECT_TRUE(same_bits(tensor_from_onnx(proto), Tensor::from<bool>({false, true, true}, {3})));
}

TEST(TensorFromOnnx, ReadsWhatItWritesOfEveryStoredDType) {
  for (const DType dtype : kStorageDTypes) {
    for (const int64_t count : {0, 1, 5}) {
      const Tensor expected = sample_values({count, 1}, -4, 4).cast(dtype);
      onnx::TensorProto proto;
      tensor_to_onnx(expected, "t", proto);
      EXPECT_TRUE(same_bits(tensor_from_onnx(proto), expected)) << dtype_name(dtype) << count;
    }
  }
}

TEST(TensorFromOnnx, UnpacksTheLowestBitsFirst) {
  onnx::TensorProto proto = proto_of(DType::i4, {3});
  proto.set_raw_data(std::string("\x8f\xf7", 2));
  EXPECT_EQ(tensor_from_onnx(proto).to_vector<int64_t>(), (std::vector<int64_t>{-1, -8, 7}));
  proto.clear_raw_data();
  proto.add_int32_data(0x8f);
  proto.add_int32_data(0x07);
  EXPECT_EQ(tensor_from_onnx(proto).to_vector<int64_t>(), (std::vector<int64_t>{-1, -8, 7}));
  proto.set_data_type(static_cast<int32_t>(DType::u2));
  proto.set_dims(0, 8);
  EXPECT_EQ(tensor_from_onnx(proto).to_vector<int64_t>(), (std::vector<int64_t>{3, 3, 0, 2, 3, 1, 0, 0}));
  proto.set_int32_data(0, 256);
  EXPECT_ERROR(tensor_from_onnx(proto), ModelError, "element 256 is not the bits of a uint2");
  proto.set_dims(0, 9);
  EXPECT_ERROR(tensor_from_onnx(proto), ModelError, "[9] of uint2 does not fit 2 elements");
  proto.clear_int32_data();
  proto.set_raw_data("ab");
  EXPECT_ERROR(tensor_from_onnx(proto), ModelError, "[9] of uint2 does not fit 2 bytes");
}

TEST(TensorFromOnnx, ReadsTypedFieldsOf8BitFloats) {
  onnx::TensorProto proto = proto_of(DType::f8e4m3fn, {2});
  proto.add_int32_data(0x38);
  proto.add_int32_data(0xfe);
  EXPECT_EQ(tensor_from_onnx(proto).to_vector<float>(), (std::vector<float>{1, -448}));
}

TEST(TensorFromOnnx, ReadsStrings) {
  onnx::TensorProto proto = proto_of(DType::string, {2, 1});
  proto.add_string_data("ü");
  proto.add_string_data(std::string("a\0b", 3));
  EXPECT_EQ(tensor_from_onnx(proto).to_vector<std::string>(), (std::vector<std::string>{"ü", std::string("a\0b", 3)}));
  proto.add_string_data("c");
  EXPECT_ERROR(tensor_from_onnx(proto), ModelError, "[2, 1] of string does not fit 3 elements");
  proto.clear_string_data();
  proto.set_raw_data("ab");
  EXPECT_ERROR(tensor_from_onnx(proto), ModelError, "expected string_data");
}

TEST(TensorToOnnx, WritesTheElementsOfAView) {
  const Tensor view = Tensor::from<float>({1, 2, 3, 4}, {2, 2}).transpose(0, 1);
  onnx::TensorProto proto;
  tensor_to_onnx(view, "", proto);
  EXPECT_TRUE(same_bits(tensor_from_onnx(proto), view));
}

TEST(TensorFromOnnx, RefusesDataThatDoesNotFitTheShape) {
  onnx::TensorProto raw = proto_of(DType::f32, {2, 2});
  raw.set_raw_data(std::string(15, 'x'));
  EXPECT_ERROR(tensor_from_onnx(raw), ModelError, "[2, 2] of float32", "15 bytes");
  onnx::TensorProto few = typed(DType::f32);
  few.set_dims(0, 4);
  EXPECT_ERROR(tensor_from_onnx(few), ModelError, "[4] of float32", "3 elements");
  onnx::TensorProto other = typed(DType::f32);
  other.set_data_type(static_cast<int32_t>(DType::i64));
  EXPECT_ERROR(tensor_from_onnx(other), ModelError, "does not fit");
}

TEST(TensorFromOnnx, RefusesHugeShapesBeforeAllocating) {
  const auto before = memory_counters().bytes;
  for (const auto& dims : {std::initializer_list<int64_t>{int64_t{1} << 40},
                           std::initializer_list<int64_t>{int64_t{1} << 32, int64_t{1} << 32},
                           std::initializer_list<int64_t>{-1}, std::initializer_list<int64_t>{INT64_MAX, 2}}) {
    onnx::TensorProto raw = proto_of(DType::f32, dims);
    raw.set_raw_data("1234");
    EXPECT_THROW(tensor_from_onnx(raw), Error);
    EXPECT_THROW(tensor_from_onnx(proto_of(DType::i8, dims)), Error);
  }
  EXPECT_EQ(memory_counters().bytes, before);
}

TEST(TensorFromOnnx, RefusesValuesGivenTwice) {
  onnx::TensorProto proto = typed(DType::f32);
  proto.set_raw_data(std::string(12, '\0'));
  EXPECT_ERROR(tensor_from_onnx(proto), ModelError, "given twice");
}

TEST(TensorFromOnnx, RefusesElementsOutOfRange) {
  onnx::TensorProto byte = proto_of(DType::u8, {1});
  byte.add_int32_data(256);
  EXPECT_ERROR(tensor_from_onnx(byte), ModelError, "element 256 does not fit uint8");
  onnx::TensorProto half = proto_of(DType::f16, {1});
  half.add_int32_data(-1);
  EXPECT_ERROR(tensor_from_onnx(half), ModelError, "element -1", "float16");
}

TEST(TensorFromOnnx, RefusesWhatATensorCannotBe) {
  onnx::TensorProto external = proto_of(DType::f32, {1});
  external.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_ERROR(tensor_from_onnx(external), ModelError, "external data");
  onnx::TensorProto segment = typed(DType::f32);
  segment.mutable_segment()->set_begin(0);
  EXPECT_ERROR(tensor_from_onnx(segment), ModelError, "segments");
  onnx::TensorProto other = proto_of(DType::f32, {1});
  other.set_data_type(14);
  EXPECT_ERROR(tensor_from_onnx(other), ModelError, "element type 14 (complex64)");
  other.set_data_type(256 + 1);
  EXPECT_ERROR(tensor_from_onnx(other), ModelError, "element type 257 (unknown)");
  EXPECT_ERROR(tensor_from_onnx(proto_of(DType::f32, {1, 1, 1, 1, 1, 1, 1, 1, 1})), ModelError, "rank 9");
}

}  // namespace
}  // namespace onemodel::test
