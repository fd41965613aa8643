#pragma once
// The recurrent layers RNN, GRU and LSTM, and their gradients.
//
// Shapes, with D = 2 for direction "bidirectional" and else 1, G gates and H hidden values: X [steps, batch, inputs],
// W [D, G * H, inputs], R [D, G * H, H], B [D, 2 * G * H] (of W, then of R), sequence_lens int32 [batch], states
// [D, batch, H], P [D, 3 * H]; Y [steps, D, batch, H], Y_h and Y_c [D, batch, H]. With layout 1 the batch comes first:
// X [batch, steps, inputs], states [batch, D, H], Y [batch, steps, D, H]. Floating dtypes, all the same.
// Gates are in ONNX's order: GRU z r h, LSTM i o f c. Formulas: kernels/portable/recurrent.h.
// Steps from a row's sequence length on are 0 in Y; a length outside [0, steps] is a ShapeError at evaluation.

#include <optional>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// What all of them share: ONNX's attributes. `activations` is ONNX's list of strings joined by commas; empty for the
/// defaults. Those with numbers take them from `activation_alpha` and `activation_beta` in turn; what the lists lack is
/// as in the operator of that name.
struct RecurrentAttributes {
  std::vector<double> activation_alpha, activation_beta;
  std::string activations;
  std::optional<float> clip;
  std::string direction = "forward";
  std::optional<int64_t> hidden_size;
  int64_t layout = 0;
  static constexpr auto fields() {
    using A = RecurrentAttributes;
    return std::tuple{field("activation_alpha", &A::activation_alpha, "of the activations that have one, in turn"),
                      field("activation_beta", &A::activation_beta, "of the activations that have one, in turn"),
                      field("activations", &A::activations,
                            "of each direction, by comma: Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, "
                            "ScaledTanh, HardSigmoid, Elu, Softsign or Softplus"),
                      field("clip", &A::clip, "bound of what goes into the gates' activations; none when absent"),
                      field("direction", &A::direction, "forward, reverse or bidirectional"),
                      field("hidden_size", &A::hidden_size, "H; that of R when absent"),
                      field("layout", &A::layout, "1: the batch comes before the steps")};
  }
};

/// h' = tanh(x Wᵀ + h Rᵀ + b).
struct RNN : RecurrentAttributes {
  static constexpr Input inputs[] = {{"X", "sequences"},
                                     {"W", "weights of X"},
                                     {"R", "weights of the state"},
                                     {"B", "biases; zeros when absent", Input::optional},
                                     {"sequence_lens", "steps of each row; all when absent", Input::optional},
                                     {"initial_h", "first state; zeros when absent", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y", "Y_h"};
  static constexpr OpInfo info{.name = "RNN", .doc = "h' = tanh(x W + h R + b), step by step", .since = 14};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// h' = (1 - z) n + z h with gates z and r.
struct GRU : RecurrentAttributes {
  bool linear_before_reset = false;
  static constexpr auto fields() {
    return std::tuple_cat(RecurrentAttributes::fields(),
                          std::tuple{field("linear_before_reset", &GRU::linear_before_reset,
                                           "the reset gate multiplies h R + b, as in PyTorch, and not h")});
  }
  static constexpr Input inputs[] = {{"X", "sequences"},
                                     {"W", "weights of X: z, r, h"},
                                     {"R", "weights of the state: z, r, h"},
                                     {"B", "biases; zeros when absent", Input::optional},
                                     {"sequence_lens", "steps of each row; all when absent", Input::optional},
                                     {"initial_h", "first state; zeros when absent", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y", "Y_h"};
  static constexpr OpInfo info{.name = "GRU", .doc = "gated recurrent unit, step by step", .since = 14};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// c' = f c + i g, h' = o tanh(c') with gates i, o and f.
struct LSTM : RecurrentAttributes {
  bool input_forget = false;
  static constexpr auto fields() {
    return std::tuple_cat(RecurrentAttributes::fields(),
                          std::tuple{field("input_forget", &LSTM::input_forget, "the forget gate is 1 - i")});
  }
  static constexpr Input inputs[] = {{"X", "sequences"},
                                     {"W", "weights of X: i, o, f, c"},
                                     {"R", "weights of the state: i, o, f, c"},
                                     {"B", "biases; zeros when absent", Input::optional},
                                     {"sequence_lens", "steps of each row; all when absent", Input::optional},
                                     {"initial_h", "first state; zeros when absent", Input::optional},
                                     {"initial_c", "first cell; zeros when absent", Input::optional},
                                     {"P", "peepholes: i, o, f; zeros when absent", Input::optional}};
  static constexpr std::string_view outputs[] = {"Y", "Y_h", "Y_c"};
  static constexpr OpInfo info{.name = "LSTM", .doc = "long short-term memory, step by step", .since = 14};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// Gradients of RNN by its inputs; those of outputs that nothing used are absent.
struct RNNGradient : RNN {
  static constexpr Input inputs[] = {{"X", "as in RNN"},
                                     {"W", "as in RNN"},
                                     {"R", "as in RNN"},
                                     {"B", "as in RNN", Input::optional},
                                     {"sequence_lens", "as in RNN", Input::optional},
                                     {"initial_h", "as in RNN", Input::optional},
                                     {"dY", "gradient by Y", Input::optional},
                                     {"dY_h", "gradient by Y_h", Input::optional}};
  static constexpr std::string_view outputs[] = {"dX", "dW", "dR", "dB", "dinitial_h"};
  static constexpr OpInfo info{.name = "RNNGradient",
                               .doc = "gradients of RNN by its inputs",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  static constexpr NotDifferentiable vjp{"second derivatives of recurrent layers are not implemented"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::vector<Sample> samples();
};

/// Gradients of GRU by its inputs; those of outputs that nothing used are absent.
struct GRUGradient : GRU {
  static constexpr Input inputs[] = {{"X", "as in GRU"},
                                     {"W", "as in GRU"},
                                     {"R", "as in GRU"},
                                     {"B", "as in GRU", Input::optional},
                                     {"sequence_lens", "as in GRU", Input::optional},
                                     {"initial_h", "as in GRU", Input::optional},
                                     {"dY", "gradient by Y", Input::optional},
                                     {"dY_h", "gradient by Y_h", Input::optional}};
  static constexpr std::string_view outputs[] = {"dX", "dW", "dR", "dB", "dinitial_h"};
  static constexpr OpInfo info{.name = "GRUGradient",
                               .doc = "gradients of GRU by its inputs",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  static constexpr NotDifferentiable vjp{"second derivatives of recurrent layers are not implemented"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::vector<Sample> samples();
};

/// Gradients of LSTM by its inputs; those of outputs that nothing used are absent.
struct LSTMGradient : LSTM {
  static constexpr Input inputs[] = {{"X", "as in LSTM"},
                                     {"W", "as in LSTM"},
                                     {"R", "as in LSTM"},
                                     {"B", "as in LSTM", Input::optional},
                                     {"sequence_lens", "as in LSTM", Input::optional},
                                     {"initial_h", "as in LSTM", Input::optional},
                                     {"initial_c", "as in LSTM", Input::optional},
                                     {"P", "as in LSTM", Input::optional},
                                     {"dY", "gradient by Y", Input::optional},
                                     {"dY_h", "gradient by Y_h", Input::optional},
                                     {"dY_c", "gradient by Y_c", Input::optional}};
  static constexpr std::string_view outputs[] = {"dX", "dW", "dR", "dB", "dinitial_h", "dinitial_c", "dP"};
  static constexpr OpInfo info{.name = "LSTMGradient",
                               .doc = "gradients of LSTM by its inputs",
                               .internal = true,
                               .untraceable = "it computes a gradient"};
  static constexpr NotDifferentiable vjp{"second derivatives of recurrent layers are not implemented"};
  void infer(InferContext& context) const;
  void evaluate(EvalContext& context) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
