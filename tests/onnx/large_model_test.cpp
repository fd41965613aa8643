// A model whose weights are larger than any protocol buffer.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/storage.h"
#include "format/file.h"
#include "onnx/model_file.h"
#include "runtime/session.h"

namespace onemodel::test {
namespace {

constexpr int64_t kTables = 3, kRows = 720'000, kColumns = 1000, kTableBytes = kRows * kColumns;

// Each output is the row `at` of a table of bytes in weights.bin.
ModelFile tables() {
  ModelFile file;
  file.input("at", {}, DType::i64);
  for (int64_t i = 0; i < kTables; ++i) {
    const std::string name = concat("table", i);
    auto& tensor = file.add_initializer(name, {kRows, kColumns}, onnx::TensorProto::UINT8);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    const std::pair<std::string, std::string> entries[] = {{"location", "weights.bin"},
                                                           {"offset", concat(i * kTableBytes)}};
    for (const auto& [key, value] : entries) {
      auto& entry = *tensor.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    }
    file.node("Gather", {name, "at"}, {concat("row", i)}).output(concat("row", i));
  }
  return file;
}

int64_t available_kilobytes() {
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;) {
    int64_t amount = 0;
    if (word == "MemAvailable:" && in >> amount) return amount;
  }
  return 0;
}

TEST(LargeModel, ReadsWeightsAboveTwoGigabytesIntoPlace) {
  if (sizeof(void*) < 8) GTEST_SKIP() << "addresses have 32 bits";
  const int64_t needed = 2 * kTables * kTableBytes / 1024;
  if (available_kilobytes() < needed) GTEST_SKIP() << "needs " << needed << " KB of memory";
  const auto folder = std::filesystem::path(testing::TempDir()) / "onemodel_large_model";
  std::filesystem::create_directories(folder);
  struct Remove {
    const std::filesystem::path& folder;
    ~Remove() { std::filesystem::remove_all(folder); }
  } remove{folder};
  const std::string model = (folder / "model.onnx").string();
  write_file(model, tables().bytes());
  {
    std::fstream weights(folder / "weights.bin", std::ios::binary | std::ios::out);
    for (int64_t i = 0; i < kTables; ++i) {
      weights.seekp((i + 1) * kTableBytes - 1);
      weights.put(static_cast<char>(i + 1));
    }
    if (!weights.flush()) GTEST_SKIP() << "the disk takes no file of " << kTables * kTableBytes << " bytes";
  }
  const int64_t before = memory_counters().bytes;
  Session session = Session::load(model);
  const std::vector<Tensor> rows = session.run(std::vector{Tensor::scalar(kRows - 1)});
  for (int64_t i = 0; i < kTables; ++i) {
    const auto row = rows[static_cast<size_t>(i)].to_vector<uint8_t>();
    EXPECT_EQ(row[kColumns - 2], 0);
    EXPECT_EQ(row[kColumns - 1], i + 1);
  }
  EXPECT_LT(memory_counters().bytes - before, kTables * kTableBytes + (1 << 20));
}

}  // namespace
}  // namespace onemodel::test
