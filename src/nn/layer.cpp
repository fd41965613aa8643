#include "nn/layer.h"

#include <algorithm>

namespace onemodel::nn {

const Tensor& only_input(std::string_view who, std::span<const Tensor> inputs) {
  check(inputs.size() == 1, who, ": one input was expected, got ", inputs.size());
  check(inputs.front().defined(), who, ": the input is missing");
  return inputs.front();
}

void check_at_least(int64_t least, std::string_view who, std::string_view argument, int64_t value) {
  check(value >= least, who, ": ", argument, " must be at least ", least, ", got ", value);
}

void check_not_negative(std::string_view who, std::string_view argument, double value) {
  check(value >= 0, who, ": ", argument, " must not be negative, got ", value);
}

void check_at_least(int64_t least, std::string_view who, std::string_view argument, const Triple& value) {
  check_at_least(least, who, argument, std::min({value.depth, value.height, value.width}));
}

void check_at_least(int64_t least, std::string_view who, std::string_view argument, Pair value) {
  check_at_least(least, who, argument, std::min(value.height, value.width));
}

void check_at_least(int64_t least, std::string_view who, std::string_view argument, Triple value) {
  check_at_least(least, who, argument, std::min({value.depth, value.height, value.width}));
}

}  // namespace onemodel::nn
