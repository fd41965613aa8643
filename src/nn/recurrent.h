#pragma once
// Recurrent layers: RNN, GRU and LSTM, stacked and in both directions.

#include "eager/functions_recurrent.h"
#include "nn/layer.h"

namespace onemodel::nn {

struct RecurrentOptions {
  int64_t input_size = 0, hidden_size = 0, num_layers = 1;
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  static constexpr auto fields() {
    using O = RecurrentOptions;
    return std::tuple{required_field("input_size", &O::input_size, "extent of the input's last axis"),
                      required_field("hidden_size", &O::hidden_size, "extent of the state"),
                      field("num_layers", &O::num_layers, "layers on top of each other"),
                      field("bias", &O::bias, "whether biases are added"),
                      field("batch_first", &O::batch_first, "whether the batch comes before the steps"),
                      field("dropout", &O::dropout, "probability of dropout between layers"),
                      field("bidirectional", &O::bidirectional, "whether each layer runs both ways")};
  }
};

struct RNNOptions {
  int64_t input_size = 0, hidden_size = 0, num_layers = 1;
  std::string nonlinearity = "tanh";
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  static constexpr auto fields() {
    using O = RNNOptions;
    return std::tuple{required_field("input_size", &O::input_size, "extent of the input's last axis"),
                      required_field("hidden_size", &O::hidden_size, "extent of the state"),
                      field("num_layers", &O::num_layers, "layers on top of each other"),
                      field("nonlinearity", &O::nonlinearity, "tanh or relu"),
                      field("bias", &O::bias, "whether biases are added"),
                      field("batch_first", &O::batch_first, "whether the batch comes before the steps"),
                      field("dropout", &O::dropout, "probability of dropout between layers"),
                      field("bidirectional", &O::bidirectional, "whether each layer runs both ways")};
  }
};

/// What the three share. Input: x [steps, batch, input_size] ([batch, steps, input_size] with batch_first) and
/// optionally the first states [num_layers * directions, batch, hidden_size]; zeros when absent. After these, or the
/// input, may come the steps of each row, int64 or int32 [batch], 0 to `steps`, as of PyTorch's packed sequences: y is 0
/// after them, the last states are those of the row's last step, and the reverse way starts there. Outputs: y [steps,
/// batch, directions * hidden_size] of the last layer, and the last states. Parameters weight_ih_l0, weight_hh_l0,
/// bias_ih_l0, bias_hh_l0, then those with suffix _reverse, and so on for each layer, in PyTorch's gate order, all
/// uniform in [-b, b) with b = 1 / sqrt(hidden_size). Without lengths all may be without their batch axis.
class RecurrentLayer : public Module {
 public:
  std::vector<Tensor> forward(std::span<const Tensor> inputs) final;

 protected:
  /// `states`: 1, or 2 with a cell.
  RecurrentLayer(std::string_view name, const RecurrentOptions& options, int64_t gates, size_t states);
  /// One direction of one layer; returns y and the last states, each [1, batch, hidden].
  virtual std::vector<Tensor> run_layer(const Tensor& x, const RecurrentWeights& weights,
                                        std::span<const Tensor> states, const Tensor& lengths, bool reverse) = 0;

 private:
  void check_inputs(std::span<const Tensor> inputs, const Tensor& lengths) const;
  std::vector<Tensor> without_batch(std::span<const Tensor> inputs);
  std::string_view name_;
  RecurrentOptions options_;
  size_t states_;
  std::vector<RecurrentWeights> weights_;  // by layer, then direction
};

/// h' = tanh(W x + b + R h + b), or relu.
class RNN final : public RecurrentLayer {
 public:
  static constexpr std::string_view kName = "RNN";
  static constexpr std::string_view kDoc = "recurrent layer; returns the outputs and the last state";
  using Options = RNNOptions;
  explicit RNN(const RNNOptions& options);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  std::vector<Tensor> run_layer(const Tensor& x, const RecurrentWeights& weights, std::span<const Tensor> states,
                                const Tensor& lengths, bool reverse) override;
  RNNOptions options_;
};

/// Gated recurrent unit.
class GRU final : public RecurrentLayer {
 public:
  static constexpr std::string_view kName = "GRU";
  static constexpr std::string_view kDoc = "gated recurrent unit; returns the outputs and the last state";
  using Options = RecurrentOptions;
  explicit GRU(const RecurrentOptions& options);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  std::vector<Tensor> run_layer(const Tensor& x, const RecurrentWeights& weights, std::span<const Tensor> states,
                                const Tensor& lengths, bool reverse) override;
  RecurrentOptions options_;
};

/// Long short-term memory; its second state is the cell.
class LSTM final : public RecurrentLayer {
 public:
  static constexpr std::string_view kName = "LSTM";
  static constexpr std::string_view kDoc = "long short-term memory; returns the outputs, the last state and cell";
  using Options = RecurrentOptions;
  explicit LSTM(const RecurrentOptions& options);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  std::vector<Tensor> run_layer(const Tensor& x, const RecurrentWeights& weights, std::span<const Tensor> states,
                                const Tensor& lengths, bool reverse) override;
  RecurrentOptions options_;
};

}  // namespace onemodel::nn
