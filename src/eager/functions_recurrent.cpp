#include "eager/functions_recurrent.h"

#include "eager/apply.h"
#include "eager/functions.h"
#include "ops/recurrent.h"

namespace onemodel {
namespace {

using Order = std::initializer_list<int64_t>;

// Rows of gate blocks in another order.
Tensor reorder(const Tensor& rows, Order order) {
  if (order.size() == 1) return rows;
  const int64_t block = rows.dims()[0] / static_cast<int64_t>(order.size());
  std::vector<int64_t> places;
  for (const int64_t gate : order)
    for (int64_t i = 0; i < block; ++i) places.push_back(gate * block + i);
  return gather(rows, Tensor::from_ints(places), 0);
}

// What the operators take, of one direction; `order` has PyTorch's places of ONNX's gates.
std::vector<Tensor> operands(const Tensor& x, const RecurrentWeights& w, Order order, const Tensor& lengths,
                             const Tensor& h) {
  const auto one_direction = [&](const Tensor& tensor) { return unsqueeze(reorder(tensor, order), {0}); };
  std::vector<Tensor> out = {x, one_direction(w.weight_ih), one_direction(w.weight_hh), Tensor(), lengths, h};
  if (w.bias_ih.defined()) out[3] = cat({one_direction(w.bias_ih), one_direction(w.bias_hh)}, 1);
  return out;
}

template <class Op>
std::vector<Tensor> run(Op op, const std::vector<Tensor>& inputs, bool reverse, int64_t hidden) {
  op.direction = reverse ? "reverse" : "forward";
  op.hidden_size = hidden;
  std::vector<Tensor> out = apply(op, inputs, inputs.size() > 6 ? 3 : 2);
  out[0] = squeeze(out[0], {1});
  return out;
}

}  // namespace

std::vector<Tensor> rnn_layer(const Tensor& x, const RecurrentWeights& weights, const Tensor& h, bool reverse,
                              std::string_view nonlinearity, const Tensor& lengths) {
  check(nonlinearity == "tanh" || nonlinearity == "relu", "rnn_layer: nonlinearity must be tanh or relu, got '",
        nonlinearity, "'");
  RNN op;
  op.activations = nonlinearity == "relu" ? "Relu" : "Tanh";
  return run(op, operands(x, weights, {0}, lengths, h), reverse, weights.weight_hh.dims()[1]);
}

std::vector<Tensor> gru_layer(const Tensor& x, const RecurrentWeights& weights, const Tensor& h, bool reverse,
                              const Tensor& lengths) {
  GRU op;
  op.linear_before_reset = true;
  return run(op, operands(x, weights, {1, 0, 2}, lengths, h), reverse, weights.weight_hh.dims()[1]);
}

std::vector<Tensor> lstm_layer(const Tensor& x, const RecurrentWeights& weights, const Tensor& h, const Tensor& c,
                               bool reverse, const Tensor& lengths) {
  std::vector<Tensor> inputs = operands(x, weights, {0, 3, 1, 2}, lengths, h);
  inputs.push_back(c);
  return run(LSTM{}, inputs, reverse, weights.weight_hh.dims()[1]);
}

}  // namespace onemodel
