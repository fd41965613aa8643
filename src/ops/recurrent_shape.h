#pragma once
// Checks and shapes that RNN, GRU, LSTM and their gradients share.

#include <span>

#include "kernels/portable/recurrent.h"
#include "ops/recurrent.h"

namespace onemodel {

/// What tells the three apart.
struct RecurrentKind {
  int64_t gates;
  std::string_view activations;  // the defaults of one direction, by comma
  size_t operands;               // of the forward operator
  bool has_cell;
};
inline constexpr RecurrentKind kRnnKind{1, "Tanh", 6, false};
inline constexpr RecurrentKind kGruKind{3, "Sigmoid,Tanh", 6, false};
inline constexpr RecurrentKind kLstmKind{4, "Sigmoid,Tanh,Tanh", 8, true};

/// Places of the operands.
enum : size_t { kX, kW, kR, kB, kLengths, kInitialH, kInitialC, kPeepholes };

struct RecurrentTypes {
  Shape y, state;  // of Y, and of Y_h and Y_c
  Extent hidden, directions;
};
/// Checks the attributes and the forward operands, and returns what the outputs follow from.
RecurrentTypes recurrent_types(const InferContext& context, const RecurrentAttributes& attributes,
                               const RecurrentKind& kind);
/// Infers the forward operator.
void infer_recurrent(InferContext& context, const RecurrentAttributes& attributes, const RecurrentKind& kind);
/// Infers the gradient.
void infer_recurrent_gradient(InferContext& context, const RecurrentAttributes& attributes, const RecurrentKind& kind);

/// The activations of direction `d`; throws ArgumentError naming `who` for a name or number that does not fit.
std::vector<kernels::CellFunction> recurrent_activations(std::string_view who, const RecurrentAttributes& attributes,
                                                         const RecurrentKind& kind, int64_t d);
inline int64_t recurrent_directions(const RecurrentAttributes& attributes) {
  return attributes.direction == "bidirectional" ? 2 : 1;
}

}  // namespace onemodel
