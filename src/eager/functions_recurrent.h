#pragma once
// One direction of a recurrent layer with PyTorch's weights.

#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// Weights as PyTorch holds them: [gates * hidden, inputs], [gates * hidden, hidden] and biases [gates * hidden] or
/// undefined. Gates: LSTM i f g o, GRU r z n. They are brought to ONNX's order by Gather on the rows, which folds.
struct RecurrentWeights {
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;
};

/// x [steps, batch, inputs] from the first step to the last, or the other way round; h [1, batch, hidden] or undefined
/// (zeros). Returns y [steps, batch, hidden] and the last h [1, batch, hidden]. Traced as RNN. `nonlinearity` is tanh
/// or relu. `lengths` (int32, [batch], or undefined: all steps) says how many steps each row has, 0 to `steps`: y is 0
/// after them, the last state is that of the row's last step, and the reverse way starts there.
std::vector<Tensor> rnn_layer(const Tensor& x, const RecurrentWeights& weights, const Tensor& h, bool reverse = false,
                              std::string_view nonlinearity = "tanh", const Tensor& lengths = {});
/// As above; traced as GRU with linear_before_reset.
std::vector<Tensor> gru_layer(const Tensor& x, const RecurrentWeights& weights, const Tensor& h, bool reverse = false,
                              const Tensor& lengths = {});
/// As above with the cell c; returns y, h and c. Traced as LSTM.
std::vector<Tensor> lstm_layer(const Tensor& x, const RecurrentWeights& weights, const Tensor& h, const Tensor& c,
                               bool reverse = false, const Tensor& lengths = {});

}  // namespace onemodel
