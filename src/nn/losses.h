#pragma once
// Loss functions of classes, by PyTorch's formulas and names. Those of two tensors of one shape are in
// losses_elementwise.h.
//
// `reduction` is "mean", "sum" (a scalar) or "none". Errors: ShapeError for shapes that do not fit, DTypeError,
// ArgumentError for another reduction, an option out of range or a class outside [0, C), naming its place. The target
// gets no gradient unless it asks for one. While tracing they throw TraceError(UnsupportedOperation).

#include "nn/losses_elementwise.h"

namespace onemodel::nn {

struct NllLossOptions {
  Tensor weight = {};
  int64_t ignore_index = -100;
  std::string reduction = "mean";
  static constexpr auto fields() {
    using O = NllLossOptions;
    return std::tuple{
        field("weight", &O::weight, "[C], a factor of each class's losses"),
        field("ignore_index", &O::ignore_index, "a class whose places lose nothing and do not count in the mean"),
        field("reduction", &O::reduction, "mean, sum or none")};
  }
};
/// -weight[target[n]] log_probabilities[n, target[n]]: [N, C, …] and classes of int64 (or int32) [N, …], or [C] and one
/// class []; "none" gives [N, …] or [], "mean" divides by the sum of the weights.
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, const NllLossOptions& options = {});

struct CrossEntropyOptions {
  Tensor weight = {};
  int64_t ignore_index = -100;
  std::string reduction = "mean";
  double label_smoothing = 0;
  static constexpr auto fields() {
    using O = CrossEntropyOptions;
    return std::tuple{
        field("weight", &O::weight, "[C], a factor of each class's losses"),
        field("ignore_index", &O::ignore_index, "a class whose places lose nothing and do not count in the mean"),
        field("reduction", &O::reduction, "mean, sum or none"),
        field("label_smoothing", &O::label_smoothing, "share of the target that goes to all classes evenly")};
  }
};
/// The negative logarithm of the softmax over the classes of logits [N, C, …] or [C]: at the target's classes, int64 (or
/// int32) [N, …] or [], as nll_loss, or weighted by the target's probabilities, floating of the logits' shape, where
/// "mean" divides by the number of places and ignore_index means nothing.
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options = {});

}  // namespace onemodel::nn
