#include "kernels/xnn/reduce.h"

#include <limits>

#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr size_t kBlock = 64;  // floats that are joined one after the other; blocks are joined in double

OM_SIMD_BEGIN

struct Add {
  static constexpr float kIdentity = 0;
  template <class T>
  OM_INLINE static T map(T x) {
    return x;
  }
  template <class T>
  OM_INLINE static T join(T a, T b) {
    return a + b;
  }
};
struct AddSquare : Add {
  template <class T>
  OM_INLINE static T map(T x) {
    return x * x;
  }
};
/// A NaN that is reached stays.
struct Max : Add {
  static constexpr float kIdentity = -kInfinity;
  template <class T>
  OM_INLINE static T join(T a, T b) {
    return a != a || a > b ? a : b;
  }
  OM_INLINE static F8 join(F8 a, F8 b) { return ((a != a) | (a > b)) ? a : b; }
};
struct Min : Add {
  static constexpr float kIdentity = kInfinity;
  template <class T>
  OM_INLINE static T join(T a, T b) {
    return a != a || a < b ? a : b;
  }
  OM_INLINE static F8 join(F8 a, F8 b) { return ((a != a) | (a < b)) ? a : b; }
};

/// At most 32 * kBlock elements, in four chains of eight.
template <class Op>
OM_INLINE float reduce_block(const float* x, size_t count) {
  F8 s[4];
  for (F8& chain : s) chain = splat8(Op::kIdentity);
  size_t i = 0;
  for (; i + 32 <= count; i += 32)
    for (size_t j = 0; j < 4; ++j) s[j] = Op::join(s[j], Op::map(load8(x + i + 8 * j)));
  for (; i + 8 <= count; i += 8) s[0] = Op::join(s[0], Op::map(load8(x + i)));
  const F8 all = Op::join(Op::join(s[0], s[1]), Op::join(s[2], s[3]));
  float total = Op::join(Op::join(Op::join(all[0], all[4]), Op::join(all[2], all[6])),
                         Op::join(Op::join(all[1], all[5]), Op::join(all[3], all[7])));
  for (; i < count; ++i) total = Op::join(total, Op::map(x[i]));
  return total;
}

/// The elements of a row.
template <class Op>
double row_loop(const float* x, size_t count) {
  constexpr size_t kWide = 32 * kBlock;
  double total = double{Op::kIdentity};
  for (size_t i = 0; i < count; i += kWide)
    total = Op::join(total, double{reduce_block<Op>(x + i, std::min(kWide, count - i))});
  return total;
}

/// totals[c] = join(totals[c], the elements of column c), for `columns` columns, `stride` apart from row to row.
template <class Op>
void block_loop(const float* x, size_t stride, size_t rows, double* totals, size_t columns) {
  size_t c = 0;
  for (; c + 8 <= columns; c += 8) {
    F8 s = splat8(Op::kIdentity);
    for (size_t r = 0; r < rows; ++r) s = Op::join(s, Op::map(load8(x + r * stride + c)));
    for (size_t i = 0; i < 8; ++i) totals[c + i] = Op::join(totals[c + i], double{s[i]});
  }
  for (; c < columns; ++c)
    for (size_t r = 0; r < rows; ++r) totals[c] = Op::join(totals[c], double{Op::map(x[r * stride + c])});
}

OM_SIMD_END

struct Loops {
  double (*row)(const float* x, size_t count);
  void (*block)(const float* x, size_t stride, size_t rows, double* totals, size_t columns);
  double (*join)(double a, double b);
  double identity;
};
template <class Op>
constexpr Loops loops = {row_loop<Op>, block_loop<Op>, Op::template join<double>, double{Op::kIdentity}};

Loops loops_of(Reduce function) {
  switch (function) {
    case Reduce::sum:
    case Reduce::mean: return loops<Add>;
    case Reduce::sum_square: return loops<AddSquare>;
    case Reduce::max: return loops<Max>;
    case Reduce::min: return loops<Min>;
  }
  return loops<Add>;
}

/// What axes become when neighbours that are both reduced or both kept are one.
struct Sizes {
  int64_t repeats = 1, outer = 1, reduced = 1, inner = 1;  // repeats and reduced go
};

/// x[repeats, outer, reduced, inner] to y[outer, inner].
class ReduceKernel : public Prepared {
 public:
  ReduceKernel(Reduce function, const Sizes& sizes)
      : loops_(loops_of(function)),
        repeats_(to_size(sizes.repeats)),
        outer_(to_size(sizes.outer)),
        reduced_(to_size(sizes.reduced)),
        inner_(to_size(sizes.inner)),
        divisor_(function == Reduce::mean ? static_cast<double>(sizes.repeats * sizes.reduced) : 1) {}

  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    const size_t grain = std::max<size_t>(1, (1 << 14) / (repeats_ * reduced_));
    if (inner_ == 1) {
      const auto body = [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) y[i] = row(x + i * reduced_);
      };
      return parallel(outer_, grain, body);
    }
    const auto body = [&](size_t begin, size_t end) {
      while (begin < end) {
        const size_t o = begin / inner_, first = begin % inner_;
        const size_t count = std::min({end - begin, inner_ - first, kChunk});
        columns(x + o * reduced_ * inner_ + first, y + begin, count);
        begin += count;
      }
    };
    parallel(outer_ * inner_, std::max(grain, size_t{64}), body);
  }

 private:
  static constexpr size_t kChunk = 256;

  float row(const float* x) const {
    double total = loops_.identity;
    for (size_t i = 0; i < repeats_; ++i) total = loops_.join(total, loops_.row(x + i * outer_ * reduced_, reduced_));
    return static_cast<float>(total / divisor_);
  }

  void columns(const float* x, float* y, size_t count) const {
    double totals[kChunk];
    std::fill(totals, totals + count, loops_.identity);
    for (size_t i = 0; i < repeats_; ++i, x += outer_ * reduced_ * inner_)
      for (size_t r = 0; r < reduced_; r += kBlock)
        loops_.block(x + r * inner_, inner_, std::min(kBlock, reduced_ - r), totals, count);
    for (size_t i = 0; i < count; ++i) y[i] = static_cast<float>(totals[i] / divisor_);
  }

  Loops loops_;
  size_t repeats_, outer_, reduced_, inner_;
  double divisor_;
};

}  // namespace

PreparedPtr reduce(Reduce function, const Dims& shape, const Dims& axes, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  std::array<bool, kMaxRank> reduces{};
  if (axes.empty()) reduces.fill(true);
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<int64_t>(shape.size()) || reduces[to_size(axis)])
      return refuse(refusal, axes, " are not axes of ", shape);
    reduces[to_size(axis)] = true;
  }
  if (numel(shape) == 0) return refuse(refusal, "a size is zero");
  int64_t sizes[4] = {1, 1, 1, 1};  // reduced, kept, reduced, kept
  size_t part = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    if (reduces[i] != (part % 2 == 0)) ++part;
    if (part > 3) return refuse(refusal, "axes ", axes, " of ", shape, " do not merge into two");
    sizes[part] *= shape[i];
  }
  const bool leading = sizes[2] == 1;  // what is reduced comes first
  return std::make_unique<ReduceKernel>(function, leading ? Sizes{.reduced = sizes[0], .inner = sizes[1]}
                                                          : Sizes{sizes[0], sizes[1], sizes[2], sizes[3]});
}

}  // namespace onemodel::kernels::xnn
