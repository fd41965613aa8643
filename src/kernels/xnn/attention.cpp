#include "kernels/xnn/attention.h"

#include "kernels/xnn/gemm_tile.h"
#include "kernels/xnn/gemv.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/strided.h"
#include "kernels/xnn/vector_math.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
// Keys are taken in blocks whose packed keys and values stay in the second cache; rows in parts that are worth the
// packing.
constexpr size_t kKeys = 128;
constexpr size_t kRows = 256;
static_assert(kKeys % kTileColumns == 0 && kRows % kTileRows == 0);
/// So few rows read keys and values as they lie.
constexpr size_t kFewRows = 5;

constexpr size_t round_up(size_t n, size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

using Bytes8 = uint8_t __attribute__((vector_size(8), aligned(1), may_alias));

/// What one task needs besides its operands. Each row keeps its largest score so far, the sum of the exponentials of
/// the scores less that, and the sum of the values by these exponentials (Milakov and Gimelshein, "Online normalizer
/// calculation for softmax", 2018; Dao et al., "FlashAttention", 2022).
struct Scratch {
  float *scores, *weights, *query, *keys, *values, *sums, *largest, *totals;
};

struct MaskRow {
  const float* added = nullptr;
  const uint8_t* chosen = nullptr;
};

OM_SIMD_BEGIN

// What is called twice is not inlined, to keep the module small.

OM_INLINE F8 masked8(F8 score, const MaskRow& mask, size_t at, size_t count, size_t step, float fill) {
  if (mask.added) return score + (step ? load_some(mask.added + at, count) : splat8(*mask.added));
  if (!step) return *mask.chosen ? score : splat8(fill);
  Bytes8 bytes{};
  if (count >= 8)
    bytes = *reinterpret_cast<const Bytes8*>(mask.chosen + at);
  else
    std::memcpy(&bytes, mask.chosen + at, count);
  return select(__builtin_convertvector(bytes, I8) != I8{}, score, splat8(fill));
}

[[gnu::noinline]] void mask_scores(const Attention& p, const MaskRow& mask, size_t count, float* scores) {
  const size_t step = to_size(p.mask_column);
  size_t c = 0;
  if (mask.added && step)
    for (; c + 8 <= count; c += 8) store8(scores + c, load8(scores + c) + load8(mask.added + c));
  for (; c < count; c += 8) store8(scores + c, masked8(load8(scores + c), mask, c, count - c, step, p.fill));
}

/// Scores, of which there is room for a multiple of 8, become their weights against the largest so far. Returns by how
/// much the row's earlier weights are smaller now.
[[gnu::noinline]] float weigh(size_t count, float* scores, float& largest, float& total) {
  for (size_t c = count; c % 8 != 0; ++c) scores[c] = kMinusInfinity;
  F8 top = splat8(largest);
  for (size_t c = 0; c < count; c += 8) {
    const F8 score = load8(scores + c);
    top = score > top ? score : top;  // not a NaN, which its exponential will be
  }
  float highest = top[0];
  for (size_t i = 1; i < 8; ++i) highest = top[i] > highest ? top[i] : highest;
  const float shift = highest == kMinusInfinity ? 0 : highest;
  F8 sums{};
  for (size_t c = 0; c < count; c += 8) {
    const F8 weight = exp_negative8(load8(scores + c) - splat8(shift));
    store8(scores + c, weight);
    sums += weight;
  }
  // before the first score above -inf there is nothing to make smaller
  const float factor = largest == kMinusInfinity ? 1 : exp_negative8(splat8(largest - shift))[0];
  largest = highest;
  total = total * factor + sum(sums);
  return factor;
}

[[gnu::noinline]] void scale_row(float* row, float factor, size_t count) {
  for (size_t c = 0; c < count; c += 8) store8(row + c, load8(row + c) * splat8(factor));
}

void write_row(const float* sums, float total, float* y, size_t count) {
  for (size_t c = 0; c < count; c += 8) store_some(y + c, load8(sums + c) / splat8(total), count - c);
}

/// y[c] += the sum over i < count of factors[i] * rows[i, c]; y has room for a multiple of 8.
[[gnu::noinline]] void add_rows(const float* rows, size_t stride, const float* factors, size_t count, float* y,
                                size_t columns) {
  constexpr size_t kWide = 4;
  size_t c = 0;
  for (; c + 8 * kWide <= columns; c += 8 * kWide) {
    F8 s[kWide];
    for (size_t j = 0; j < kWide; ++j) s[j] = load8(y + c + 8 * j);
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < kWide; ++j)
        s[j] = multiply_add(splat8(factors[i]), load8(rows + i * stride + c + 8 * j), s[j]);
    for (size_t j = 0; j < kWide; ++j) store8(y + c + 8 * j, s[j]);
  }
  for (; c < columns; c += 8) {
    F8 s = load8(y + c);
    for (size_t i = 0; i < count; ++i)
      s = multiply_add(splat8(factors[i]), load_some(rows + i * stride + c, columns - c), s);
    store8(y + c, s);
  }
}

OM_SIMD_END

class FusedAttention : public Prepared {
 public:
  explicit FusedAttention(Attention p)
      : p_(std::move(p)),
        depth_(to_size(p_.depth)),
        width_(to_size(p_.width)),
        padded_width_(round_up(width_, kTileColumns)),
        packs_(to_size(p_.rows) > kFewRows),
        part_(std::min(kRows, round_up(to_size(p_.rows), kTileRows))) {
    // smaller parts until there is work for all; each packs keys and values anew
    const size_t threads = work() < 2 * kThreadWork ? 1 : thread_pool().threads();
    while (threads > 1 && tasks() < 3 * threads && part_ > 8 * kTileRows) part_ = round_up(part_ / 2, kTileRows);
  }

  size_t workspace_bytes() const override { return slots_ * lay_out(nullptr).second * sizeof(float); }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const auto body = [&](size_t slot, size_t first, size_t last) {
      float* own = reinterpret_cast<float*>(workspace) + slot * lay_out(nullptr).second;
      const Scratch scratch = lay_out(own).first;
      for (size_t task = first; task < last; ++task) run_part(task, inputs, output_f32(outputs), scratch);
    };
    parallel_slots(tasks(), work(), slots_, body);
  }

 private:
  size_t parts() const { return (to_size(p_.rows) + part_ - 1) / part_; }
  size_t tasks() const { return p_.blocks.size() * parts(); }
  int64_t work() const { return static_cast<int64_t>(p_.blocks.size()) * p_.rows * p_.keys * (p_.depth + p_.width); }

  /// The scratch memory from `memory` on, and how many floats it takes.
  std::pair<Scratch, size_t> lay_out(float* memory) const {
    size_t used = 0;
    const auto take = [&](size_t count) {
      float* at = memory ? memory + used : nullptr;
      used += round_up(count, kAlignment / sizeof(float));
      return at;
    };
    Scratch s{};
    s.scores = take(kTileRows * kKeys);
    s.weights = take(packs_ ? kTileRows * kKeys : 0);
    s.query = take(kTileRows * depth_);
    s.keys = take(packs_ ? kKeys * depth_ : 0);
    s.values = take(packs_ ? kKeys * padded_width_ : 0);
    s.sums = take(part_ * padded_width_);
    s.largest = take(part_);
    s.totals = take(part_);
    return {s, used};
  }

  void run_part(size_t task, const void* const* inputs, float* y, const Scratch& s) const {
    const Attention::Block& block = p_.blocks[task / parts()];
    const size_t first = task % parts() * part_, rows = std::min(part_, to_size(p_.rows) - first);
    const float* q = input_f32(inputs, 0) + block.q + static_cast<int64_t>(first) * p_.q_row;
    const float *k = input_f32(inputs, 1) + block.k, *v = input_f32(inputs, 2) + block.v;
    std::fill_n(s.sums, part_ * padded_width_, 0.f);
    std::fill_n(s.largest, part_, kMinusInfinity);
    std::fill_n(s.totals, part_, 0.f);
    for (size_t key = 0; key < to_size(p_.keys); key += kKeys) {
      const size_t count = std::min(kKeys, to_size(p_.keys) - key);
      const auto mask = [&](size_t row) { return mask_row(inputs, block, first + row, key); };
      const float* keys = k + static_cast<int64_t>(key) * (p_.transposed_k ? 1 : p_.k_row);
      const float* values = v + static_cast<int64_t>(key) * p_.v_row;
      packs_ ? add_packed(q, rows, keys, values, count, mask, s) : add_unpacked(q, rows, keys, values, count, mask, s);
    }
    for (size_t row = 0; row < rows; ++row)
      write_row(s.sums + row * padded_width_, s.totals[row], y + block.y + static_cast<int64_t>(first + row) * p_.y_row,
                width_);
  }

  MaskRow mask_row(const void* const* inputs, const Attention::Block& block, size_t row, size_t key) const {
    const int64_t at =
        block.mask + static_cast<int64_t>(row) * p_.mask_row + static_cast<int64_t>(key) * p_.mask_column;
    if (p_.mask == Attention::added) return {.added = input_f32(inputs, 3) + at};
    if (p_.mask == Attention::chosen) return {.chosen = static_cast<const uint8_t*>(inputs[3]) + at};
    return {};
  }

  /// A block of keys, packed, for all rows.
  template <class Mask>
  void add_packed(const float* q, size_t rows, const float* k, const float* v, size_t count, const Mask& mask,
                  const Scratch& s) const {
    pack(k, v, count, s);
    for (size_t i = 0; i < rows; i += kTileRows) {
      const size_t height = std::min(kTileRows, rows - i);
      interleave(q + i * to_size(p_.q_row), to_size(p_.q_row), height, depth_, s.query, kTileRows);
      scale_row(s.query, p_.scale, kTileRows * depth_);
      for (size_t c = 0; c < count; c += kTileColumns)
        compute_tile(depth_, s.query, s.keys + c * depth_, s.scores + c, kKeys, false, nullptr);
      float* sums = s.sums + i * padded_width_;
      for (size_t r = 0; r < height; ++r) {
        float* scores = s.scores + r * kKeys;
        if (p_.mask != Attention::none) mask_scores(p_, mask(i + r), count, scores);
        const float factor = weigh(count, scores, s.largest[i + r], s.totals[i + r]);
        if (factor != 1) scale_row(sums + r * padded_width_, factor, padded_width_);
      }
      interleave(s.scores, kKeys, height, count, s.weights, kTileRows);
      for (size_t c = 0; c < width_; c += kTileColumns)
        compute_tile(count, s.weights, s.values + c * count, sums + c, padded_width_, true, nullptr);
    }
  }

  void pack(const float* k, const float* v, size_t count, const Scratch& s) const {
    const size_t k_row = to_size(p_.k_row), v_row = to_size(p_.v_row);
    if (p_.transposed_k) {
      for (size_t i = 0; i < depth_; ++i)
        spread_row(k + i * k_row, count, s.keys + i * kTileColumns, depth_ * kTileColumns);
    } else {
      for (size_t c = 0; c < count; c += kTileColumns)
        interleave(k + c * k_row, k_row, std::min(kTileColumns, count - c), depth_, s.keys + c * depth_, kTileColumns);
    }
    for (size_t i = 0; i < count; ++i)
      spread_row(v + i * v_row, width_, s.values + i * kTileColumns, count * kTileColumns);
  }

  template <class Mask>
  void add_unpacked(const float* q, size_t rows, const float* k, const float* v, size_t count, const Mask& mask,
                    const Scratch& s) const {
    const size_t k_row = to_size(p_.k_row);
    for (size_t r = 0; r < rows; ++r) {
      for (size_t i = 0; i < depth_; ++i) s.query[i] = q[r * to_size(p_.q_row) + i] * p_.scale;
      if (p_.transposed_k) {
        std::fill_n(s.scores, kKeys, 0.f);
        add_rows(k, k_row, s.query, depth_, s.scores, count);
      } else {
        dot_rows(k, k_row, s.query, s.scores, count, depth_);
      }
      float* sums = s.sums + r * padded_width_;
      if (p_.mask != Attention::none) mask_scores(p_, mask(r), count, s.scores);
      const float factor = weigh(count, s.scores, s.largest[r], s.totals[r]);
      if (factor != 1) scale_row(sums, factor, padded_width_);
      add_rows(v, to_size(p_.v_row), s.scores, count, sums, width_);
    }
  }

  Attention p_;
  size_t depth_, width_, padded_width_;
  bool packs_;
  size_t part_;  // rows of a task
  size_t slots_ = slots_for_pool();
};

}  // namespace

PreparedPtr attention(Attention p, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  if (p.blocks.empty() || p.rows <= 0 || p.keys <= 0 || p.depth <= 0 || p.width <= 0)
    return refuse(refusal, "a size is zero");
  return std::make_unique<FusedAttention>(std::move(p));
}

}  // namespace onemodel::kernels::xnn
