#pragma once
// The losses as modules: forward takes what the function takes, and gives its loss.

#include "nn/ctc_loss.h"
#include "nn/layer.h"
#include "nn/losses.h"

namespace onemodel::nn {

/// `M` has `kName` and `Tensor run(inputs)`; tensors among the options are buffers.
template <class M, class O, size_t Inputs = 2>
class Loss : public Module {
 public:
  using Options = O;
  explicit Loss(O options = {}) : options_(std::move(options)) {
    if constexpr (requires { options_.weight; })
      if (options_.weight.defined()) options_.weight = register_buffer("weight", options_.weight);
    if constexpr (requires { options_.pos_weight; })
      if (options_.pos_weight.defined()) options_.pos_weight = register_buffer("pos_weight", options_.pos_weight);
  }
  const O& options() const { return options_; }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) final {
    check(inputs.size() == Inputs, M::kName, ": ", Inputs, " inputs were expected, got ", inputs.size());
    for (const Tensor& input : inputs) check(input.defined(), M::kName, ": an input is missing");
    return {static_cast<M*>(this)->run(inputs)};
  }
  /// forward({input, target}).
  Tensor operator()(const Tensor& input, const Tensor& target) {
    const Tensor both[] = {input, target};
    return static_cast<Module&>(*this)(std::span<const Tensor>(both)).front();
  }
  using Module::operator();
  std::string describe() const override { return describe_options(M::kName, options_); }

 private:
  O options_;
};

/// mse_loss.
class MSELoss final : public Loss<MSELoss, LossOptions> {
 public:
  static constexpr std::string_view kName = "MSELoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return mse_loss(x[0], x[1], options()); }
};

/// l1_loss.
class L1Loss final : public Loss<L1Loss, LossOptions> {
 public:
  static constexpr std::string_view kName = "L1Loss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return l1_loss(x[0], x[1], options()); }
};

/// smooth_l1_loss.
class SmoothL1Loss final : public Loss<SmoothL1Loss, SmoothL1LossOptions> {
 public:
  static constexpr std::string_view kName = "SmoothL1Loss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return smooth_l1_loss(x[0], x[1], options()); }
};

/// huber_loss.
class HuberLoss final : public Loss<HuberLoss, HuberLossOptions> {
 public:
  static constexpr std::string_view kName = "HuberLoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return huber_loss(x[0], x[1], options()); }
};

/// binary_cross_entropy.
class BCELoss final : public Loss<BCELoss, BinaryCrossEntropyOptions> {
 public:
  static constexpr std::string_view kName = "BCELoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return binary_cross_entropy(x[0], x[1], options()); }
};

/// binary_cross_entropy_with_logits.
class BCEWithLogitsLoss final : public Loss<BCEWithLogitsLoss, BinaryCrossEntropyWithLogitsOptions> {
 public:
  static constexpr std::string_view kName = "BCEWithLogitsLoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return binary_cross_entropy_with_logits(x[0], x[1], options()); }
};

/// kl_div.
class KLDivLoss final : public Loss<KLDivLoss, KlDivOptions> {
 public:
  static constexpr std::string_view kName = "KLDivLoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return kl_div(x[0], x[1], options()); }
};

/// nll_loss.
class NLLLoss final : public Loss<NLLLoss, NllLossOptions> {
 public:
  static constexpr std::string_view kName = "NLLLoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return nll_loss(x[0], x[1], options()); }
};

/// cross_entropy.
class CrossEntropyLoss final : public Loss<CrossEntropyLoss, CrossEntropyOptions> {
 public:
  static constexpr std::string_view kName = "CrossEntropyLoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const { return cross_entropy(x[0], x[1], options()); }
};

/// ctc_loss; the lengths are tensors of integers.
class CTCLoss final : public Loss<CTCLoss, CtcLossOptions, 4> {
 public:
  static constexpr std::string_view kName = "CTCLoss";
  using Loss::Loss;
  Tensor run(std::span<const Tensor> x) const {
    return ctc_loss(x[0], x[1], x[2].to_vector<int64_t>(), x[3].to_vector<int64_t>(), options());
  }
};

}  // namespace onemodel::nn
