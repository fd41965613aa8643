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
  EXPECT_EQ(onnx_external_files(model({{"location", "weights.bin"}}).bytes()), Names{"weights.bin"});
  EXPECT_TRUE(onnx_external_files(ModelFile().input("x", {}).output("x").bytes()).empty());
}

}  // namespace
}  // namespace onemodel::test
