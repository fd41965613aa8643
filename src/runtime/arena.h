#pragma once
// Places buffers in one block of memory so that those alive at the same time do not overlap.

#include <cstddef>
#include <span>
#include <vector>

namespace onemodel {

/// A buffer that is alive from step `first` to step `last`, both included.
struct Lifetime {
  size_t bytes = 0;
  size_t first = 0, last = 0;
};

struct ArenaLayout {
  std::vector<size_t> offsets;  // one per buffer, multiples of Storage::kAlignment
  size_t bytes = 0;             // of the whole block
};

/// The largest buffers first, each into the smallest gap that holds it; beyond the first thousands, in less time and more
/// memory, where a buffer of about its size has ended.
ArenaLayout lay_out_arena(std::span<const Lifetime> buffers);

}  // namespace onemodel
