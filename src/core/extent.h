#pragma once
// Sizes that may be symbolic: an extent is a coefficient times a product of named atoms.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dims.h"
#include "core/dtype.h"

namespace onemodel {

/// One size of a tensor. A plain number is a coefficient without atoms; otherwise the value is
/// `coefficient * atom * atom …`. An atom is a declared symbol ("batch") or a size derived by an operation, which is
/// named by its formula ("floor((h - 3) / 2) + 1"): equal names mean equal sizes. An atom may know its example size.
class Extent {
 public:
  Extent(int64_t value = 0) : coefficient_(value) {}
  /// A symbol; `example` is its size in the recorded run, if there was one.
  static Extent symbol(std::string name, std::optional<int64_t> example = {});

  bool is_number() const { return !atoms_; }
  /// The number; only when is_number().
  int64_t number() const { return coefficient_; }
  int64_t coefficient() const { return coefficient_; }
  /// Names of the atoms, sorted; empty for a number.
  std::vector<std::string> atoms() const;
  /// The size in the recorded run: the number itself, or what the atoms' example sizes give.
  std::optional<int64_t> example() const;
  /// "3", "batch", "2*batch*seq".
  std::string text() const;
  /// The extent with the named atom replaced by `value`.
  Extent substitute(std::string_view name, const Extent& value) const;
  /// The factors as extents of one atom each, after the coefficient.
  std::vector<Extent> factors() const;

  friend Extent operator*(const Extent& a, const Extent& b);
  /// a + b. Sums of unlike terms become one derived atom named "a + b".
  friend Extent operator+(const Extent& a, const Extent& b);
  /// a - b, as above.
  friend Extent operator-(const Extent& a, const Extent& b);
  /// floor(a / divisor) for a positive divisor; exact where the coefficient is a multiple of it.
  friend Extent floor_div(const Extent& a, int64_t divisor);
  /// a / b where b's atoms all occur in a and the coefficients divide; nothing otherwise.
  friend std::optional<Extent> exact_div(const Extent& a, const Extent& b);
  friend bool operator==(const Extent& a, const Extent& b);

 private:
  struct Atom {
    std::string name;
    std::optional<int64_t> example;
  };
  using Atoms = std::vector<std::shared_ptr<const Atom>>;  // sorted by name
  Extent(int64_t coefficient, Atoms atoms);
  static Extent sum(const Extent& a, const Extent& b, int64_t sign);
  int64_t coefficient_;
  std::shared_ptr<const Atoms> atoms_;  // null for a number
};

/// The sizes of a tensor that may be symbolic.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Extent> extents) : extents_(extents) {}
  Shape(std::vector<Extent> extents) : extents_(std::move(extents)) {}
  Shape(const Dims& dims) : extents_(dims.begin(), dims.end()) {}

  size_t rank() const { return extents_.size(); }
  bool empty() const { return extents_.empty(); }
  Extent& operator[](size_t i) { return extents_[i]; }
  const Extent& operator[](size_t i) const { return extents_[i]; }
  auto begin() const { return extents_.begin(); }
  auto end() const { return extents_.end(); }
  auto begin() { return extents_.begin(); }
  auto end() { return extents_.end(); }
  void push_back(Extent extent) { extents_.push_back(std::move(extent)); }
  void insert(size_t at, Extent extent) {
    extents_.insert(extents_.begin() + static_cast<std::ptrdiff_t>(at), std::move(extent));
  }
  void erase(size_t at) { extents_.erase(extents_.begin() + static_cast<std::ptrdiff_t>(at)); }

  bool is_concrete() const;
  /// The numbers; only when is_concrete().
  Dims dims() const;
  /// The sizes of the recorded run; nothing when an atom has no example.
  std::optional<Dims> example() const;
  /// The product of all extents.
  Extent numel() const;
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::vector<Extent> extents_;
};

/// Dtype and shape: what inference knows of a value.
struct TensorType {
  DType dtype = DType::undefined;
  Shape shape;
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

void append(std::string& out, const Extent& extent);
void append(std::string& out, const Shape& shape);      // [batch, 3]
void append(std::string& out, const TensorType& type);  // float32[batch, 3]

}  // namespace onemodel
