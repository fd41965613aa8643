#pragma once
// What of a plan has to run for some of its outputs. Private to the runtime.

#include <cstddef>
#include <vector>

namespace onemodel {

class Plan;

/// Per output whether it is wanted; empty: all are.
using Wanted = std::vector<bool>;

struct PlanSlice {
  std::vector<bool> steps;    // that run
  std::vector<bool> outputs;  // that they write or read: wanted ones, and those that lie on the way
  size_t count = 0;           // of steps that run
};

/// `wanted` is not empty.
PlanSlice slice_of(const Plan& plan, const Wanted& wanted);

}  // namespace onemodel
