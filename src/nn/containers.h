#pragma once
// Modules that hold or reshape: Sequential, Flatten, Unflatten, PixelShuffle, Identity.

#include <initializer_list>

#include "nn/layer.h"

namespace onemodel::nn {

/// Modules one after another, named "0", "1", …; the outputs of each are the inputs of the next. Empty, it returns its
/// inputs.
class Sequential final : public Module {
 public:
  static constexpr std::string_view kName = "Sequential";
  static constexpr std::string_view kDoc = "modules one after another; they are appended after construction";
  using Options = NoOptions;
  explicit Sequential(const NoOptions& = {}) {}
  Sequential(std::initializer_list<std::shared_ptr<Module>> modules);
  template <class... M>
  requires(sizeof...(M) > 0 &&
           (std::convertible_to<M, std::shared_ptr<Module>> && ...)) explicit Sequential(M... modules)
      : Sequential(std::initializer_list<std::shared_ptr<Module>>{std::move(modules)...}) {}
  void append(std::shared_ptr<Module> module);
  std::vector<Tensor> forward(std::span<const Tensor> inputs) override;
  std::string describe() const override;

 private:
  std::vector<std::shared_ptr<Module>> children_;
};

struct FlattenOptions {
  int64_t start_dim = 1, end_dim = -1;
  static constexpr auto fields() {
    return std::tuple{field("start_dim", &FlattenOptions::start_dim, "first axis to join"),
                      field("end_dim", &FlattenOptions::end_dim, "last axis to join")};
  }
};

/// Joins the axes from start_dim to end_dim into one.
class Flatten final : public Layer<Flatten, FlattenOptions> {
 public:
  static constexpr std::string_view kName = "Flatten";
  static constexpr std::string_view kDoc = "joins the axes from start_dim to end_dim into one";
  using Layer::Layer;
  Tensor run(const Tensor& x);
};

struct UnflattenOptions {
  int64_t dim = 0;
  Sizes unflattened_size;
  static constexpr auto fields() {
    using O = UnflattenOptions;
    return std::tuple{
        required_field("dim", &O::dim, "axis to cut"),
        required_field("unflattened_size", &O::unflattened_size, "extents that take its place; one of them may be -1")};
  }
};

/// Cuts an axis into several.
class Unflatten final : public Layer<Unflatten, UnflattenOptions> {
 public:
  static constexpr std::string_view kName = "Unflatten";
  static constexpr std::string_view kDoc = "cuts an axis into several";
  explicit Unflatten(const UnflattenOptions& options);
  Tensor run(const Tensor& x);
};

struct PixelShuffleOptions {
  int64_t upscale_factor = 1;
  static constexpr auto fields() {
    return std::tuple{
        required_field("upscale_factor", &PixelShuffleOptions::upscale_factor, "factor of height and width")};
  }
};

/// [batch, channels r², height, width] as [batch, channels, height r, width r] with r = upscale_factor; the batch may be
/// left out.
class PixelShuffle final : public Layer<PixelShuffle, PixelShuffleOptions> {
 public:
  static constexpr std::string_view kName = "PixelShuffle";
  static constexpr std::string_view kDoc = "spreads channels over blocks of pixels";
  explicit PixelShuffle(const PixelShuffleOptions& options);
  Tensor run(const Tensor& x);
};

/// Returns its input.
class Identity final : public Layer<Identity, NoOptions> {
 public:
  static constexpr std::string_view kName = "Identity";
  static constexpr std::string_view kDoc = "returns its input";
  using Layer::Layer;
  Tensor run(const Tensor& x) { return x; }
};

}  // namespace onemodel::nn
