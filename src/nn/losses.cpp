#include "nn/losses.h"

#include <vector>

#include "eager/functions.h"
#include "eager/record.h"
#include "eager/recording.h"

namespace onemodel::nn {
namespace {

Tensor reduce(std::string_view who, const Tensor& losses, std::string_view reduction) {
  if (reduction == "mean") return mean(losses);
  if (reduction == "sum") return sum(losses);
  check(reduction == "none", who, ": reduction must be mean, sum or none, got '", reduction, "'");
  return losses;
}

void refuse_while_tracing(std::string_view who, const Tensor& input) {
  if (active_trace() != 0) refuse_trace(who, "a loss is for training; trace the module that gives its input", input);
}

// [N, …] for scores [N, C, …].
Dims without_classes(std::string_view who, const Tensor& scores) {
  check<ShapeError>(scores.rank() >= 2, who, ": the scores must be [N, C, …], got ", scores.dims());
  Dims dims = scores.dims();
  dims.erase(1);
  return dims;
}

// [N, C, …] as [N * …, C].
Tensor as_rows(const Tensor& scores) {
  if (scores.rank() == 2) return scores;
  Dims axes = {0};
  for (size_t i = 2; i < scores.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  axes.push_back(1);
  return reshape(permute(scores, axes), {-1, scores.dims()[1]});
}

// Positions of row n's class in the rows laid out one after another.
Tensor positions(std::string_view who, const Tensor& target, int64_t classes) {
  std::vector<int64_t> out = target.to_vector<int64_t>();
  for (size_t n = 0; n < out.size(); ++n) {
    check(out[n] >= 0 && out[n] < classes, who, ": the target's element ", n, " is class ", out[n], ", outside [0, ",
          classes, ")");
    out[n] += static_cast<int64_t>(n) * classes;
  }
  return Tensor::from_ints(out);
}

// -log_probabilities at the target's classes: [N, …].
Tensor pick(std::string_view who, const Tensor& log_probabilities, const Tensor& target) {
  check<DTypeError>(target.dtype() == DType::i64 || target.dtype() == DType::i32, who,
                    ": classes must be int64 or int32, got ", target.dtype());
  const Dims dims = without_classes(who, log_probabilities);
  check<ShapeError>(target.dims() == dims, who, ": the target must be ", dims, ", got ", target.dims());
  const Tensor at = positions(who, target, log_probabilities.dims()[1]);
  return reshape(-gather(reshape(as_rows(log_probabilities), {log_probabilities.numel()}), at), dims);
}

}  // namespace

Tensor mse_loss(const Tensor& input, const Tensor& target, std::string_view reduction) {
  check<ShapeError>(input.dims() == target.dims(), "mse_loss: the input is ", input.dims(), ", the target ",
                    target.dims());
  const Tensor difference = input - target;
  return reduce("mse_loss", difference * difference, reduction);
}

Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, std::string_view reduction) {
  refuse_while_tracing("nll_loss", log_probabilities);
  return reduce("nll_loss", pick("nll_loss", log_probabilities, target), reduction);
}

Tensor cross_entropy(const Tensor& logits, const Tensor& target, std::string_view reduction) {
  constexpr std::string_view who = "cross_entropy";
  refuse_while_tracing(who, logits);
  without_classes(who, logits);
  const Tensor log_probabilities = log_softmax(logits, 1);
  if (!is_floating(target.dtype())) return reduce(who, pick(who, log_probabilities, target), reduction);
  check<ShapeError>(target.dims() == logits.dims(), who, ": probabilities must be ", logits.dims(), ", got ",
                    target.dims());
  return reduce(who, -sum(log_probabilities * target, {1}), reduction);
}

}  // namespace onemodel::nn
