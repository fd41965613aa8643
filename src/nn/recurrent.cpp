#include "nn/recurrent.h"

#include "eager/unbatched.h"
#include "nn/random.h"

namespace onemodel::nn {
namespace {

RecurrentOptions shared_options(const RNNOptions& o) {
  return {o.input_size, o.hidden_size, o.num_layers, o.bias, o.batch_first, o.dropout, o.bidirectional};
}

Tensor swap_batch(const Tensor& x) { return permute(x, {1, 0, 2}); }

}  // namespace

RecurrentLayer::RecurrentLayer(std::string_view name, const RecurrentOptions& options, int64_t gates, size_t states)
    : name_(name), options_(options), states_(states) {
  check_at_least(1, name, "input_size", options.input_size);
  check_at_least(1, name, "hidden_size", options.hidden_size);
  check_at_least(1, name, "num_layers", options.num_layers);
  check(options.dropout >= 0 && options.dropout <= 1, name, ": dropout must be in [0, 1], got ", options.dropout);
  const int64_t hidden = options.hidden_size, rows = gates * hidden, directions = options.bidirectional ? 2 : 1;
  for (int64_t layer = 0; layer < options.num_layers; ++layer)
    for (int64_t d = 0; d < directions; ++d) {
      const std::string suffix = concat("_l", layer, d == 1 ? "_reverse" : "");
      const auto add = [&](std::string_view what, const Dims& dims) {
        return register_parameter(concat(what, suffix), fan_in_uniform(dims, hidden));
      };
      RecurrentWeights w;
      w.weight_ih = add("weight_ih", {rows, layer == 0 ? options.input_size : directions * hidden});
      w.weight_hh = add("weight_hh", {rows, hidden});
      if (options.bias) {
        w.bias_ih = add("bias_ih", {rows});
        w.bias_hh = add("bias_hh", {rows});
      }
      weights_.push_back(w);
    }
}

void RecurrentLayer::check_inputs(std::span<const Tensor> inputs, const Tensor& lengths) const {
  check(inputs.size() == 1 || inputs.size() == 1 + states_, name_, ": the input, ", states_,
        " states or none, and lengths or none were expected, got ", inputs.size() + (lengths.defined() ? 1 : 0),
        " tensors");
  check(inputs[0].defined(), name_, ": the input is missing");
  const Dims& x = inputs[0].dims();
  check<ShapeError>(x.size() == 3 && x[2] == options_.input_size, name_, ": the input must be ",
                    options_.batch_first ? "[batch, steps, " : "[steps, batch, ", options_.input_size, "], got ", x);
  const int64_t batch = x[options_.batch_first ? 0 : 1];
  const Dims state = {static_cast<int64_t>(weights_.size()), batch, options_.hidden_size};
  for (size_t i = 1; i < inputs.size(); ++i)
    check<ShapeError>(!inputs[i].defined() || inputs[i].dims() == state, name_, ": state ", i - 1, " must be ", state,
                      ", got ", inputs[i].defined() ? inputs[i].dims() : state);
  check<ShapeError>(!lengths.defined() || lengths.dims() == Dims{batch}, name_, ": lengths must be [", batch, "], got ",
                    lengths.defined() ? lengths.dims() : Dims{});
}

std::vector<Tensor> RecurrentLayer::without_batch(std::span<const Tensor> inputs) {
  const int64_t axis = options_.batch_first ? 0 : 1;
  std::vector<Tensor> batch = {batch_of_one(inputs[0], axis)};
  for (const Tensor& state : inputs.subspan(1)) batch.push_back(batch_of_one(state, 1));
  std::vector<Tensor> out = forward(batch);
  for (size_t i = 0; i < out.size(); ++i) out[i] = squeeze(out[i], {i == 0 ? axis : 1});
  return out;
}

std::vector<Tensor> RecurrentLayer::forward(std::span<const Tensor> inputs) {
  Tensor lengths;
  if (inputs.size() > 1 && inputs.back().defined() && is_integer(inputs.back().dtype())) {
    lengths = inputs.back();
    inputs = inputs.first(inputs.size() - 1);
  }
  if (!lengths.defined() && !inputs.empty() && inputs[0].defined() && inputs[0].rank() == 2)
    return without_batch(inputs);
  check_inputs(inputs, lengths);
  if (lengths.defined() && lengths.dtype() != DType::i32) lengths = cast(lengths, DType::i32);
  const size_t directions = options_.bidirectional ? 2 : 1;
  Tensor x = options_.batch_first ? swap_batch(inputs[0]) : inputs[0];
  std::vector<std::vector<Tensor>> last(states_);
  for (size_t first = 0; first < weights_.size(); first += directions) {
    if (first > 0) x = dropout(x, options_.dropout, training(), default_generator());
    std::vector<Tensor> outputs;
    for (size_t d = 0; d < directions; ++d) {
      std::vector<Tensor> states(states_);
      const auto at = static_cast<int64_t>(first + d);
      for (size_t s = 0; s < states_; ++s)
        if (inputs.size() > 1 && inputs[s + 1].defined()) states[s] = slice(inputs[s + 1], 0, at, at + 1);
      const std::vector<Tensor> found = run_layer(x, weights_[first + d], states, lengths, d == 1);
      outputs.push_back(found[0]);
      for (size_t s = 0; s < states_; ++s) last[s].push_back(found[s + 1]);
    }
    x = directions == 1 ? outputs[0] : cat(outputs, -1);
  }
  std::vector<Tensor> out = {options_.batch_first ? swap_batch(x) : x};
  for (const auto& states : last) out.push_back(states.size() == 1 ? states[0] : cat(states, 0));
  return out;
}

RNN::RNN(const RNNOptions& options) : RecurrentLayer(kName, shared_options(options), 1, 1), options_(options) {
  check(options.nonlinearity == "tanh" || options.nonlinearity == "relu", kName,
        ": nonlinearity must be tanh or relu, got '", options.nonlinearity, "'");
}

std::vector<Tensor> RNN::run_layer(const Tensor& x, const RecurrentWeights& weights, std::span<const Tensor> states,
                                   const Tensor& lengths, bool reverse) {
  return rnn_layer(x, weights, states[0], reverse, options_.nonlinearity, lengths);
}

GRU::GRU(const RecurrentOptions& options) : RecurrentLayer(kName, options, 3, 1), options_(options) {}

std::vector<Tensor> GRU::run_layer(const Tensor& x, const RecurrentWeights& weights, std::span<const Tensor> states,
                                   const Tensor& lengths, bool reverse) {
  return gru_layer(x, weights, states[0], reverse, lengths);
}

LSTM::LSTM(const RecurrentOptions& options) : RecurrentLayer(kName, options, 4, 2), options_(options) {}

std::vector<Tensor> LSTM::run_layer(const Tensor& x, const RecurrentWeights& weights, std::span<const Tensor> states,
                                    const Tensor& lengths, bool reverse) {
  return lstm_layer(x, weights, states[0], states[1], reverse, lengths);
}

}  // namespace onemodel::nn
