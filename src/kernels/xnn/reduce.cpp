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
  double identity;
};
template <class Op>
constexpr Loops loops = {row_loop<Op>, block_loop<Op>, double{Op::kIdentity}};

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

/// x[outer, reduced, inner] to y[outer, inner].
class ReduceKernel : public Prepared {
 public:
  ReduceKernel(Reduce function, int64_t outer, int64_t reduced, int64_t inner)
      : loops_(loops_of(function)),
        outer_(to_size(outer)),
        reduced_(to_size(reduced)),
        inner_(to_size(inner)),
        divisor_(function == Reduce::mean ? static_cast<double>(reduced) : 1) {}

  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    const float* x = input_f32(inputs, 0);
    float* y = output_f32(outputs);
    const size_t grain = std::max<size_t>(1, (1 << 14) / reduced_);
    if (inner_ == 1) {
      const auto body = [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          y[i] = static_cast<float>(loops_.row(x + i * reduced_, reduced_) / divisor_);
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

  void columns(const float* x, float* y, size_t count) const {
    double totals[kChunk];
    std::fill(totals, totals + count, loops_.identity);
    for (size_t r = 0; r < reduced_; r += kBlock)
      loops_.block(x + r * inner_, inner_, std::min(kBlock, reduced_ - r), totals, count);
    for (size_t i = 0; i < count; ++i) y[i] = static_cast<float>(totals[i] / divisor_);
  }

  Loops loops_;
  size_t outer_, reduced_, inner_;
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
  int64_t sizes[3] = {1, 1, 1};  // outer, reduced, inner
  size_t part = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    if (reduces[i] != (part == 1)) ++part;
    if (part > 2) return refuse(refusal, "axes ", axes, " of ", shape, " do not merge into one");
    sizes[part] *= shape[i];
  }
  return std::make_unique<ReduceKernel>(function, sizes[0], sizes[1], sizes[2]);
}

}  // namespace onemodel::kernels::xnn
