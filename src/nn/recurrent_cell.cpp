#include "nn/recurrent_cell.h"

#include "eager/unbatched.h"
#include "nn/random.h"

namespace onemodel::nn {

RecurrentCell::RecurrentCell(std::string_view name, const RecurrentCellOptions& options, int64_t gates, size_t states)
    : name_(name), options_(options), states_(states) {
  check_at_least(1, name, "input_size", options.input_size);
  check_at_least(1, name, "hidden_size", options.hidden_size);
  const int64_t hidden = options.hidden_size, rows = gates * hidden;
  const auto add = [&](const char* what, const Dims& dims) {
    return register_parameter(what, fan_in_uniform(dims, hidden));
  };
  weights_.weight_ih = add("weight_ih", {rows, options.input_size});
  weights_.weight_hh = add("weight_hh", {rows, hidden});
  if (!options.bias) return;
  weights_.bias_ih = add("bias_ih", {rows});
  weights_.bias_hh = add("bias_hh", {rows});
}

std::vector<Tensor> RecurrentCell::forward(std::span<const Tensor> inputs) {
  check(!inputs.empty() && inputs.size() <= 1 + states_ && inputs[0].defined(), name_, ": the input and at most ",
        states_, " states were expected, got ", inputs.size(), " tensors");
  const Dims& x = inputs[0].dims();
  check<ShapeError>((x.size() == 1 || x.size() == 2) && x.back() == options_.input_size, name_,
                    ": the input must be [batch, ", options_.input_size, "] or [", options_.input_size, "], got ", x);
  Dims state = x;
  state[state.size() - 1] = options_.hidden_size;
  std::vector<Tensor> states(states_);
  const int64_t added = x.size() == 1 ? 2 : 1;  // axes: the step, and a batch where there is none
  const auto grown = [&](Tensor tensor) {
    for (int64_t i = 0; i < added; ++i) tensor = batch_of_one(tensor, 0);
    return tensor;
  };
  for (size_t i = 1; i < inputs.size(); ++i) {
    check<ShapeError>(!inputs[i].defined() || inputs[i].dims() == state, name_, ": state ", i - 1, " must be ", state,
                      ", got ", inputs[i].defined() ? inputs[i].dims() : state);
    states[i - 1] = grown(inputs[i]);
  }
  std::vector<Tensor> out = run_step(grown(inputs[0]), weights_, states);
  out.erase(out.begin());
  for (Tensor& each : out) each = added == 1 ? squeeze(each, {0}) : squeeze(each, {0, 1});
  return out;
}

RNNCell::RNNCell(const RNNCellOptions& o)
    : RecurrentCell(kName, {o.input_size, o.hidden_size, o.bias}, 1, 1), options_(o) {
  check(o.nonlinearity == "tanh" || o.nonlinearity == "relu", kName, ": nonlinearity must be tanh or relu, got '",
        o.nonlinearity, "'");
}

std::vector<Tensor> RNNCell::run_step(const Tensor& x, const RecurrentWeights& weights,
                                      std::span<const Tensor> states) {
  return rnn_layer(x, weights, states[0], false, options_.nonlinearity);
}

GRUCell::GRUCell(const RecurrentCellOptions& options) : RecurrentCell(kName, options, 3, 1), options_(options) {}

std::vector<Tensor> GRUCell::run_step(const Tensor& x, const RecurrentWeights& weights,
                                      std::span<const Tensor> states) {
  return gru_layer(x, weights, states[0]);
}

LSTMCell::LSTMCell(const RecurrentCellOptions& options) : RecurrentCell(kName, options, 4, 2), options_(options) {}

std::vector<Tensor> LSTMCell::run_step(const Tensor& x, const RecurrentWeights& weights,
                                       std::span<const Tensor> states) {
  return lstm_layer(x, weights, states[0], states[1]);
}

}  // namespace onemodel::nn
