#pragma once
// Names for sizes that may vary, sizes derived from them, and hints.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "graph/size_contract.h"

namespace onemodel {

/// What an axis shall be, without a name.
struct SizeHint {
  enum Kind : uint8_t { automatic, dynamic, fixed };
  Kind kind;
  int64_t min = 0;
  std::optional<int64_t> max = {};
  /// The hint with bounds. Throws ArgumentError for a STATIC hint and for bounds that Dim refuses.
  SizeHint operator()(int64_t lowest, std::optional<int64_t> highest = {}) const;
  std::string text() const;  // "Dim.AUTO(min=2)"
  friend bool operator==(const SizeHint&, const SizeHint&) = default;
};

/// A named size, or one derived from it: scale * name + offset. Derived sizes are made with `*`, `+` and `-` and an integer; a
/// chain is one scale and one offset. Every other arithmetic throws ArgumentError.
class Dim {
 public:
  /// `name` is a letter or '_' and then letters, digits and '_'. Throws ArgumentError for other names, min < 0, max < min.
  explicit Dim(std::string name, int64_t min = 0, std::optional<int64_t> max = {});

  const std::string& name() const { return name_; }  // of the root
  int64_t scale() const { return scale_; }
  int64_t offset() const { return offset_; }
  bool is_derived() const { return scale_ != 1 || offset_ != 0; }
  Dim root() const { return Dim(name_, min_, max_); }
  /// The declared range of the root.
  SizeRange root_range() const { return {name_, min_, max_}; }
  /// Its image: the range of this size.
  SizeRange range() const;
  /// The size when the root is `root`.
  int64_t at(int64_t root) const { return scale_ * root + offset_; }
  /// "batch", "2*d + 2".
  std::string text() const { return size_formula(name_, scale_, offset_); }
  /// `Dim("batch", min=2, max=64)`; derived: its text.
  std::string declaration() const;

  /// scale * this + offset, with scale at least 1.
  Dim derived(int64_t scale, int64_t offset) const;

  static const SizeHint AUTO;     // dynamic if possible, else fixed, quietly
  static const SizeHint DYNAMIC;  // dynamic; fixing it is an error
  static const SizeHint STATIC;
  friend bool operator==(const Dim&, const Dim&) = default;

 private:
  std::string name_;
  int64_t min_, scale_ = 1, offset_ = 0;
  std::optional<int64_t> max_;
};

Dim operator*(const Dim& dim, int64_t factor);
Dim operator*(int64_t factor, const Dim& dim);
Dim operator+(const Dim& dim, int64_t offset);
Dim operator+(int64_t offset, const Dim& dim);
Dim operator-(const Dim& dim, int64_t offset);
/// What throws ArgumentError, saying what is allowed.
[[noreturn]] Dim operator*(const Dim&, const Dim&);
[[noreturn]] Dim operator+(const Dim&, const Dim&);
[[noreturn]] Dim operator-(const Dim&, const Dim&);
[[noreturn]] Dim operator-(int64_t, const Dim&);
[[noreturn]] Dim operator-(const Dim&);
[[noreturn]] Dim operator/(const Dim&, int64_t);
[[noreturn]] Dim operator/(const Dim&, const Dim&);
[[noreturn]] Dim operator/(int64_t, const Dim&);
[[noreturn]] Dim operator%(const Dim&, int64_t);

/// A Dim per name, each without bounds.
std::vector<Dim> dims(std::span<const std::string> names);

/// What a specification says of one axis: nothing (static), a number that the example has to have, a Dim, or a hint.
using SizeEntry = std::variant<std::monostate, int64_t, Dim, SizeHint>;
/// "null", "4", "Dim 'batch'", "Dim.AUTO".
std::string entry_text(const SizeEntry& entry);

}  // namespace onemodel
