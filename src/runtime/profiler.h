#pragma once
// Time per step, summed over runs.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan.h"

namespace onemodel {

/// Give it to `Session::run`; steps of different plans of one node are summed. Not thread-safe.
class Profiler {
 public:
  struct Entry {
    std::string node, op, kernel, module_path;
    int64_t runs = 0;
    double seconds = 0;
  };

  void record(const Step& step, double seconds);
  void clear() { entries_.clear(); }
  /// In the order in which they first ran.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  size_t next_ = 0;
};

/// A table, the slowest first, with each entry's share.
std::string to_string(const Profiler& profiler);

}  // namespace onemodel
