#include "nn/losses.h"

#include <vector>

#include "eager/functions.h"
#include "eager/recording.h"

namespace onemodel::nn {
namespace {

void check_given(std::string_view who, const Tensor& scores, const Tensor& target) {
  check(scores.defined() && target.defined(), who, ": the scores or the target are undefined");
  check_untraced(who, "a loss is for training; trace the module that gives its input", scores);
}

// [N, …] for scores [N, C, …].
Dims without_classes(std::string_view who, const Tensor& scores) {
  check<ShapeError>(scores.rank() >= 2, who, ": the scores must be [C] or [N, C, …], got ", scores.dims());
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

void check_weight(std::string_view who, const Tensor& weight, int64_t classes) {
  check<ShapeError>(!weight.defined() || weight.dims() == Dims{classes}, who, ": weight must be [", classes, "], got ",
                    weight.defined() ? weight.dims() : Dims());
}

// The target's classes, one for each row of scores.
struct Places {
  Tensor at;       // positions of the classes in the rows laid out one after another
  Tensor factors;  // their weights [rows], 0 where ignored; undefined when all are 1
  double total;    // the sum of the weights
};

// What helps when floats, one for each place, were given as classes.
std::string_view hint_of(const Tensor& scores, const Tensor& target) {
  const bool is_mistaken = is_floating(target.dtype()) && target.rank() + 1 == scores.rank();
  return is_mistaken ? "; classes are integers: cast the target to int64" : "";
}

Places places_of(std::string_view who, const Tensor& scores, const Tensor& target, const Tensor& weight,
                 int64_t ignore_index) {
  check<DTypeError>(target.dtype() == DType::i64 || target.dtype() == DType::i32, who,
                    ": classes must be int64 or int32, got ", target.dtype(), hint_of(scores, target));
  const Dims dims = without_classes(who, scores);
  check<ShapeError>(target.dims() == dims, who, ": the target must be ", dims, ", got ", target.dims());
  const int64_t classes = scores.dims()[1];
  check_weight(who, weight, classes);
  const std::vector<double> weights = weight.defined() ? weight.detach().to_vector<double>() : std::vector<double>();
  std::vector<int64_t> at = target.to_vector<int64_t>();
  std::vector<double> factors(at.size(), 1);
  Places out{{}, {}, 0};
  bool all_one = weights.empty();
  for (size_t n = 0; n < at.size(); ++n) {
    const bool ignored = at[n] == ignore_index;
    check(ignored || (at[n] >= 0 && at[n] < classes), who, ": the target's element ", n, " is class ", at[n],
          ", outside [0, ", classes, ")");
    const auto own = static_cast<size_t>(ignored ? 0 : at[n]);
    factors[n] = ignored ? 0 : weights.empty() ? 1 : weights[own];
    all_one &= !ignored;
    out.total += factors[n];
    at[n] = static_cast<int64_t>(own) + static_cast<int64_t>(n) * classes;
  }
  out.at = Tensor::from_ints(at);
  if (!all_one) out.factors = Tensor::from(std::span<const double>(factors), {out.at.numel()}).cast(scores.dtype());
  return out;
}

// Each row's loss times its weight; nothing where that is 0, even of infinity.
Tensor weigh(const Tensor& losses, const Places& places) {
  if (!places.factors.defined()) return losses;
  const Tensor zero = Tensor::full({}, 0, losses.dtype());
  return where(equal(places.factors, zero), zero, losses * places.factors);
}

// Losses [rows] as `reduction` says; "none" gives `dims`.
Tensor reduce_rows(std::string_view who, const Tensor& losses, const Places& places, std::string_view reduction,
                   const Dims& dims) {
  if (reduction == "mean") return sum(losses) / places.total;
  return reduce_losses(who, reduction == "none" ? reshape(losses, dims) : losses, reduction);
}

Tensor pick(const Tensor& rows, const Places& places) { return -gather(reshape(rows, {rows.numel()}), places.at); }

Tensor class_losses(const Tensor& log_probabilities, const Tensor& target, const CrossEntropyOptions& options) {
  constexpr std::string_view who = "cross_entropy";
  const double smoothing = options.label_smoothing;
  const Places places = places_of(who, log_probabilities, target, options.weight, options.ignore_index);
  const Dims dims = without_classes(who, log_probabilities);
  const Tensor rows = as_rows(log_probabilities);
  Tensor losses = weigh(pick(rows, places), places);
  if (smoothing > 0) {
    // The even part is weighted by each class, not by the target's, and left out where that is ignored.
    const Tensor even = -sum(options.weight.defined() ? rows * options.weight.detach() : rows, {1});
    const auto classes = static_cast<double>(log_probabilities.dims()[1]);
    Tensor kept = even;
    if (places.factors.defined()) {
      const Tensor ignored = equal(reshape(target, {target.numel()}),
                                   Tensor::full({}, static_cast<double>(options.ignore_index), target.dtype()));
      kept = where(ignored, Tensor::full({}, 0, even.dtype()), even);
    }
    losses = losses * (1 - smoothing) + kept * (smoothing / classes);
  }
  return reduce_rows(who, losses, places, options.reduction, dims);
}

Tensor probability_losses(const Tensor& log_probabilities, const Tensor& target, const CrossEntropyOptions& options) {
  constexpr std::string_view who = "cross_entropy";
  check<ShapeError>(target.dims() == log_probabilities.dims(), who, ": probabilities must be ",
                    log_probabilities.dims(), ", got ", target.dims(), hint_of(log_probabilities, target));
  const int64_t classes = log_probabilities.dims()[1];
  check_weight(who, options.weight, classes);
  Tensor wanted = target;
  if (options.label_smoothing > 0)
    wanted = target * (1 - options.label_smoothing) + options.label_smoothing / static_cast<double>(classes);
  if (options.weight.defined()) {
    Dims dims = Dims::filled(log_probabilities.rank() - 1, 1);
    dims[0] = classes;
    wanted = wanted * reshape(options.weight.detach(), dims);
  }
  return reduce_losses(who, -sum(log_probabilities * wanted, {1}), options.reduction);
}

// Of scores [C] and their target, as a batch of one.
template <class O>
Tensor of_one_place(std::string_view who, Tensor (*loss)(const Tensor&, const Tensor&, const O&), const Tensor& scores,
                    const Tensor& target, const O& options) {
  check<ShapeError>(target.rank() == 0 || target.dims() == scores.dims(), who, ": beside scores ", scores.dims(),
                    " the target must be one class, or a probability for each, got ", target.dims());
  const Tensor losses = loss(unsqueeze(scores, {0}), unsqueeze(target, {0}), options);
  return options.reduction == "none" ? squeeze(losses, {0}) : losses;
}

}  // namespace

Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, const NllLossOptions& options) {
  check_given("nll_loss", log_probabilities, target);
  if (log_probabilities.rank() == 1) return of_one_place("nll_loss", nll_loss, log_probabilities, target, options);
  const Places places = places_of("nll_loss", log_probabilities, target, options.weight, options.ignore_index);
  const Tensor losses = weigh(pick(as_rows(log_probabilities), places), places);
  return reduce_rows("nll_loss", losses, places, options.reduction, without_classes("nll_loss", log_probabilities));
}

Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options) {
  constexpr std::string_view who = "cross_entropy";
  check_given(who, logits, target);
  if (logits.rank() == 1) return of_one_place(who, cross_entropy, logits, target, options);
  without_classes(who, logits);
  check(options.label_smoothing >= 0 && options.label_smoothing <= 1, who, ": label_smoothing must be in [0, 1], got ",
        options.label_smoothing);
  const Tensor log_probabilities = log_softmax(logits, 1);
  return is_floating(target.dtype()) ? probability_losses(log_probabilities, target, options)
                                     : class_losses(log_probabilities, target, options);
}

}  // namespace onemodel::nn
