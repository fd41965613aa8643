#pragma once
// What the tests of the portable kernels share: values, strided walks, runs with one and two threads.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>

#include "core/dims.h"
#include "core/dtype.h"
#include "kernels/thread_pool.h"

namespace onemodel::kernels::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

/// A vector without std::vector<bool>'s packing.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(int64_t size) : size_(size), data_(new T[static_cast<size_t>(size)]()) {}
  Array(std::initializer_list<T> values) : Array(static_cast<int64_t>(values.size())) {
    std::copy(values.begin(), values.end(), begin());
  }
  int64_t size() const { return size_; }
  T* data() const { return data_.get(); }
  T* begin() const { return data_.get(); }
  T* end() const { return data_.get() + size_; }
  T& operator[](int64_t i) const { return data_[static_cast<size_t>(i)]; }

 private:
  int64_t size_ = 0;
  std::shared_ptr<T[]> data_;
};

template <class T>
double number(T value) {
  return static_cast<double>(convert<double>(value));
}

/// Small values: integers in [-20, 20] (unsigned ones without sign), floats in [-2, 2), bools.
template <class T>
Array<T> values(int64_t count, uint32_t seed) {
  std::mt19937 engine(seed);
  Array<T> out(count);
  for (T& v : out) {
    const auto draw = static_cast<int>(engine() % 41) - 20;
    if constexpr (std::is_same_v<T, bool>)
      v = draw > 0;
    else if constexpr (std::is_unsigned_v<T>)
      v = static_cast<T>(std::abs(draw));
    else if constexpr (std::is_integral_v<T>)
      v = static_cast<T>(draw);
    else
      v = convert<T>(static_cast<float>(engine() >> 8) * 0x1p-22f - 2);
  }
  return out;
}

/// Calls `f(index, position)` for all indices of `dims` in row-major order.
template <class F>
void for_each_index(const Dims& dims, const F& f) {
  const int64_t total = numel(dims);
  Dims index = Dims::filled(dims.size(), 0);
  for (int64_t i = 0; i < total; ++i) {
    f(index, i);
    for (size_t axis = dims.size(); axis-- > 0 && ++index[axis] == dims[axis];) index[axis] = 0;
  }
}

inline int64_t offset(const Dims& index, const Dims& strides) {
  int64_t out = 0;
  for (size_t i = 0; i < index.size(); ++i) out += index[i] * strides[i];
  return out;
}

/// The elements of a view one after the other.
template <class T>
Array<T> gathered(const Dims& dims, const T* base, const Dims& strides) {
  Array<T> out(numel(dims));
  for_each_index(dims, [&](const Dims& index, int64_t i) { out[i] = base[offset(index, strides)]; });
  return out;
}

template <class T>
bool same_bytes(const Array<T>& a, const Array<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(T)) == 0;
}

/// The output of `kernel(out)`; expects that nothing is written behind it.
template <class T, class Kernel>
Array<T> run(int64_t size, const Kernel& kernel) {
  constexpr int64_t guard = 16;
  Array<T> whole(size + guard), before(guard), out(size);
  std::memset(static_cast<void*>(whole.data()), 1, static_cast<size_t>(size + guard) * sizeof(T));
  std::memcpy(static_cast<void*>(before.data()), whole.data() + size, guard * sizeof(T));
  kernel(whole.data());
  EXPECT_EQ(std::memcmp(before.data(), whole.data() + size, guard * sizeof(T)), 0) << "written behind the output";
  std::copy_n(whole.data(), size, out.data());
  return out;
}

/// As `run` with one thread; expects the same bytes with two and with three.
template <class T, class Kernel>
Array<T> run_threaded(int64_t size, const Kernel& kernel) {
  const Array<T> alone = run<T>(size, kernel);
  for (size_t threads : {2, 3}) {
    set_threads(threads);
    EXPECT_TRUE(same_bytes(alone, run<T>(size, kernel))) << threads << " threads give other bytes than one";
  }
  set_threads(1);
  return alone;
}

/// |got - want| <= tolerance * max(1, |want|), with NaN and infinities in the same places.
template <class T>
void expect_close(const Array<T>& got, const Array<double>& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (int64_t i = 0; i < got.size(); ++i) {
    const double g = number(got[i]), w = want[i];
    if (std::isnan(w) || std::isinf(w))
      ASSERT_TRUE(std::isnan(w) ? std::isnan(g) : g == w) << "at " << i << ": " << g << " for " << w;
    else
      ASSERT_LE(std::fabs(g - w), tolerance * std::max(1.0, std::fabs(w))) << "at " << i << ": " << g << " for " << w;
  }
}

template <class T>
void expect_equal(const Array<T>& got, const Array<T>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (int64_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(got[i] == want[i]) << "at " << i << ": " << number(got[i]) << " for " << number(want[i]);
}

/// Of one rounding.
template <class T>
constexpr double kPrecision = std::is_same_v<T, double>     ? 1e-14
                              : std::is_same_v<T, float>    ? 1e-6
                              : std::is_same_v<T, Float16>  ? 1e-3
                              : std::is_same_v<T, BFloat16> ? 8e-3
                                                            : 0;

}  // namespace onemodel::kernels::test
