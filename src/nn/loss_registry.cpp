// The losses by name, for script.

#include "nn/ctc_loss.h"
#include "nn/losses.h"
#include "nn/registry.h"

namespace onemodel::nn {
namespace {

using Options = std::span<const std::optional<AttributeValue>>;

constexpr Input kPair[] = {{"input", "values"}, {"target", "values of the same shape"}};
constexpr Input kLogarithms[] = {{"input", "logarithms of probabilities"}, {"target", "probabilities"}};
constexpr Input kScores[] = {{"input", "scores [N, C, …] or [C]"},
                             {"target", "classes [N, …] or one, or probabilities of the shape of the scores"}};
constexpr Input kClasses[] = {{"input", "logarithms of probabilities [N, C, …] or [C]"},
                              {"target", "classes [N, …] or one"}};
constexpr Input kSequences[] = {{"log_probs", "logarithms of probabilities [T, N, C]"},
                                {"targets", "labels [N, S]"},
                                {"input_lengths", "steps of each input, N numbers", Input::required, true},
                                {"target_lengths", "labels of each target, N numbers", Input::required, true}};

// A loss of two tensors and options.
template <class O, auto Function>
FunctionTraits loss_of_two(std::string_view name, Doc doc, std::span<const Input> inputs) {
  return {name, doc, inputs, field_infos<O>(),
          [](std::string_view name, std::span<const Tensor> tensors, Options options) {
            return Function(tensors[0], tensors[1], from_values<O>(name, options));
          }};
}

Tensor call_ctc(std::string_view name, std::span<const Tensor> inputs, Options options) {
  return ctc_loss(inputs[0], inputs[1], inputs[2].to_vector<int64_t>(), inputs[3].to_vector<int64_t>(),
                  from_values<CtcLossOptions>(name, options));
}

}  // namespace

std::vector<FunctionTraits> loss_functions() {
  return {
      loss_of_two<LossOptions, &mse_loss>("mse_loss", "(input - target)²", kPair),
      loss_of_two<LossOptions, &l1_loss>("l1_loss", "|input - target|", kPair),
      loss_of_two<SmoothL1LossOptions, &smooth_l1_loss>(
          "smooth_l1_loss", "with d = |input - target|: d² / (2 beta) where d < beta, else d - beta / 2", kPair),
      loss_of_two<HuberLossOptions, &huber_loss>(
          "huber_loss", "with d = |input - target|: d² / 2 where d <= delta, else delta (d - delta / 2)", kPair),
      loss_of_two<BinaryCrossEntropyOptions, &binary_cross_entropy>(
          "binary_cross_entropy",
          "-(target log(input) + (1 - target) log(1 - input)) for probabilities, with logarithms of at least -100",
          kPair),
      loss_of_two<BinaryCrossEntropyWithLogitsOptions, &binary_cross_entropy_with_logits>(
          "binary_cross_entropy_with_logits", "binary cross entropy of the input's sigmoid, without its overflow",
          kPair),
      loss_of_two<KlDivOptions, &kl_div>(
          "kl_div", "target (log(target) - input); \"batchmean\" divides the sum by the first extent", kLogarithms),
      loss_of_two<NllLossOptions, &nll_loss>(
          "nll_loss", "-input[n, target[n]]; \"none\" gives [N, …], \"mean\" divides by the sum of the weights",
          kClasses),
      loss_of_two<CrossEntropyOptions, &cross_entropy>(
          "cross_entropy",
          "the negative logarithm of the softmax over the classes of the scores: at the target's "
          "classes, or weighted by its probabilities; \"none\" gives [N, …]",
          kScores),
      {"ctc_loss",
       "connectionist temporal classification: the negative logarithm of the probability that the input spells the "
       "target; \"none\" gives [N], \"mean\" divides each by its target's length first",
       kSequences, field_infos<CtcLossOptions>(), &call_ctc},
  };
}

}  // namespace onemodel::nn
