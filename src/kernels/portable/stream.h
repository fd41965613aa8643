#pragma once
// A strided view read as a stream of contiguous pieces, so that loops need only the contiguous case.

#include <algorithm>
#include <cstdint>

#include "core/dims.h"
#include "kernels/portable/half.h"
#include "kernels/portable/internal.h"

namespace onemodel::kernels {

/// How many elements element-wise loops take at a time; their buffers stay in the first cache.
inline constexpr int64_t kPiece = 512;

/// Extents above 1, with neighbours merged where one stride walks both. Elements keep their order.
struct Walk {
  Dims dims, strides;

  Walk(const Dims& d, const Dims& s) {
    for (size_t i = 0; i < d.size(); ++i) {
      if (d[i] == 1) continue;
      if (!dims.empty() && strides.back() == d[i] * s[i]) {
        dims[dims.size() - 1] *= d[i];
        strides[strides.size() - 1] = s[i];
      } else {
        dims.push_back(d[i]);
        strides.push_back(s[i]);
      }
    }
    if (dims.empty()) {
      dims.push_back(1);
      strides.push_back(1);
    }
  }
  bool contiguous() const { return dims.size() == 1 && strides[0] == 1; }
};

/// Reads elements of type T in row-major order from any place on. Cheap to copy: each thread has its
/// own.
template <class T>
class Stream {
 public:
  Stream(const T* base, const Dims& dims, const Dims& strides) : base_(base), walk_(dims, strides) {}

  /// The same walk from another place.
  void rebase(const T* base) { base_ = base; }

  /// The `count` elements from row-major position `begin`: in place where they are contiguous, else
  /// gathered into `buffer`.
  const T* read(int64_t begin, int64_t count, T* buffer) {
    if (walk_.contiguous()) return base_ + begin;
    seek(begin);
    const size_t last = walk_.dims.size() - 1;
    const int64_t extent = walk_.dims[last], stride = walk_.strides[last];
    if (stride == 1 && extent - index_[last] >= count) return base_ + offset_;
    for (int64_t done = 0; done < count;) {
      const int64_t run = std::min(count - done, extent - index_[last]);
      const T* from = base_ + offset_;
      T* to = buffer + done;
      if (stride == 1)
        std::copy_n(from, run, to);
      else if (stride == 0)
        std::fill_n(to, run, *from);
      else
        for (int64_t i = 0; i < run; ++i) to[i] = from[i * stride];
      done += run;
      advance(run);
    }
    return buffer;
  }

 private:
  void seek(int64_t begin) {
    if (begin == position_) return;
    position_ = begin;
    offset_ = 0;
    for (size_t i = walk_.dims.size(); i-- > 0;) {
      index_[i] = begin % walk_.dims[i];
      begin /= walk_.dims[i];
      offset_ += index_[i] * walk_.strides[i];
    }
  }

  /// `run` does not leave the innermost row.
  void advance(int64_t run) {
    position_ += run;
    size_t i = walk_.dims.size() - 1;
    index_[i] += run;
    offset_ += run * walk_.strides[i];
    while (index_[i] == walk_.dims[i] && i > 0) {
      offset_ += walk_.strides[i - 1] - index_[i] * walk_.strides[i];
      index_[i] = 0;
      ++index_[--i];
    }
  }

  const T* base_;
  Walk walk_;
  int64_t position_ = -1, offset_ = 0;
  std::array<int64_t, kMaxRank> index_{};
};

/// A Stream in the type that T is computed in, with its own buffers.
template <class T>
class Reader {
 public:
  Reader(const T* base, const Dims& dims, const Dims& strides) : stream_(base, dims, strides) {}

  void rebase(const T* base) { stream_.rebase(base); }

  /// `count` <= kPiece elements from `begin`, valid until the next call.
  const Compute<T>* read(int64_t begin, int64_t count) {
    const T* piece = stream_.read(begin, count, gathered_);
    if constexpr (Half<T>) {
      widen(piece, count, wide_);
      return wide_;
    } else {
      return piece;
    }
  }

 private:
  Stream<T> stream_;
  T gathered_[kPiece];
  float wide_[Half<T> ? kPiece : 1];
};

/// Where a piece of a contiguous output is computed: in place, or apart when it is the same memory as
/// an input or is to be rounded to T.
template <class T>
class Writer {
 public:
  explicit Writer(T* base) : base_(base) {}

  void rebase(T* base) { base_ = base; }

  /// A place for the piece at `begin` that none of `inputs`, pieces of the same size, overlaps.
  template <class... Inputs>
  Compute<T>* piece(int64_t begin, const Inputs*... inputs) {
    if constexpr (Half<T>) {
      return apart_;
    } else {
      const void* place = base_ + begin;
      in_place_ = ((place != static_cast<const void*>(inputs)) && ...);
      return in_place_ ? base_ + begin : apart_;
    }
  }
  /// Call when the piece is filled.
  void finish(int64_t begin, int64_t count) {
    if constexpr (Half<T>)
      narrow(apart_, count, base_ + begin);
    else if (!in_place_)
      std::copy_n(apart_, count, base_ + begin);
  }

 private:
  T* base_;
  bool in_place_ = true;
  Compute<T> apart_[kPiece];
};

/// Calls `step(begin, count)` over pieces of [0, total); each thread makes its own step by `make()`.
/// `cost` is of one element, in simple operations.
template <class Make>
void for_pieces(int64_t total, int64_t cost, const Make& make) {
  parallel((total + kPiece - 1) / kPiece, grain_for(kPiece * cost), [&](int64_t first, int64_t last) {
    auto step = make();
    for (int64_t i = first; i < last; ++i) step(i * kPiece, std::min(kPiece, total - i * kPiece));
  });
}

}  // namespace onemodel::kernels
