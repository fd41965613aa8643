#include "nn/ctc_loss.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "eager/functions.h"
#include "eager/functions_joining.h"
#include "eager/functions_norm.h"
#include "eager/recording.h"
#include "eager/unbatched.h"
#include "nn/losses_elementwise.h"

namespace onemodel::nn {
namespace {

// Stands for the logarithm of 0: minus infinity would make gradients NaN.
constexpr double kNothing = -1e30;

// The targets with blanks around every label, each padded to `width` = 2 S + 1 labels.
struct Labels {
  int64_t batch, width;
  std::vector<int64_t> label;  // [batch, width]
  std::vector<bool> skips;     // whether the place can follow the one two before it
};

void check_lengths(std::string_view what, std::span<const int64_t> lengths, int64_t count, int64_t largest) {
  check<ShapeError>(static_cast<int64_t>(lengths.size()) == count, "ctc_loss: ", what, " must have ", count,
                    " numbers, got ", lengths.size());
  for (const int64_t length : lengths)
    check(length >= 0 && length <= largest, "ctc_loss: ", what, " must be in [0, ", largest, "], got ", length);
}

Labels spread(const Tensor& targets, std::span<const int64_t> lengths, int64_t classes, int64_t blank) {
  const bool is_joined = targets.rank() == 1;
  const int64_t longest = !is_joined ? targets.dims()[1] : lengths.empty() ? 0 : std::ranges::max(lengths);
  Labels out{static_cast<int64_t>(lengths.size()), 2 * longest + 1, {}, {}};
  const std::vector<int64_t> values = targets.to_vector<int64_t>();
  int64_t start = 0;  // of the target among the values
  for (int64_t n = 0; n < out.batch; start += is_joined ? lengths[static_cast<size_t>(n)] : longest, ++n)
    for (int64_t s = 0; s < out.width; ++s) {
      const bool is_label = s % 2 == 1 && s / 2 < lengths[static_cast<size_t>(n)];
      const auto at = static_cast<size_t>(start + s / 2);
      const int64_t label = is_label ? values[at] : blank;
      check(!is_label || (label >= 0 && label < classes && label != blank), "ctc_loss: the label ", label,
            " of target ", n, " must be in [0, ", classes, ") and not the blank");
      out.label.push_back(label);
      out.skips.push_back(is_label && s >= 3 && values[at] != values[at - 1]);
    }
  return out;
}

// [N, width]: the logarithms of each place's label at step t.
Tensor emissions(const Tensor& log_probs, const Labels& labels, int64_t t) {
  const int64_t classes = log_probs.dims()[2];
  std::vector<int64_t> places;
  for (int64_t n = 0; n < labels.batch; ++n)
    for (int64_t s = 0; s < labels.width; ++s)
      places.push_back(n * classes + labels.label[static_cast<size_t>(n * labels.width + s)]);
  const Tensor step = reshape(select(log_probs, 0, t), {labels.batch * classes});
  return reshape(gather(step, Tensor::from_ints(places)), {labels.batch, labels.width});
}

// Moves paths `count` places on; nothing comes in.
Tensor shifted(const Tensor& paths, int64_t count) {
  return slice(pad(paths, {count, 0}, "constant", kNothing), 1, 0, paths.dims()[1]);
}

Tensor mask_of(const std::vector<bool>& values, const Dims& dims) {
  Tensor out = Tensor::empty(dims, DType::boolean);
  std::copy(values.begin(), values.end(), out.mutable_raw_as<bool>());
  return out;
}

// [N, width]: the logarithm of all paths that stand at each place after the input's last step.
Tensor all_paths(const Tensor& log_probs, const Labels& labels, std::span<const int64_t> input_lengths) {
  const Dims dims = {labels.batch, labels.width};
  const Tensor nothing = Tensor::full({}, kNothing, log_probs.dtype());
  std::vector<bool> starts;
  for (int64_t i = 0; i < labels.batch * labels.width; ++i) starts.push_back(i % labels.width < 2);
  const Tensor skips = mask_of(labels.skips, dims);
  Tensor paths;
  for (int64_t t = 0; t < log_probs.dims()[0]; ++t) {
    const Tensor emitted = emissions(log_probs, labels, t);
    if (t == 0) {
      paths = where(mask_of(starts, dims), emitted, nothing);
      continue;
    }
    const Tensor skipped = where(skips, shifted(paths, 2), nothing);
    const Tensor next = logsumexp(stack({paths, shifted(paths, 1), skipped}, 0), {0}) + emitted;
    std::vector<bool> runs;
    for (const int64_t length : input_lengths) runs.push_back(t < length);
    paths = where(mask_of(runs, {labels.batch, 1}), next, paths);
  }
  return paths;
}

void check_arguments(const Tensor& log_probs, const Tensor& targets, int64_t blank) {
  check_untraced("ctc_loss", "a loss is for training; trace the module that gives its input", log_probs);
  check<ShapeError>(log_probs.rank() == 3 && log_probs.dims()[0] > 0, "ctc_loss: log_probs must be [T, N, C], got ",
                    log_probs.dims());
  check<ShapeError>(targets.rank() == 1 || (targets.rank() == 2 && targets.dims()[0] == log_probs.dims()[1]),
                    "ctc_loss: targets must be [", log_probs.dims()[1], ", S] or all labels in one row, got ",
                    targets.dims());
  check<DTypeError>(targets.dtype() == DType::i64 || targets.dtype() == DType::i32,
                    "ctc_loss: targets must be int64 or int32, got ", targets.dtype());
  check(blank >= 0 && blank < log_probs.dims()[2], "ctc_loss: blank must be in [0, ", log_probs.dims()[2], "), got ",
        blank);
}

}  // namespace

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, std::span<const int64_t> input_lengths,
                std::span<const int64_t> target_lengths, const CtcLossOptions& options) {
  if (log_probs.rank() == 2) {
    const Tensor loss = ctc_loss(batch_of_one(log_probs, 1), targets, input_lengths, target_lengths, options);
    return loss.rank() == 1 ? squeeze(loss, {0}) : loss;
  }
  check_arguments(log_probs, targets, options.blank);
  const int64_t batch = log_probs.dims()[1];
  check_lengths("input_lengths", input_lengths, batch, log_probs.dims()[0]);
  for (const int64_t length : input_lengths) check(length > 0, "ctc_loss: input_lengths must not be 0");
  check_lengths("target_lengths", target_lengths, batch, targets.dims().back());
  const int64_t labels_given = std::accumulate(target_lengths.begin(), target_lengths.end(), int64_t{0});
  check<ShapeError>(targets.rank() == 2 || labels_given == targets.numel(), "ctc_loss: target_lengths add up to ",
                    labels_given, ", but there are ", targets.numel(), " labels");
  const Labels labels = spread(targets, target_lengths, log_probs.dims()[2], options.blank);
  const Tensor paths = all_paths(log_probs, labels, input_lengths);

  std::vector<bool> ends(static_cast<size_t>(batch * labels.width));
  std::vector<double> lengths;
  for (int64_t n = 0; n < batch; ++n) {
    const int64_t length = target_lengths[static_cast<size_t>(n)], last = n * labels.width + 2 * length;
    ends[static_cast<size_t>(last)] = true;
    if (length > 0) ends[static_cast<size_t>(last - 1)] = true;
    lengths.push_back(static_cast<double>(std::max<int64_t>(length, 1)));
  }
  const Tensor nothing = Tensor::full({}, kNothing, log_probs.dtype());
  Tensor losses = -logsumexp(where(mask_of(ends, paths.dims()), paths, nothing), {1});
  const Tensor impossible = greater(losses, Tensor::full({}, -kNothing / 2, log_probs.dtype()));
  const double loss = options.zero_infinity ? 0 : std::numeric_limits<double>::infinity();
  losses = where(impossible, Tensor::full({}, loss, log_probs.dtype()), losses);
  if (options.reduction == "mean")
    losses = losses / Tensor::from(std::span<const double>(lengths), {batch}).cast(log_probs.dtype());
  return reduce_losses("ctc_loss", losses, options.reduction);
}

}  // namespace onemodel::nn
