// Which side of a circle a point is on: a module of one's own is trained, traced with a symbolic batch, exported with a
// bound on the batch, saved, and run in sessions. docs/cpp.md shows it. Usage: example_classifier [folder for the files].

#include <onemodel/onemodel.h>
#include <cstdio>

using namespace onemodel;

class Classifier final : public nn::Module {
 public:
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override {
    return {(*last_)(tanh((*first_)(inputs[0])))};
  }
  std::string describe() const override { return "Classifier()"; }

 private:
  std::shared_ptr<nn::Linear> first_ = register_module("first", std::make_shared<nn::Linear>(2, 16));
  std::shared_ptr<nn::Linear> last_ = register_module("last", std::make_shared<nn::Linear>(16, 1));
};

// Points of [-1, 1)², and whether they are inside: [count, 2] and [count, 1].
std::pair<Tensor, Tensor> points(int64_t count) {
  const Tensor xy = nn::rand({count, 2}) * 2.0 - 1.0;
  return {xy, cast(less(sum(xy * xy, {1}, true), Tensor::scalar(0.5f)), DType::f32)};
}

bool run(const std::string& folder) {
  set_threads(2);  // one unless this is called
  nn::manual_seed(1);
  Classifier model;
  nn::Adam optimizer(model.parameters(), {.lr = 0.02});
  const auto [x, y] = points(512);
  float loss = 0;
  for (int step = 0; step < 300; ++step) {
    const Tensor value = nn::binary_cross_entropy_with_logits(model(x), y);
    optimizer.zero_grad();
    backward(value);
    optimizer.step();
    loss = value.item<float>();
  }
  std::printf("loss %.3f\n", static_cast<double>(loss));

  const std::vector<std::string> axes = {"batch", ""};
  trace_module(model, x, axes).save_onnx(folder + "/classifier.onnx");
  Session session = Session::load(folder + "/classifier.onnx", {.arithmetic = Arithmetic::exact});
  const Tensor two = Tensor::from({0.1f, 0.2f, 0.9f, -0.9f}, {2, 2});
  const std::vector<float> logits = session.run(std::span(&two, 1)).front().to_vector<float>();
  std::printf("in %.1f, out %.1f\n", static_cast<double>(logits[0]), static_cast<double>(logits[1]));

  const ShapeSpec sizes = ShapeSpec::of({ShapeSpec::axes({{0, Dim("batch", 1, 1024)}})});
  const ExportedProgram program = export_program(model, std::span(&x, 1), {.dynamic_shapes = sizes});
  save_program(folder + "/classifier.onemodel", program);
  ProgramSession bounded(load_program(folder + "/classifier.onemodel"));
  try {
    const Tensor many = Tensor::zeros({2000, 2});
    bounded.run(std::span(&many, 1));
    return false;
  } catch (const Error& error) {
    std::printf("%s: %s\n", error.name().c_str(), error.what());
  }
  return loss < 0.2f && logits[0] > 0 && logits[1] < 0;
}

int main(int count, char** arguments) { return run(count > 1 ? arguments[1] : ".") ? 0 : 1; }
