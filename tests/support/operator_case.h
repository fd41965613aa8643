#pragma once
// Every operator with its samples, as parameters of the generic tests.

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "ops/sample.h"

namespace onemodel::test {

struct OperatorCase {
  std::string struct_name;
  const OpTraits* traits;
  std::vector<Sample> samples;

  friend void PrintTo(const OperatorCase& c, std::ostream* out) { *out << c.struct_name; }
};

/// One per line of op_list.inc, in its order.
const std::vector<OperatorCase>& operator_cases();

/// "Softmax(axis=1) of float32[2, 3], none".
std::string describe(const Sample& sample);
/// The sample with its inputs of dtype `from` converted, but those that decide shapes.
Sample with_dtype(const Sample& sample, DType from, DType to);

}  // namespace onemodel::test
