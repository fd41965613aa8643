#pragma once
// Concrete sizes, strides and permutations of a tensor: a short list of integers held in place.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/error.h"

namespace onemodel {

inline constexpr size_t kMaxRank = 8;

/// Up to kMaxRank integers; no allocation. More throw ShapeError.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  Dims(std::span<const int64_t> values) {
    check<ShapeError>(values.size() <= kMaxRank, "rank ", values.size(), " is above the largest supported, ", kMaxRank);
    size_ = static_cast<uint32_t>(values.size());
    std::copy(values.begin(), values.end(), values_.begin());
  }
  Dims(const std::vector<int64_t>& values) : Dims(std::span<const int64_t>(values)) {}
  static Dims filled(size_t size, int64_t value) {
    Dims out;
    for (size_t i = 0; i < size; ++i) out.push_back(value);
    return out;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t& operator[](size_t i) { return values_[i]; }
  int64_t operator[](size_t i) const { return values_[i]; }
  int64_t* begin() { return values_.data(); }
  int64_t* end() { return values_.data() + size_; }
  const int64_t* begin() const { return values_.data(); }
  const int64_t* end() const { return values_.data() + size_; }
  int64_t back() const { return values_[size_ - 1]; }
  int64_t* data() { return values_.data(); }
  const int64_t* data() const { return values_.data(); }
  std::vector<int64_t> vector() const { return {begin(), end()}; }

  void push_back(int64_t value) {
    check<ShapeError>(size_ < kMaxRank, "a rank above the largest supported, ", kMaxRank, ", would be needed");
    values_[size_++] = value;
  }
  void insert(size_t at, int64_t value) {
    push_back(value);
    std::rotate(begin() + at, end() - 1, end());
  }
  void erase(size_t at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }
  friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::array<int64_t, kMaxRank> values_{};
  uint32_t size_ = 0;
};

/// Number of elements; 1 for rank 0. Throws ShapeError on overflow or a negative extent.
int64_t numel(const Dims& dims);
/// Row-major strides in elements.
Dims contiguous_strides(const Dims& dims);
/// Numpy broadcasting of two shapes; false when they do not fit.
bool broadcast(const Dims& a, const Dims& b, Dims& out);
/// `axis` in [-rank, rank) as a non-negative index; throws ShapeError naming `who`.
size_t normalize_axis(std::string_view who, int64_t axis, size_t rank);

void append(std::string& out, const Dims& dims);  // [2, 3]

}  // namespace onemodel
