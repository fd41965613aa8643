#include "ops/recurrent_shape.h"

namespace onemodel {
namespace {

// Sizes of a sample: steps, batch, inputs, hidden.
struct Sizes {
  int64_t steps = 3, batch = 2, inputs = 2, hidden = 2;
};

Tensor weights(const Dims& dims, uint64_t seed) { return sample_values(dims, -0.9, 0.9, DType::f32, seed); }

// X, W, R, B.
std::vector<Tensor> operands(const RecurrentKind& kind, const RecurrentAttributes& a, Sizes s = {}) {
  const int64_t d = recurrent_directions(a), rows = kind.gates * s.hidden;
  const Dims x = a.layout ? Dims{s.batch, s.steps, s.inputs} : Dims{s.steps, s.batch, s.inputs};
  return {weights(x, 1), weights({d, rows, s.inputs}, 2), weights({d, rows, s.hidden}, 3), weights({d, 2 * rows}, 4)};
}

Dims state(const RecurrentAttributes& a, Sizes s = {}) {
  const int64_t d = recurrent_directions(a);
  return a.layout ? Dims{s.batch, d, s.hidden} : Dims{d, s.batch, s.hidden};
}

std::vector<Tensor> with_states(const RecurrentKind& kind, const RecurrentAttributes& a) {
  std::vector<Tensor> in = operands(kind, a);
  in.push_back(Tensor::from<int32_t>({3, 1}, {2}));
  in.push_back(weights(state(a), 5));
  if (kind.has_cell) {
    in.push_back(weights(state(a), 6));
    in.push_back(weights({recurrent_directions(a), 6}, 7));
  }
  return in;
}

// Every attribute that the three share, once.
template <class O>
std::vector<Sample> shared_samples(const RecurrentKind& kind) {
  const size_t outputs = kind.has_cell ? 3 : 2;
  std::vector<Sample> out;
  const auto add = [&](O op, std::vector<Tensor> inputs) { out.push_back({op, std::move(inputs), {}, outputs, 4e-6}); };
  O op;
  auto plain = operands(kind, op);
  out.push_back({op, {plain[0], plain[1], plain[2]}, {}, 1, 4e-6});
  add(op, operands(kind, op, {.steps = 1, .batch = 3, .inputs = 1, .hidden = 4}));
  add(op, with_states(kind, op));
  for (const char* direction : {"reverse", "bidirectional"})
    for (const int64_t layout : {0, 1}) {
      op.direction = direction;
      op.layout = layout;
      add(op, with_states(kind, op));
    }
  O clipped;
  clipped.clip = 0.6f;
  clipped.hidden_size = 2;
  add(clipped, operands(kind, clipped));
  const auto fails = [&](O bad, std::vector<Tensor> inputs, std::string error) {
    out.push_back({std::move(bad), std::move(inputs), std::move(error)});
  };
  const auto changed = [&](auto&& change) {
    O bad;
    change(bad);
    return bad;
  };
  fails(changed([](O& o) { o.direction = "backward"; }), plain, "direction expects forward, reverse or bidirectional");
  fails(changed([](O& o) { o.layout = 2; }), plain, "layout expects 0 or 1, got 2");
  fails(changed([](O& o) { o.clip = -1.0f; }), plain, "clip expects a positive number, got -1");
  fails(changed([](O& o) { o.hidden_size = 3; }), plain, "hidden_size is 3, but 'R' has shape");
  fails(changed([](O& o) { o.activations = "Tanh,Tanh,Tanh,Tanh"; }), plain, "activations expects");
  fails(changed([](O& o) { o.direction = "bidirectional"; }), plain, "'W' expects shape [2, ");
  O plain_op;
  plain[3] = weights({1, 3}, 4);
  fails(plain_op, plain, "'B' expects shape");
  plain[3] = Tensor();
  plain.push_back(Tensor::from<int32_t>({1}, {1}));
  fails(plain_op, plain, "'sequence_lens' expects shape [2], got [1]");
  plain[4] = sample_ints({1, 1});
  fails(plain_op, plain, "input 'sequence_lens' expects int32, got int64");
  plain[4] = Tensor();
  plain.push_back(weights({2, 1, 2}, 5));
  fails(plain_op, plain, "'initial_h' expects shape [1, 2, 2], got [2, 1, 2]");
  return out;
}

// The good samples of the forward operator with gradients of all or some outputs.
template <class G, class O>
std::vector<Sample> gradient_samples(const RecurrentKind& kind) {
  std::vector<Sample> out;
  for (const Sample& forward : shared_samples<O>(kind)) {
    if (!forward.error.empty()) continue;
    Sample sample = forward;
    const O& op = *forward.op.template as<O>();
    const Dims &x = forward.inputs[kX].dims(), &r = forward.inputs[kR].dims();
    sample.op = G{op};
    sample.inputs.resize(kind.operands);
    const Dims y = op.layout ? Dims{x[0], x[1], r[0], r[2]} : Dims{x[0], r[0], x[1], r[2]};
    const Dims last = op.layout ? Dims{x[0], r[0], r[2]} : Dims{r[0], x[1], r[2]};
    sample.inputs.push_back(out.size() % 3 == 1 ? Tensor() : weights(y, 8));
    sample.inputs.push_back(out.size() % 3 == 2 ? Tensor() : weights(last, 9));
    if (kind.has_cell) sample.inputs.push_back(weights(last, 10));
    sample.outputs = kind.has_cell ? 7 : 5;
    sample.tolerance = 1e-5;
    out.push_back(std::move(sample));
  }
  std::vector<Tensor> in = operands(kind, O{});
  in.resize(kind.operands);
  in.push_back(weights({3, 1, 2, 3}, 8));
  out.push_back({G{}, in, "'dY' expects shape [3, 1, 2, 2], got [3, 1, 2, 3]"});
  return out;
}

}  // namespace

std::vector<Sample> RNN::samples() {
  std::vector<Sample> out = shared_samples<RNN>(kRnnKind);
  RNN rectified;
  rectified.activations = "Relu";
  out.push_back({rectified, operands(kRnnKind, rectified), {}, 2, 4e-6});
  rectified.activations = "Identity";
  out.push_back({rectified, operands(kRnnKind, rectified), "the activation Identity is none of Sigmoid, Tanh, Relu, "});
  return out;
}

std::vector<Sample> GRU::samples() {
  std::vector<Sample> out = shared_samples<GRU>(kGruKind);
  GRU op;
  op.linear_before_reset = true;
  out.push_back({op, with_states(kGruKind, op), {}, 2, 4e-6});
  out.push_back({op, {operands(kGruKind, op)[0], operands(kGruKind, op)[1], operands(kGruKind, op)[2]}, {}, 2, 4e-6});
  op.direction = "bidirectional";
  op.activations = "tanh,sigmoid,Sigmoid,Tanh";
  out.push_back({op, with_states(kGruKind, op), {}, 2, 4e-6});
  op.activations = "HardSigmoid,Softsign,Elu,LeakyRelu";
  op.activation_alpha = {0.25, 0.75};
  out.push_back({op, with_states(kGruKind, op), {}, 2, 4e-6});
  return out;
}

std::vector<Sample> LSTM::samples() {
  std::vector<Sample> out = shared_samples<LSTM>(kLstmKind);
  LSTM op;
  op.input_forget = true;
  out.push_back({op, with_states(kLstmKind, op), {}, 3, 4e-6});
  std::vector<Tensor> in = with_states(kLstmKind, LSTM{});
  in[7] = weights({1, 4}, 7);
  out.push_back({LSTM{}, in, "'P' expects shape [1, 6], got [1, 4]"});
  op.input_forget = false;
  for (const char* names : {"Affine,ScaledTanh,Softplus", "Softsign,ThresholdedRelu,Elu"}) {
    op.activations = names;
    op.activation_alpha = {0.5, 0.75};
    op.activation_beta = {0.25, 1.5};
    out.push_back({op, with_states(kLstmKind, op), {}, 3, 4e-6});
  }
  op.activations = "Sigmoid,Tanh";
  out.push_back({op, with_states(kLstmKind, op), "activations expects 3 names"});
  return out;
}

std::vector<Sample> RNNGradient::samples() { return gradient_samples<RNNGradient, RNN>(kRnnKind); }
std::vector<Sample> GRUGradient::samples() { return gradient_samples<GRUGradient, GRU>(kGruKind); }
std::vector<Sample> LSTMGradient::samples() { return gradient_samples<LSTMGradient, LSTM>(kLstmKind); }

}  // namespace onemodel
