// Options by name in a program that is compiled with all warnings: what is left out has a default.
#include <onemodel/onemodel.h>

#include <iostream>

using namespace onemodel;

void options() {
  nn::Embedding embedding({.num_embeddings = 3, .embedding_dim = 2});
  nn::MaxPool2d pool({.kernel_size = 2});
  nn::AvgPool2d mean({.kernel_size = 2});
  nn::Conv2d conv({.in_channels = 1, .out_channels = 2, .kernel_size = 3});
  nn::Upsample up({.mode = "nearest"});
  nn::MultiheadAttention attention({.embed_dim = 4, .num_heads = 2});
  nn::LSTM lstm({.input_size = 2, .hidden_size = 3});
  nn::RMSNorm norm({.normalized_shape = {3}});
  nn::cross_entropy(Tensor(), Tensor(), {.label_smoothing = 0.1});
  nn::binary_cross_entropy_with_logits(Tensor(), Tensor(), {.reduction = "sum"});
  scaled_dot_product_attention(Tensor(), Tensor(), Tensor(), {}, {.is_causal = true});
  nn::SGD sgd({}, {.lr = 1});
  nn::AdamW adam({}, {.lr = 1});
  nn::StepLR step(sgd, {.step_size = 1});
  nn::OneCycleLR cycle(adam, {.max_lr = 1, .total_steps = 10});
  write_onnx(Graph());
  save_onnx("m.onnx", Graph(), 1024);
  const std::vector<std::string> names = {"all", "last", "cell"};
  const TracedModel traced = trace_module(lstm, {{"x", Tensor(), {"length", "", ""}}, {"h", Tensor()}}, names);
  std::cout << Tensor() << Dims{2} << DType::f32 << traced.warnings.size();
}
