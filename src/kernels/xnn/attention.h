#pragma once
// Attention without the matrix of all scores in memory.

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/xnn/prepared.h"

namespace onemodel::kernels::xnn {

/// y = softmax(scale * q k^T, masked) v, for every block: q[rows, depth], k[keys, depth], v[keys, width], y[rows, width].
struct Attention {
  int64_t rows, keys, depth, width;
  float scale = 1;
  enum Mask : uint8_t {
    none,
    added,   // float: scores + mask
    chosen,  // one byte: the score where it is not 0, else `fill`
  } mask = none;
  float fill = -std::numeric_limits<float>::infinity();
  // Elements between rows; those of a row are adjacent.
  int64_t q_row, k_row, v_row, y_row;
  /// k lies as [depth, keys]: `k_row` is between the elements of a key, and the keys are adjacent.
  bool transposed_k = false;
  int64_t mask_row = 0, mask_column = 0;  // 0: one element for all; mask_column is 0 or 1
  /// Where a block's operands begin, in elements.
  struct Block {
    int64_t q, k, v, mask, y;
  };
  std::vector<Block> blocks;
};

/// Inputs {q, k, v} or {q, k, v, mask}, outputs {y}. A NaN score makes its row NaN, and so does a row of -inf.
PreparedPtr attention(Attention, std::string& refusal);

}  // namespace onemodel::kernels::xnn
