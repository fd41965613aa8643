// Fits y = 2x + 1 with one linear layer, saves and loads a checkpoint, traces the layer with a symbolic batch, saves
// both model files, and runs the reloaded models in sessions. Usage: example_line [folder for the files].

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "eager/autograd.h"
#include "format/file.h"
#include "nn/checkpoint.h"
#include "nn/layers.h"
#include "nn/losses.h"
#include "nn/random.h"
#include "nn/sgd.h"
#include "runtime/session.h"
#include "trace/trace_module.h"

using namespace onemodel;

namespace {

void print(const char* what, const std::vector<float>& values) {
  std::printf("%-9s", what);
  for (const float value : values) std::printf(" %9.6f", static_cast<double>(value));
  std::printf("\n");
}

bool run(const std::string& folder) {
  nn::manual_seed(42);
  const Tensor x = Tensor::from({0.0f, 1.0f, 2.0f, 3.0f}, {4, 1});
  const Tensor y = Tensor::from({1.0f, 3.0f, 5.0f, 7.0f}, {4, 1});
  nn::Linear model(1, 1);
  nn::SGD optimizer(model.parameters(), {.lr = 0.05});
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    backward(nn::mse_loss(model(x), y));
    optimizer.step();
  }

  const std::string checkpoint = folder + "/line.safetensors";
  write_file(checkpoint, nn::save_checkpoint(model, &optimizer));
  nn::Linear restored(1, 1);
  nn::load_checkpoint(read_file(checkpoint), restored);

  const TracedModel traced = trace_module(restored, x, std::vector<std::string>{"batch", ""});
  traced.save_onnx(folder + "/line.onnx");
  traced.save(folder + "/line.onemodel");

  const Tensor points = Tensor::from({4.0f, 5.0f, 6.0f}, {3, 1});
  const std::vector<float> eager = restored(points).to_vector<float>();
  print("eager", eager);
  bool right = true;
  for (const char* what : {".onnx", ".onemodel"}) {
    Session session = Session::load(folder + "/line" + what);
    const std::vector<float> values = session.run(std::span(&points, 1)).front().to_vector<float>();
    float difference = 0;
    for (size_t i = 0; i < 3; ++i) {
      difference = std::max(difference, std::abs(values[i] - eager[i]));
      right &= std::abs(values[i] - (9.0f + 2.0f * static_cast<float>(i))) < 0.1f;
    }
    print(what, values);
    std::printf("          largest difference %g\n", static_cast<double>(difference));
    right &= difference <= 1e-5f;
  }
  return right;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (run(count > 1 ? arguments[1] : ".")) return 0;
    std::fprintf(stderr, "the values are wrong\n");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", error.name().c_str(), error.what());
  }
  return 1;
}
