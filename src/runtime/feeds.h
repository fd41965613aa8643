#pragma once
// What callers give to a run, checked against what the model declares.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/extent.h"
#include "runtime/item.h"
#include "runtime/size_check.h"
#include "runtime/specialise.h"

namespace onemodel {

/// "'x', 'y'", or "none".
std::string names_of(std::span<const ValueInfo> values);

/// An input's name and its tensor.
using Feed = std::pair<std::string_view, Tensor>;

/// The inputs of one model. Every error names the model, the input, what was expected and what was got.
class InputContract {
 public:
  /// `decides_shapes[i]`: the contents of input i belong to the signature. `sizes`: what an exported program demands of
  /// them, or null.
  InputContract(std::string model, std::vector<ValueInfo> inputs, std::vector<bool> decides_shapes,
                std::shared_ptr<const SizeContract> sizes);

  const std::string& model() const { return model_; }
  const std::vector<ValueInfo>& inputs() const { return inputs_; }
  /// All inputs fit one signature only.
  bool is_static() const;
  /// The signature of a static model.
  Signature static_signature() const;

  /// Feeds in the order of the inputs; those that are missing are undefined. Throws ArgumentError for an unknown or repeated
  /// name.
  std::vector<Tensor> in_order(std::span<const Feed> feeds) const;
  /// True when `tensors` fit `signature`, which `check` made from others. Cheap: no allocation.
  bool matches(const Signature& signature, std::span<const Tensor> tensors) const;
  /// Their signature. Throws ArgumentError for a wrong count or an undefined tensor, DTypeError for a
  /// wrong dtype, ShapeError for a wrong rank or size, or one symbol at two sizes. With a size contract these three are one
  /// ConstraintsError with a line for each.
  Signature check(std::span<const Tensor> tensors) const;
  /// The same checks for a model that may take sequences, optionals and optional inputs.
  void check_items(std::span<const Item> items) const;

 private:
  void check_count(size_t count) const;
  void check_defined(size_t i, const Tensor& tensor) const;
  void check_sizes(std::span<const Tensor> tensors) const;
  void check_one(const ValueInfo& input, const Tensor& tensor) const;
  void check_container(const ValueInfo& input, const Item& item) const;
  void check_symbols(std::span<const Tensor> tensors) const;
  std::string subject(const ValueInfo& input) const;

  std::string model_;
  std::vector<ValueInfo> inputs_;
  std::vector<bool> decides_shapes_;
  std::shared_ptr<const SizeContract> sizes_;
  SizeCheck check_;
};

}  // namespace onemodel
