#pragma once
// What a model declares of the sizes of its inputs, made ready to be checked before every run.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "graph/graph.h"

namespace onemodel {

/// An input or output as callers see it; symbolic sizes carry their names.
struct ValueInfo {
  std::string name;
  DType dtype = DType::undefined;
  Shape shape;
  Holds holds = Holds::tensor;  // of others `dtype` is that of the tensors inside; `shape`: of one that may be nothing
  bool has_rank = true;         // false: `shape` says nothing, and `dtype` may be undefined
  Tensor initial = {};          // defined: the input is optional, and this is used where it is not fed
};

/// Whether the extent is one symbol or derived size, without a factor.
bool is_symbol(const Extent& extent);

/// Numbers are fixed, a symbol has one size wherever it stands; with a contract so has every text, and ranges and relations
/// hold. What is no tensor is left to others; what is undefined, an optional input that is not fed, has every size.
class SizeCheck {
 public:
  SizeCheck(std::span<const ValueInfo> inputs, const SizeContract* contract);

  /// Whether element types, ranks and sizes fit. No allocation for up to
  /// kInPlace different sizes.
  bool holds(std::span<const Tensor> tensors) const;
  /// A line for everything that does not.
  std::vector<std::string> problems(std::span<const Tensor> tensors, std::span<const ValueInfo> inputs) const;

 private:
  static constexpr int32_t kFixed = -1, kFree = -2, kNoRoot = -1;
  static constexpr size_t kInPlace = 32;
  static constexpr int64_t kUnknown = -1;
  struct Axis {
    int32_t size;        // its index, kFixed or kFree
    int64_t number = 0;  // of a fixed one
  };
  struct Input {
    DType dtype;
    size_t rank;
    bool is_tensor;
  };
  struct Size {
    SizeRange range;
    int32_t root = kNoRoot;  // of a derived one
    int64_t scale = 1, offset = 0;
  };

  /// The root's size that gives `size`, or kUnknown.
  static int64_t root_of(const Size& derived, int64_t size);
  bool holds(std::span<const Tensor> tensors, std::span<int64_t> sizes) const;
  bool relations_hold(std::span<int64_t> sizes) const;

  std::vector<Input> inputs_;
  std::vector<Axis> axes_;
  std::vector<Size> sizes_;
};

}  // namespace onemodel
