#pragma once
// Padding of the last one to three axes.

#include "eager/functions_joining.h"
#include "nn/layer.h"

namespace onemodel::nn {

struct PadOptions {
  Sizes padding;
  static constexpr auto fields() {
    return std::tuple{required_field("padding", &PadOptions::padding,
                                     "elements before and after the last axis, then the one before it, …; one number "
                                     "for all; negative ones remove")};
  }
};

struct ConstantPadOptions {
  Sizes padding;
  double value = 0;
  static constexpr auto fields() {
    using O = ConstantPadOptions;
    return std::tuple{
        required_field(
            "padding", &O::padding,
            "elements before and after the last axis, then the one before it, …; one number for all; negative "
            "ones remove"),
        required_field("value", &O::value, "what is put there")};
  }
};

/// Two amounts for each of `axes` axes. Throws ArgumentError naming `who` for another number of them than that, or one.
std::vector<int64_t> pad_amounts(std::string_view who, size_t axes, const Sizes& padding);

/// `M` has `kAxes` and `kMode`, of `pad` in eager/functions_activation.h.
template <class M, class O>
class PadLayer : public Layer<M, O> {
 public:
  explicit PadLayer(const O& options)
      : Layer<M, O>(options), amounts_(pad_amounts(M::kName, M::kAxes, options.padding)) {}
  Tensor run(const Tensor& x) { return pad(x, amounts_, M::kMode, value()); }

 private:
  double value() const {
    if constexpr (std::is_same_v<O, ConstantPadOptions>) return this->options().value;
    return 0;
  }
  std::vector<int64_t> amounts_;
};

class ZeroPad2d final : public PadLayer<ZeroPad2d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ZeroPad2d";
  static constexpr std::string_view kDoc = "zeros around the last two axes";
  static constexpr std::string_view kMode = "constant";
  static constexpr size_t kAxes = 2;
  using PadLayer::PadLayer;
};

class ConstantPad1d final : public PadLayer<ConstantPad1d, ConstantPadOptions> {
 public:
  static constexpr std::string_view kName = "ConstantPad1d";
  static constexpr std::string_view kDoc = "a value around the last axis";
  static constexpr std::string_view kMode = "constant";
  static constexpr size_t kAxes = 1;
  using PadLayer::PadLayer;
};

class ConstantPad2d final : public PadLayer<ConstantPad2d, ConstantPadOptions> {
 public:
  static constexpr std::string_view kName = "ConstantPad2d";
  static constexpr std::string_view kDoc = "a value around the last two axes";
  static constexpr std::string_view kMode = "constant";
  static constexpr size_t kAxes = 2;
  using PadLayer::PadLayer;
};

class ConstantPad3d final : public PadLayer<ConstantPad3d, ConstantPadOptions> {
 public:
  static constexpr std::string_view kName = "ConstantPad3d";
  static constexpr std::string_view kDoc = "a value around the last three axes";
  static constexpr std::string_view kMode = "constant";
  static constexpr size_t kAxes = 3;
  using PadLayer::PadLayer;
};

class ReflectionPad1d final : public PadLayer<ReflectionPad1d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ReflectionPad1d";
  static constexpr std::string_view kDoc = "the last axis reflected at its ends";
  static constexpr std::string_view kMode = "reflect";
  static constexpr size_t kAxes = 1;
  using PadLayer::PadLayer;
};

class ReflectionPad2d final : public PadLayer<ReflectionPad2d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ReflectionPad2d";
  static constexpr std::string_view kDoc = "the last two axes reflected at their ends";
  static constexpr std::string_view kMode = "reflect";
  static constexpr size_t kAxes = 2;
  using PadLayer::PadLayer;
};

class ReflectionPad3d final : public PadLayer<ReflectionPad3d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ReflectionPad3d";
  static constexpr std::string_view kDoc = "the last three axes reflected at their ends";
  static constexpr std::string_view kMode = "reflect";
  static constexpr size_t kAxes = 3;
  using PadLayer::PadLayer;
};

class ReplicationPad1d final : public PadLayer<ReplicationPad1d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ReplicationPad1d";
  static constexpr std::string_view kDoc = "the end elements of the last axis repeated";
  static constexpr std::string_view kMode = "replicate";
  static constexpr size_t kAxes = 1;
  using PadLayer::PadLayer;
};

class ReplicationPad2d final : public PadLayer<ReplicationPad2d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ReplicationPad2d";
  static constexpr std::string_view kDoc = "the end elements of the last two axes repeated";
  static constexpr std::string_view kMode = "replicate";
  static constexpr size_t kAxes = 2;
  using PadLayer::PadLayer;
};

class ReplicationPad3d final : public PadLayer<ReplicationPad3d, PadOptions> {
 public:
  static constexpr std::string_view kName = "ReplicationPad3d";
  static constexpr std::string_view kDoc = "the end elements of the last three axes repeated";
  static constexpr std::string_view kMode = "replicate";
  static constexpr size_t kAxes = 3;
  using PadLayer::PadLayer;
};

}  // namespace onemodel::nn
