#pragma once
// The cases of ONNX's own test data (Debian's libonnx-testdata): a model, and inputs with the outputs they must give.

#include <filesystem>
#include <string>
#include <vector>

#include "ops/kernel.h"

namespace onemodel::test {

/// Names like "node/test_abs" below `root`, sorted.
std::vector<std::string> test_case_names(const std::filesystem::path& root);

/// Runs a case in a session. Empty when every output of every data set agrees: shapes, element types and integers exactly,
/// floating-point numbers within 1e-3 of their size and 1e-5 of the largest of the output. Else what went wrong.
std::string run_test_case(const std::filesystem::path& folder, Arithmetic arithmetic);

/// Names of those outputs, tensors, of which a session tells no rank before it runs, separated by ", "; none of a model that
/// is refused.
std::string outputs_without_rank(const std::filesystem::path& folder);

}  // namespace onemodel::test
