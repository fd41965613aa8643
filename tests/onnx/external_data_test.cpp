// Weights in files beside the model.

#include "onnx/external_data.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "format/file.h"
#include "onnx/model_file.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

// y = x + w, with the three floats of w elsewhere.
ModelFile model(const Entries& entries) {
  ModelFile file;
  file.input("x", {"3"}).node("Add", {"x", "w"}, {"y"}).output("y");
  auto& w = file.add_initializer("w", {3}, 1);
  w.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    auto& entry = *w.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return file;
}

class ExternalData : public testing::Test {
 protected:
  ExternalData() : folder_(std::filesystem::path(testing::TempDir()) / "onemodel_external_data") {
    std::filesystem::create_directories(folder_);
    const std::array<float, 5> values{9, 1, 2, 3, 9};
    write_file((folder_ / "weights.bin").string(), std::as_bytes(std::span(values)));
  }
  ~ExternalData() override { std::filesystem::remove_all(folder_); }

  Tensor run(const Entries& entries) const {
    const std::string path = (folder_ / "model.onnx").string();
    write_file(path, model(entries).bytes());
    return Session::load(path).run(std::vector{Tensor::from({10.f, 20.f, 30.f}, {3})})[0];
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ExternalData, IsReadBesideTheModel) {
  const Tensor expected = Tensor::from({11.f, 22.f, 33.f}, {3});
  EXPECT_TRUE(same_bits(run({{"location", "weights.bin"}, {"offset", "4"}, {"length", "12"}}), expected));
  EXPECT_TRUE(same_bits(run({{"location", "weights.bin"}, {"offset", "4"}}), expected));
  EXPECT_EQ(run({{"location", "weights.bin"}}).to_vector<float>(), (std::vector<float>{19, 21, 32}));
}

TEST_F(ExternalData, StaysInTheFolderAndInTheFile) {
  for (const char* name : {"../weights.bin", "/etc/hostname", "..", "a/b", "a\\b", ""})
    EXPECT_ERROR(run({{"location", name}}), ModelError, "initializer 'w'");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"offset", "12"}}), ModelError, "has 20 bytes, expected 12 from 12");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"offset", "18446744073709551615"}}), ModelError, "has 20 bytes");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"offset", "-4"}}), ModelError, "'offset' expects a number of bytes");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"length", "8"}}), ModelError,
               "8 bytes of 'weights.bin' do not fit the 12");
  EXPECT_ERROR(run({{"location", "missing.bin"}}), Error, "missing.bin");
}

TEST_F(ExternalData, IsRefusedWhereThereIsNoFolder) {
  EXPECT_NE(model({{"location", "weights.bin"}}).error().find("Unsupported: "), std::string::npos);
  EXPECT_NE(
      model({{"location", "weights.bin"}}).error().find("the file 'weights.bin' (external data), which is not at"),
      std::string::npos);
}

// Two tensors that share bytes, and what comes before and after them.
TEST(ExternalPieces, ReachTheTensorsThatNameThem) {
  ModelFile file = model({{"location", "weights.bin"}, {"offset", "4"}});
  file.node("Sub", {"y", "v"}, {"z"}).output("z");
  auto& v = file.add_initializer("v", {3}, 1);
  v.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : Entries{{"location", "weights.bin"}, {"offset", "8"}}) {
    auto& entry = *v.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  const std::array<float, 6> values{9, 1, 2, 3, 4, 9};
  const auto bytes = std::as_bytes(std::span(values));
  for (const size_t piece : {1, 3, 7, 24}) {
    OnnxReader reader(file.bytes());
    EXPECT_EQ(reader.missing(), Names{"weights.bin"});
    for (size_t at = 0; at < bytes.size(); at += piece)
      reader.feed("weights.bin", at, bytes.subspan(at, std::min(piece, bytes.size() - at)));
    EXPECT_TRUE(reader.missing().empty());
    const std::vector<Tensor> results = Session(reader.finish()).run(std::vector{Tensor::zeros({3})});
    EXPECT_EQ(results[0].to_vector<float>(), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(results[1].to_vector<float>(), (std::vector<float>{-1, -1, -1}));
  }
}

TEST(ExternalPieces, ThatEndTooEarlyAreTold) {
  OnnxReader reader(model({{"location", "weights.bin"}, {"offset", "4"}}).bytes());
  reader.feed("weights.bin", 0, std::array<std::byte, 9>{});
  reader.feed("other.bin", 0, std::array<std::byte, 99>{});
  EXPECT_ERROR(reader.finish(), ModelError, "initializer 'w'", "'weights.bin' ends within the 12 bytes from 4");
  EXPECT_TRUE(OnnxReader(ModelFile().input("x", {}).output("x").bytes()).missing().empty());
}

// Booleans are 0 or 1 whatever the file has, and attributes may lie elsewhere too.
TEST(ExternalPieces, AreOfAnyTypeAndPlace) {
  ModelFile file;
  file.input("x", {"2"}, DType::boolean).node("Constant", {}, {"c"}).node("And", {"x", "c"}, {"a"});
  const auto elsewhere = [](onnx::TensorProto& tensor) {
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    auto& entry = *tensor.add_external_data();
    entry.set_key("location");
    entry.set_value("bits.bin");
  };
  auto& attribute = *file.graph().mutable_node(0)->add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(onnx::TensorProto::BOOL);
  attribute.mutable_t()->add_dims(2);
  elsewhere(*attribute.mutable_t());
  elsewhere(file.add_initializer("w", {2}, onnx::TensorProto::BOOL));
  file.node("Equal", {"a", "w"}, {"y"}).output("y");
  OnnxReader reader(file.bytes());
  reader.feed("bits.bin", 0, std::array{std::byte{7}, std::byte{0}});
  const Tensor x = Tensor::full({2}, 1, DType::boolean);
  const std::vector<Tensor> results = Session(reader.finish()).run(std::vector{x});
  EXPECT_EQ(results[0].to_vector<bool>(), (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace onemodel::test
