// A model's state that PyTorch saved, loaded by name.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <span>

#include "format/safetensors.h"
#include "nn/goldens.h"
#include "nn/layers.h"
#include "nn/registry.h"
#include "support/compare.h"

namespace onemodel::nn {
namespace {

std::map<std::string, Tensor> saved_file(const std::string& name) {
  std::ifstream file(concat(ONEMODEL_TEST_DATA, "/nn/", name), std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return read_safetensors(std::as_bytes(std::span<const uint8_t>(bytes)));
}

// The Reader of scripts/golden/state.py.
class Reader final : public Module {
 public:
  Reader() {
    words_ = register_module("words", std::make_shared<Embedding>(EmbeddingOptions{7, 4, 0}));
    memory_ = register_module(
        "memory", std::make_shared<LSTM>(RecurrentOptions{
                      .input_size = 4, .hidden_size = 3, .num_layers = 2, .batch_first = true, .bidirectional = true}));
    attention_ = register_module("attention", std::make_shared<MultiheadAttention>(MultiheadAttentionOptions{
                                                  .embed_dim = 6, .num_heads = 2, .batch_first = true}));
    const TransformerEncoderLayer layer({.d_model = 6, .nhead = 3, .dim_feedforward = 5, .batch_first = true});
    const auto norm = std::make_shared<LayerNorm>(LayerNormOptions{.normalized_shape = {6}});
    encoder_ = register_module("encoder", std::make_shared<TransformerEncoder>(layer, 2, norm));
  }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    const Tensor y = static_cast<Module&>(*memory_)(std::vector{(*words_)(inputs[0])}).front();
    return {(*encoder_)((*attention_)(y))};
  }
  std::string describe() const override { return "Reader()"; }

 private:
  std::shared_ptr<Embedding> words_;
  std::shared_ptr<LSTM> memory_;
  std::shared_ptr<MultiheadAttention> attention_;
  std::shared_ptr<TransformerEncoder> encoder_;
};

TEST(SavedState, LoadsByNameAndGivesPyTorchsOutput) {
  const auto& golden = test::golden_section("saved");
  const std::shared_ptr<Module> model = test::golden_architecture(golden);
  model->load_state_dict(saved_file("state.safetensors"));
  EXPECT_EQ(model->state_dict().at("1.num_batches_tracked").item<int64_t>(), 1);
  model->eval();
  const Tensor y = (*model)(test::golden_tensor(golden.at("x")));
  EXPECT_TRUE(test::close(y.detach(), test::golden_tensor(golden.at("y")), 1e-6));
}

TEST(SavedState, OfRecurrentAndAttentionLayersLoadsToo) {
  const auto& golden = test::golden_section("saved_reader");
  Reader reader;
  reader.load_state_dict(saved_file("reader.safetensors"));
  reader.eval();
  const Tensor y = static_cast<Module&>(reader)(test::golden_operand(golden.at("x")));
  EXPECT_TRUE(test::close(y.detach(), test::golden_tensor(golden.at("y")), 2e-6));
}

}  // namespace
}  // namespace onemodel::nn
