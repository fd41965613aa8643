#include "kernels/portable/fold.h"

#include <algorithm>
#include <limits>

#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"

// Before a loop that runs seldom: vectors are enough, several at a time are not worth their size.
#ifdef __clang__
#define OM_SELDOM _Pragma("clang loop unroll(disable) interleave(disable)")
#else
#define OM_SELDOM
#endif

namespace onemodel::kernels {

/// Calls `f(combine, identity)`.
template <class C, int64_t kColumns>
template <class F>
void Fold<C, kColumns>::with_op(const F& f) {
  using Limits = std::numeric_limits<C>;
  constexpr bool infinite = Limits::has_infinity;
  switch (op_) {
    case FoldOp::sum: return f([](C a, C b) { return wrapping_add(a, b); }, C(0));
    case FoldOp::prod: return f([](C a, C b) { return wrapping_mul(a, b); }, C(1));
    case FoldOp::max:
      return f([](C a, C b) { return b > a || b != b ? b : a; }, infinite ? -Limits::infinity() : Limits::lowest());
    case FoldOp::min:
      return f([](C a, C b) { return b < a || b != b ? b : a; }, infinite ? Limits::infinity() : Limits::max());
  }
}

template <class C, int64_t kColumns>
Fold<C, kColumns>::Fold(FoldOp op) : op_(op) {
  clear();
}

template <class C, int64_t kColumns>
[[gnu::noinline]] void Fold<C, kColumns>::clear() {
  C identity{};
  with_op([&](auto, C value) { identity = value; });
  OM_SELDOM
  for (Row& lane : lanes_) {
    OM_SELDOM
    for (size_t j = 0; j < width(); ++j) lane[j] = identity;
  }
}

template <class C, int64_t kColumns>
void Fold<C, kColumns>::add_row(const C* row, int64_t width) {
  if (width != static_cast<int64_t>(width_)) {
    width_ = static_cast<size_t>(width);
    clear();
  }
  C* lane = lanes_[static_cast<size_t>(rows_) % kLanes].data();
  with_op([&](auto combine, C) { update(lane, row, 1, width, combine); });
  if (++rows_ % kBlock == 0) finish_block();
}

template <class C, int64_t kColumns>
void Fold<C, kColumns>::add_run(const C* x, int64_t count) requires(kColumns == 1) {
  with_op([&](auto combine, C) {
    std::array<C, kLanes> lanes;
    for (size_t l = 0; l < kLanes; ++l) lanes[l] = lanes_[l][0];
    int64_t i = 0;
    if (static_cast<size_t>(rows_) % kLanes == 0) {
      constexpr auto step = static_cast<int64_t>(kLanes);
      for (; i + step <= count; i += step)
        for (size_t l = 0; l < kLanes; ++l) lanes[l] = combine(lanes[l], x[i + static_cast<int64_t>(l)]);
    }
    for (; i < count; ++i) {
      C& lane = lanes[static_cast<size_t>(rows_ + i) % kLanes];
      lane = combine(lane, x[i]);
    }
    for (size_t l = 0; l < kLanes; ++l) lanes_[l][0] = lanes[l];
  });
  rows_ += count;
  if (rows_ % kBlock == 0) finish_block();
}

template <class C, int64_t kColumns>
const C* Fold<C, kColumns>::finish() {
  if (rows_ % kBlock != 0) {
    rows_ += kBlock - rows_ % kBlock;
    finish_block();
  }
  for (; depth_ > 1; --depth_) merge(depth_ - 2);
  depth_ = 0;
  rows_ = 0;
  return levels_[0].data();
}

/// levels_[level] with the one above it.
template <class C, int64_t kColumns>
void Fold<C, kColumns>::merge(size_t level) {
  with_op([&](auto combine, C) {
    Row& left = levels_[level];
    const Row& right = levels_[level + 1];
    OM_SELDOM
    for (size_t j = 0; j < width(); ++j) left[j] = combine(left[j], right[j]);
  });
}

/// Block n is merged with as many finished ones as n has trailing ones: a balanced tree.
template <class C, int64_t kColumns>
void Fold<C, kColumns>::finish_block() {
  with_op([&](auto combine, C) {
    Row& block = levels_[depth_++];
    OM_SELDOM
    for (size_t j = 0; j < width(); ++j) {
      const auto pair = [&](size_t l) { return combine(lanes_[l][j], lanes_[l + 4][j]); };
      block[j] = combine(combine(pair(0), pair(2)), combine(pair(1), pair(3)));
    }
  });
  clear();
  for (int64_t n = rows_ / kBlock - 1; n & 1; n >>= 1) merge(--depth_ - 1);
}

template <class C>
C fold(FoldOp op, const C* x, int64_t count) {
  Fold<C, 1> column(op);
  for (int64_t i = 0; i < count; i += kBlock) column.add_run(x + i, std::min(kBlock, count - i));
  return *column.finish();
}

#define OM_INSTANTIATE(C)     \
  template class Fold<C, 1>;  \
  template class Fold<C, 64>; \
  template C fold<C>(FoldOp, const C*, int64_t);
OM_INSTANTIATE(float)
OM_INSTANTIATE(double)
OM_INSTANTIATE(int64_t)
OM_INSTANTIATE(uint64_t)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels
