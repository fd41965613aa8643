#pragma once
// How often each of a pool of sequences occurs in rows of integers.
//
// Threads: split over rows; the same counts for any number.

#include <cstdint>
#include <span>
#include <vector>

namespace onemodel::kernels {

/// One sequence of the pool and where it is counted.
struct Ngram {
  std::span<const int64_t> items;
  int64_t column;
};

struct NgramOptions {
  int64_t least = 1, most = 1;  // lengths that are counted
  int64_t skips = 0;            // items may be up to skips + 1 apart, all by the same distance
};

/// counts[rows, columns] of contiguous x[rows, length], added to what is there. Single items count once, not for each
/// distance. Of equal sequences the last counts.
void count_ngrams(const NgramOptions& options, std::vector<Ngram> pool, int64_t rows, int64_t length, int64_t columns,
                  const int64_t* x, float* counts);

}  // namespace onemodel::kernels
