#pragma once
// Dropout of whole channels.

#include "nn/norm.h"

namespace onemodel::nn {

/// In training mode sets whole channels to 0 with probability p and divides the others by 1 - p; in evaluation mode
/// returns its input: [batch, channels, length] or [channels, length].
class Dropout1d final : public Layer<Dropout1d, DropoutOptions> {
 public:
  static constexpr std::string_view kName = "Dropout1d";
  static constexpr std::string_view kDoc = "sets random channels to 0 while training";
  explicit Dropout1d(const DropoutOptions& options = {});
  Tensor run(const Tensor& x);
};

/// The same of [batch, channels, height, width] or, as in PyTorch, [batch, channels, length].
class Dropout2d final : public Layer<Dropout2d, DropoutOptions> {
 public:
  static constexpr std::string_view kName = "Dropout2d";
  static constexpr std::string_view kDoc = "sets random channels to 0 while training";
  explicit Dropout2d(const DropoutOptions& options = {});
  Tensor run(const Tensor& x);
};

/// The same of [batch, channels, depth, height, width] or [channels, depth, height, width].
class Dropout3d final : public Layer<Dropout3d, DropoutOptions> {
 public:
  static constexpr std::string_view kName = "Dropout3d";
  static constexpr std::string_view kDoc = "sets random channels to 0 while training";
  explicit Dropout3d(const DropoutOptions& options = {});
  Tensor run(const Tensor& x);
};

}  // namespace onemodel::nn
