#include "support/exact_bits.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace onemodel::test {
namespace {

const std::string kFile = std::string(ONEMODEL_TEST_DATA) + "/exact_bits.json";

nlohmann::ordered_json read_hashes() {
  std::ifstream file(kFile);
  return file ? nlohmann::ordered_json::parse(file) : nlohmann::ordered_json::object();
}

// FNV-1a, 64 bits.
class Hash {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) value_ = (value_ ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
  }
  std::string text() const {
    char out[17];
    std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(value_));
    return out;
  }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

template <class T>
void canonicalize_nan(T* values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (values[i] != values[i]) values[i] = std::numeric_limits<T>::quiet_NaN();
}

}  // namespace

void expect_exact_bits(const std::string& name, std::span<const Tensor> tensors) {
  Hash hash;
  for (const Tensor& tensor : tensors) {
    Tensor copy = tensor.clone();
    if (copy.dtype() == DType::f32) canonicalize_nan(copy.mutable_raw_as<float>(), copy.numel());
    if (copy.dtype() == DType::f64) canonicalize_nan(copy.mutable_raw_as<double>(), copy.numel());
    if (copy.dtype() != DType::string)
      hash.add(std::span(copy.raw_as<std::byte>(), copy.bytes()));
    else
      for (const std::string& text : copy.to_vector<std::string>())
        hash.add(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
  }
  nlohmann::ordered_json hashes = read_hashes();
  if (std::getenv("ONEMODEL_WRITE_GOLDENS")) {
    hashes[name] = hash.text();
    std::ofstream(kFile) << hashes.dump(1) << '\n';
    return;
  }
  ASSERT_TRUE(hashes.contains(name)) << name << " is not in " << kFile << ": run with ONEMODEL_WRITE_GOLDENS=1";
  EXPECT_EQ(hash.text(), hashes[name].get<std::string>()) << name << " has other bits than on file";
}

}  // namespace onemodel::test
