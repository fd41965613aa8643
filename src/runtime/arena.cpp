#include "runtime/arena.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/storage.h"

namespace onemodel {
namespace {

constexpr size_t kAlign = Storage::kAlignment;
constexpr size_t align_up(size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

struct Placed {
  size_t begin, end;  // bytes
  size_t first, last;
};

// `placed` is sorted by `begin`.
size_t best_offset(const std::vector<Placed>& placed, const Lifetime& buffer, size_t bytes) {
  size_t best = 0, best_gap = std::numeric_limits<size_t>::max(), end = 0;
  for (const Placed& other : placed) {
    if (other.last < buffer.first || buffer.last < other.first) continue;
    if (other.begin > end && other.begin - end >= bytes && other.begin - end < best_gap) {
      best = end;
      best_gap = other.begin - end;
    }
    end = std::max(end, other.end);
  }
  return best_gap == std::numeric_limits<size_t>::max() ? end : best;
}

}  // namespace

ArenaLayout lay_out_arena(std::span<const Lifetime> buffers) {
  ArenaLayout layout{.offsets = std::vector<size_t>(buffers.size())};
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  std::vector<Placed> placed;
  for (size_t i : order) {
    const Lifetime& buffer = buffers[i];
    const size_t bytes = align_up(buffer.bytes);
    const size_t offset = best_offset(placed, buffer, bytes);
    layout.offsets[i] = offset;
    layout.bytes = std::max(layout.bytes, offset + bytes);
    const Placed entry{offset, offset + bytes, buffer.first, buffer.last};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), entry,
                                   [](const Placed& a, const Placed& b) { return a.begin < b.begin; }),
                  entry);
  }
  return layout;
}

}  // namespace onemodel
