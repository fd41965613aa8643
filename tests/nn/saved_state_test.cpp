// A model's state that PyTorch saved, loaded by name.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>

#include "format/safetensors.h"
#include "nn/containers.h"
#include "nn/goldens.h"
#include "nn/registry.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

std::vector<uint8_t> saved_file() {
  std::ifstream file(std::string(ONEMODEL_TEST_DATA) + "/nn/state.safetensors", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(SavedState, LoadsByNameAndGivesPyTorchsOutput) {
  const auto& golden = test::golden_section("saved");
  const std::shared_ptr<Module> model = test::golden_architecture(golden);
  const std::vector<uint8_t> file = saved_file();
  model->load_state_dict(read_safetensors(std::as_bytes(std::span<const uint8_t>(file))));
  EXPECT_EQ(model->state_dict().at("1.num_batches_tracked").item<int64_t>(), 1);
  model->eval();
  const Tensor y = (*model)(test::golden_tensor(golden.at("x")));
  EXPECT_TRUE(test::close(y.detach(), test::golden_tensor(golden.at("y")), 1e-6));
}

}  // namespace
}  // namespace onemodel::nn
