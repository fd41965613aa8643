#pragma once
// Orders of axes, as Transpose has them.

#include <cstdint>
#include <vector>

#include "core/dims.h"

namespace onemodel {

inline std::vector<int64_t> identity_permutation(size_t rank) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < rank; ++i) out.push_back(static_cast<int64_t>(i));
  return out;
}

/// First `inner`, then `outer`.
inline std::vector<int64_t> composed(const Dims& inner, const std::vector<int64_t>& outer) {
  std::vector<int64_t> out;
  for (int64_t axis : outer) out.push_back(inner[static_cast<size_t>(axis)]);
  return out;
}

/// Empty, as operators write it, when every axis stays.
inline std::vector<int64_t> unless_identity(std::vector<int64_t> perm) {
  return perm == identity_permutation(perm.size()) ? std::vector<int64_t>() : perm;
}

}  // namespace onemodel
