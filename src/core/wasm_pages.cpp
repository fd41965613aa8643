// Where mimalloc takes its memory from, in the place of Emscripten's emmalloc (--wrap in cmake/wasm_link.cmake), which
// compares sums that have wrapped near the end of the address space and then gives out memory twice, and which leaves
// 4 MiB unused before each of mimalloc's segments. Blocks are runs of whole pages; two sets of pages describe them all.
#include "core/wasm_pages.h"

#ifdef __EMSCRIPTEN__
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kPageBytes = 16384;  // small, as padded powers of two end a little behind one
constexpr size_t kPages = (uint64_t{1} << 32) / kPageBytes;
constexpr size_t kMostAtOnce = (size_t{1} << 30) / kPageBytes;  // sbrk takes signed numbers

struct PageSet {
  uint64_t words[kPages / 64] = {};

  void put(size_t page, size_t count, bool in) {
    for (size_t end = page + count; page < end;) {
      const size_t part = std::min(end - page, 64 - page % 64);
      const uint64_t bits = ~uint64_t{0} >> (64 - part) << page % 64;
      words[page / 64] = in ? words[page / 64] | bits : words[page / 64] & ~bits;
      page += part;
    }
  }
  /// The first page of [page, end) that is in the set, or that is not; or `end`.
  size_t first(bool in, size_t page, size_t end) const {
    for (; page < end; page = (page / 64 + 1) * 64)
      if (const uint64_t found = (in ? words[page / 64] : ~words[page / 64]) >> page % 64)
        return std::min(end, page + static_cast<size_t>(std::countr_zero(found)));
    return end;
  }
};

PageSet g_free;  // pages of ours that no block has
PageSet g_last;  // the last page of each block
size_t g_end;    // behind our last page

#ifdef __EMSCRIPTEN_PTHREADS__
std::atomic_flag g_lock;

class Lock {
 public:
  Lock() {
    while (g_lock.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Lock() { g_lock.clear(std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};
#else
struct Lock {
  Lock() {}
};
#endif

constexpr size_t align_up(size_t page, size_t step) { return (page + step - 1) / step * step; }

/// Where `count` pages can be, at a multiple of `step`: the first that are free, else the last ones and what follows them.
size_t find(size_t count, size_t step) {
  for (size_t page = align_up(g_free.first(true, 0, g_end), step); page < g_end;) {
    const size_t end = std::min(page + count, g_end), missing = g_free.first(false, page, end);
    if (missing == end) return page;
    page = align_up(g_free.first(true, missing, g_end), step);
  }
  return align_up(g_end, step);
}

bool take_from_system(size_t bytes) { return sbrk(static_cast<intptr_t>(bytes)) != reinterpret_cast<void*>(-1); }

/// Moves the end to where the system's is, which at first lies between two pages. False when that has no more.
bool find_end() {
  const auto now = reinterpret_cast<uintptr_t>(sbrk(0));
  if (now == g_end * kPageBytes) return true;
  g_end = (now + kPageBytes - 1) / kPageBytes;
  return take_from_system(g_end * kPageBytes - now);
}

/// Takes pages from the system until `end`; false when it has no more.
bool extend(size_t end) {
  while (g_end < end) {
    const size_t count = std::min(end - g_end, kMostAtOnce);
    if (!take_from_system(count * kPageBytes)) return false;
    g_free.put(g_end, count, true);
    g_end += count;
  }
  return true;
}

}  // namespace

void* onemodel::take_pages(size_t alignment, size_t bytes) {
  const size_t count = bytes / kPageBytes + (bytes % kPageBytes != 0);
  const size_t step = std::max<size_t>(1, alignment / kPageBytes);
  const Lock lock;
  if (count == 0 || !find_end()) return nullptr;
  const size_t page = find(count, step);
  if (page + count >= kPages || !extend(page + count)) return nullptr;
  g_free.put(page, count, false);
  g_last.put(page + count - 1, 1, true);
  return reinterpret_cast<void*>(page * kPageBytes);
}

void onemodel::give_pages(void* block) {
  if (!block) return;
  const Lock lock;
  const size_t page = reinterpret_cast<uintptr_t>(block) / kPageBytes;
  const size_t last = g_last.first(true, page, g_end);
  g_last.put(last, 1, false);
  g_free.put(page, last + 1 - page, true);
}

// NOLINTBEGIN(bugprone-reserved-identifier): --wrap's names
extern "C" void* __wrap_emmalloc_memalign(size_t alignment, size_t bytes) {
  return onemodel::take_pages(alignment, bytes);
}
extern "C" void __wrap_emmalloc_free(void* block) { onemodel::give_pages(block); }
// NOLINTEND(bugprone-reserved-identifier)
#endif
