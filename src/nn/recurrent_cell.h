#pragma once
// One step of a recurrent layer: RNNCell, GRUCell and LSTMCell.

#include "eager/functions_recurrent.h"
#include "nn/layer.h"

namespace onemodel::nn {

struct RecurrentCellOptions {
  int64_t input_size = 0, hidden_size = 0;
  bool bias = true;
  static constexpr auto fields() {
    using O = RecurrentCellOptions;
    return std::tuple{required_field("input_size", &O::input_size, "extent of the input's last axis"),
                      required_field("hidden_size", &O::hidden_size, "extent of the state"),
                      field("bias", &O::bias, "whether biases are added")};
  }
};

struct RNNCellOptions {
  int64_t input_size = 0, hidden_size = 0;
  bool bias = true;
  std::string nonlinearity = "tanh";
  static constexpr auto fields() {
    using O = RNNCellOptions;
    return std::tuple{required_field("input_size", &O::input_size, "extent of the input's last axis"),
                      required_field("hidden_size", &O::hidden_size, "extent of the state"),
                      field("bias", &O::bias, "whether biases are added"),
                      field("nonlinearity", &O::nonlinearity, "tanh or relu")};
  }
};

/// What the three share. Input: x [batch, input_size] or [input_size], and optionally the states [batch, hidden_size] or
/// [hidden_size]; zeros when absent. Outputs: the next states. Parameters weight_ih, weight_hh, bias_ih and bias_hh in
/// PyTorch's gate order, all uniform in [-b, b) with b = 1 / sqrt(hidden_size).
class RecurrentCell : public Module {
 public:
  std::vector<Tensor> forward(std::span<const Tensor> inputs) final;

 protected:
  /// `states`: 1, or 2 with a cell.
  RecurrentCell(std::string_view name, const RecurrentCellOptions& options, int64_t gates, size_t states);
  /// The outputs and the last states of x [1, batch, input_size].
  virtual std::vector<Tensor> run_step(const Tensor& x, const RecurrentWeights& weights,
                                       std::span<const Tensor> states) = 0;

 private:
  std::string_view name_;
  RecurrentCellOptions options_;
  size_t states_;
  RecurrentWeights weights_;
};

/// h' = tanh(W x + b + R h + b), or relu.
class RNNCell final : public RecurrentCell {
 public:
  static constexpr std::string_view kName = "RNNCell";
  static constexpr std::string_view kDoc = "one step of RNN; returns the next state";
  using Options = RNNCellOptions;
  explicit RNNCell(const RNNCellOptions& options);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  std::vector<Tensor> run_step(const Tensor& x, const RecurrentWeights& weights,
                               std::span<const Tensor> states) override;
  RNNCellOptions options_;
};

/// One step of GRU.
class GRUCell final : public RecurrentCell {
 public:
  static constexpr std::string_view kName = "GRUCell";
  static constexpr std::string_view kDoc = "one step of GRU; returns the next state";
  using Options = RecurrentCellOptions;
  explicit GRUCell(const RecurrentCellOptions& options);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  std::vector<Tensor> run_step(const Tensor& x, const RecurrentWeights& weights,
                               std::span<const Tensor> states) override;
  RecurrentCellOptions options_;
};

/// One step of LSTM; its second state is the cell.
class LSTMCell final : public RecurrentCell {
 public:
  static constexpr std::string_view kName = "LSTMCell";
  static constexpr std::string_view kDoc = "one step of LSTM; returns the next state and cell";
  using Options = RecurrentCellOptions;
  explicit LSTMCell(const RecurrentCellOptions& options);
  std::string describe() const override { return describe_options(kName, options_); }

 private:
  std::vector<Tensor> run_step(const Tensor& x, const RecurrentWeights& weights,
                               std::span<const Tensor> states) override;
  RecurrentCellOptions options_;
};

}  // namespace onemodel::nn
