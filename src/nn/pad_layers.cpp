#include "nn/pad_layers.h"

namespace onemodel::nn {

std::vector<int64_t> pad_amounts(std::string_view who, size_t axes, const Sizes& padding) {
  std::vector<int64_t> out = padding.values;
  if (out.size() == 1) out.resize(2 * axes, out.front());
  check(out.size() == 2 * axes, who, ": padding must be one number or ", 2 * axes, ", got ", out.size());
  return out;
}

}  // namespace onemodel::nn
