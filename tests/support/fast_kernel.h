#pragma once
// Operators run through the kernel that choose_kernel picks.

#include <string>
#include <vector>

#include "ops/kernel.h"

namespace onemodel::test {

/// Which kernel was picked, why those before it refused, and what it computed (by `evaluate` when it is "portable").
struct FastRun {
  std::string name;
  std::vector<std::string> refusals;
  std::vector<Tensor> outputs;
};

struct FastOptions {
  std::vector<size_t> constants;  // inputs known beforehand
  std::optional<Clamp> clamp = {};
  size_t outputs = 1;
};

FastRun run_fast(const Op& op, const std::vector<Tensor>& inputs, const FastOptions& options = {});

}  // namespace onemodel::test
