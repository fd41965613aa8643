// .safetensors: what is written, what is read, and every refusal with its message.

#include "format/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "format/file.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

using Bytes = std::vector<std::byte>;
using Tensors = std::map<std::string, Tensor>;

// A file of this JSON header and so many bytes of data.
Bytes file_of(const std::string& header, size_t data) {
  Bytes bytes(8 + header.size() + data);
  const uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}
std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
std::string error_of(const Bytes& bytes) {
  try {
    read_safetensors(bytes);
    return "";
  } catch (const ModelError& error) {
    return concat(error.kind(), ": ", error.what());
  }
}
std::string error_of(const std::string& header, size_t data = 0) { return error_of(file_of(header, data)); }

Tensors sample_tensors() {
  return {{"a.bias", Tensor::from<float>({1, 2, 3}, {3})},
          {"a.weight", Tensor::from<double>({1, -2}, {2, 1})},
          {"flags", Tensor::from<bool>({true, false, true}, {3})},
          {"none", Tensor::zeros({0, 2})},
          {"step", Tensor::scalar<int64_t>(-9)}};
}

TEST(Safetensors, KeepsTensorsAndMetadata) {
  const Bytes bytes = write_safetensors(sample_tensors(), {{"format", "pt"}});
  std::map<std::string, std::string> metadata;
  const Tensors read = read_safetensors(bytes, &metadata);
  EXPECT_EQ(metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
  ASSERT_EQ(read.size(), 5u);
  for (const auto& [name, tensor] : sample_tensors()) EXPECT_TRUE(same_bits(read.at(name), tensor)) << name;
  EXPECT_TRUE(write_safetensors(read, metadata) == bytes);
}

TEST(Safetensors, KeepsEveryDType) {
  for (const DType dtype : kAllDTypes) {
    const Tensor tensor = Tensor::from<float>({0, 1, 1}, {3}).cast(dtype);
    EXPECT_TRUE(same_bits(read_safetensors(write_safetensors({{"t", tensor}})).at("t"), tensor)) << dtype_name(dtype);
  }
  for (const DType dtype : {DType::f8e4m3fn, DType::f8e5m2, DType::f8e8m0}) {
    const Tensor tensor = Tensor::from<float>({0.5f, 1, 8}, {3}).cast(dtype);
    EXPECT_TRUE(same_bits(read_safetensors(write_safetensors({{"t", tensor}})).at("t"), tensor)) << dtype_name(dtype);
  }
  EXPECT_ERROR(write_safetensors({{"t", Tensor::zeros({2}, DType::string)}}), DTypeError, "tensor 't' is string");
  EXPECT_ERROR(write_safetensors({{"t", Tensor::zeros({2}, DType::u4)}}), DTypeError, "tensor 't' is uint4");
}

TEST(Safetensors, WritesTheElementsOfViews) {
  const Tensor view = Tensor::from<float>({1, 2, 3, 4}, {2, 2}).transpose(0, 1);
  EXPECT_TRUE(same_bits(read_safetensors(write_safetensors({{"t", view}})).at("t"), view));
}

TEST(Safetensors, WritesTheFormatAsPublished) {
  const Bytes bytes = write_safetensors({{"b", Tensor::from<float>({1}, {1})}, {"c", Tensor::scalar<int64_t>(2)}});
  const std::string header =
      R"({"c":{"dtype":"I64","shape":[],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})";
  uint64_t length;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 8, static_cast<size_t>(length));
  EXPECT_EQ(text.substr(0, header.size()), header);
  EXPECT_EQ(text.find_first_not_of(' ', header.size()), std::string::npos);
  EXPECT_EQ(bytes.size(), 8 + length + 12);
}

TEST(Safetensors, ReadsFilesInAnyOrderAndWithSpaces) {
  const std::string header =
      "{ \"z\" : " + entry("U8", "[2]", "[0, 2]") + ", \"a\":" + entry("U8", "[1]", "[2,3]") + "}   ";
  Bytes bytes = file_of(header, 3);
  bytes.back() = std::byte{7};
  EXPECT_EQ(read_safetensors(bytes).at("a").item<int64_t>(), 7);
  EXPECT_TRUE(read_safetensors(file_of("{}", 0)).empty());
}

TEST(Safetensors, RefusesToWriteWhatItCannot) {
  EXPECT_ERROR(write_safetensors({{"__metadata__", Tensor::zeros({1})}}), ArgumentError, "cannot be named");
  EXPECT_ERROR(write_safetensors({{"t", Tensor()}}), ArgumentError, "tensor 't' is undefined");
}

TEST(Safetensors, RefusesHeadersThatDoNotFit) {
  EXPECT_EQ(error_of(Bytes(7)), "Truncated: safetensors: the file has 7 bytes, its header's length alone takes 8");
  Bytes bytes = file_of("{}", 0);
  const uint64_t long_one = 3, huge = 100'000'001;
  std::memcpy(bytes.data(), &long_one, 8);
  EXPECT_EQ(error_of(bytes), "Truncated: safetensors: the header declares 3 bytes, but there are 2");
  std::memcpy(bytes.data(), &huge, 8);
  EXPECT_EQ(error_of(bytes), "TooLarge: safetensors: the header declares 100000001 bytes; the limit is 100000000");
}

TEST(Safetensors, RefusesHeadersThatAreNotTheFormats) {
  EXPECT_NE(error_of("").find("does not begin with '{'"), std::string::npos);
  EXPECT_NE(error_of(" {}").find("does not begin with '{'"), std::string::npos);
  EXPECT_NE(error_of("{").find("not a JSON object"), std::string::npos);
  EXPECT_NE(error_of("{}x").find("not a JSON object"), std::string::npos);
  EXPECT_NE(error_of("{\"\xff\":1}").find("not a JSON object"), std::string::npos);
  EXPECT_NE(error_of("{\"a\":[[[[1]]]]}").find("nested deeper"), std::string::npos);
  EXPECT_NE(error_of("{" + std::string(100000, '[')).find("not a JSON object"), std::string::npos);
  EXPECT_NE(error_of("{\"a\":" + std::string(100000, '[')).find("nested deeper"), std::string::npos);
  const std::string e = entry("U8", "[0]", "[0,0]");
  EXPECT_NE(error_of("{\"a\":" + e + ",\"a\":" + e + "}").find("the key 'a' twice"), std::string::npos);
  EXPECT_NE(error_of("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}").find("the key 'dtype' twice"), std::string::npos);
  EXPECT_EQ(error_of("{\"a\":" + e + ",\"b\":" + e + "}"), "");
  EXPECT_NE(error_of("{\"__metadata__\":1}").find("__metadata__ is not an object"), std::string::npos);
  EXPECT_NE(error_of("{\"__metadata__\":{\"k\":1}}").find("'k' is not a string"), std::string::npos);
}

TEST(Safetensors, RefusesEntriesNamingTheTensor) {
  const auto error = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return error_of("{\"t\":" + entry(dtype, shape, offsets) + "}", 4);
  };
  EXPECT_EQ(error("F32", "[1]", "[0,4]"), "");
  EXPECT_EQ(error("F8_E4M3", "[4]", "[0,4]"), "");
  EXPECT_EQ(error("F4", "[8]", "[0,4]"), "Unsupported: safetensors: tensor 't': element type 'F4' is not supported");
  EXPECT_EQ(error("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), "Unsupported: safetensors: tensor 't': rank 9 is above 8");
  EXPECT_EQ(error("F32", "[2]", "[0,4]"),
            "Malformed: safetensors: tensor 't': shape [2] of float32 takes 8 bytes, data_offsets 0 to 4");
  for (const char* shape : {"[-1]", "[1.5]", "[\"1\"]", "[null]", "[true]"})
    EXPECT_NE(error("F32", shape, "[0,4]").find("tensor 't': extents must be integers"), std::string::npos) << shape;
  EXPECT_NE(error("F32", "3", "[0,4]").find("tensor 't': shape must be a list"), std::string::npos);
  EXPECT_NE(error("F32", "[1]", "[0]").find("tensor 't': data_offsets must be two numbers"), std::string::npos);
  EXPECT_NE(error("F32", "[1]", "[-4,0]").find("tensor 't': data_offsets must be integers"), std::string::npos);
  EXPECT_NE(error("F32", "[1]", "[4,0]").find("tensor 't'"), std::string::npos);
  EXPECT_NE(error_of("{\"t\":1}").find("tensor 't' must have dtype, shape and data_offsets"), std::string::npos);
  EXPECT_NE(error_of("{\"t\":{\"dtype\":\"U8\",\"shape\":[0],\"x\":1}}").find("tensor 't' has no data_offsets"),
            std::string::npos);
  EXPECT_NE(error_of("{\"t\":{\"dtype\":1,\"shape\":[0],\"data_offsets\":[0,0]}}").find("dtype must be a string"),
            std::string::npos);
}

TEST(Safetensors, RefusesHolesOverlapsAndMissingData) {
  const auto two = [](const std::string& a, const std::string& b, size_t data) {
    return error_of("{\"a\":" + entry("U8", "[2]", a) + ",\"b\":" + entry("U8", "[2]", b) + "}", data);
  };
  EXPECT_EQ(two("[0,2]", "[2,4]", 4), "");
  EXPECT_EQ(two("[0,2]", "[3,5]", 5),
            "Malformed: safetensors: tensor 'b' begins at 3 of the data, expected 2 (a hole)");
  EXPECT_EQ(two("[0,2]", "[1,3]", 3),
            "Malformed: safetensors: tensor 'b' begins at 1 of the data, expected 2 (an overlap)");
  EXPECT_EQ(two("[0,2]", "[2,4]", 5), "Malformed: safetensors: the data has 1 bytes that belong to no tensor");
  EXPECT_EQ(two("[0,2]", "[2,4]", 3), "Truncated: safetensors: tensor 'b' ends at 4 of the data, which has 3 bytes");
}

TEST(Safetensors, RefusesBooleansOtherThanZeroAndOne) {
  Bytes bytes = file_of("{\"t\":" + entry("BOOL", "[1]", "[0,1]") + "}", 1);
  bytes.back() = std::byte{2};
  EXPECT_NE(error_of(bytes).find("tensor 't' has a boolean"), std::string::npos);
}

TEST(Safetensors, HugeDeclaredSizesTakeNoMemory) {
  const auto before = memory_counters().bytes;
  for (const char* shape : {"[4611686018427387904]", "[4294967296,4294967296]", "[18446744073709551615]",
                            "[1000000000000]", "[0,18446744073709551615,18446744073709551615]"})
    for (const char* offsets : {"[0,4]", "[0,4000000000000]", "[0,18446744073709551612]", "[0,0]"})
      EXPECT_NE(error_of("{\"t\":" + entry("F32", shape, offsets) + "}", 4), "") << shape << offsets;
  EXPECT_EQ(memory_counters().bytes, before);
}

TEST(Safetensors, EveryTruncationIsRefused) {
  const Bytes whole = write_safetensors(sample_tensors(), {{"k", "v"}});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(error_of(Bytes(whole.begin(), whole.begin() + static_cast<long>(size))).starts_with("Truncated: "))
        << size;
}

TEST(Safetensors, EveryChangedByteOfTheHeaderIsAnErrorOrTensors) {
  Bytes bytes = write_safetensors(sample_tensors(), {{"k", "v"}});
  uint64_t header;
  std::memcpy(&header, bytes.data(), 8);
  for (size_t at = 0; at < 8 + header; ++at) {
    for (int value = 0; value < 256; value += at < 8 ? 1 : 5) {
      const std::byte kept = std::exchange(bytes[at], std::byte(value));
      error_of(bytes);
      bytes[at] = kept;
    }
  }
}

TEST(Safetensors, SavesAndLoadsFiles) {
  const auto path = (std::filesystem::temp_directory_path() / "onemodel_safetensors_test.safetensors").string();
  save_safetensors(path, sample_tensors(), {{"k", "v"}});
  std::map<std::string, std::string> metadata;
  EXPECT_EQ(load_safetensors(path, &metadata).size(), 5u);
  EXPECT_EQ(metadata.at("k"), "v");
  write_file(path, Bytes(3));
  EXPECT_ERROR(load_safetensors(path), ModelError, path, "3 bytes");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace onemodel::test
