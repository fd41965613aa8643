#include "runtime/arena.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>

#include "core/sort.h"
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

// Best fits compare a buffer with all that are placed, so that only the largest are placed so.
constexpr size_t kMostCompared = 4096;

void fit(std::span<const Lifetime> buffers, std::span<const size_t> order, ArenaLayout& layout) {
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
}

struct Busy {
  size_t last, offset, bytes;
  bool operator>(const Busy& other) const { return last > other.last; }
};

// One after the other in time, each where one of its size has ended, else behind everything.
void reuse(std::span<const Lifetime> buffers, std::span<size_t> order, ArenaLayout& layout) {
  constexpr size_t kRoundedUpTo = size_t{1} << 20;
  sort_numbers(order, [&](size_t a, size_t b) { return buffers[a].first < buffers[b].first; });
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::unordered_map<size_t, std::vector<size_t>> idle;  // offsets by size
  for (size_t i : order) {
    for (; !busy.empty() && busy.top().last < buffers[i].first; busy.pop())
      idle[busy.top().bytes].push_back(busy.top().offset);
    const size_t exact = align_up(buffers[i].bytes), bytes = exact < kRoundedUpTo ? std::bit_ceil(exact) : exact;
    std::vector<size_t>& free = idle[bytes];
    if (free.empty()) {
      free.push_back(layout.bytes);
      layout.bytes += bytes;
    }
    layout.offsets[i] = free.back();
    free.pop_back();
    busy.push({buffers[i].last, layout.offsets[i], bytes});
  }
}

}  // namespace

ArenaLayout lay_out_arena(std::span<const Lifetime> buffers) {
  ArenaLayout layout{.offsets = std::vector<size_t>(buffers.size())};
  std::vector<size_t> order;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].bytes > 0) order.push_back(i);
  sort_numbers(order, [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  const std::span<size_t> all(order);
  const size_t compared = std::min(kMostCompared, order.size());
  fit(buffers, all.first(compared), layout);
  reuse(buffers, all.subspan(compared), layout);
  return layout;
}

}  // namespace onemodel
