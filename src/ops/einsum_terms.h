#pragma once
// The equation of an Einsum: one label for each axis of each operand.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onemodel {

/// One letter for each axis. Axes under an ellipsis have letters that the equation does not use, `ellipsis`, of which
/// an operand has the last ones.
struct EinsumTerms {
  std::vector<std::string> operands;
  std::string output;
  std::string ellipsis;
};

/// Reads `equation` for operands of these ranks. Without an arrow the output has the axes under the ellipsis, then the
/// letters that occur once in alphabetical order. Throws ArgumentError naming the part that does not fit.
EinsumTerms parse_einsum(std::string_view equation, std::span<const size_t> ranks);

}  // namespace onemodel
