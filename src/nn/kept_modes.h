#pragma once
// The modes of a tree of modules, put back at the end of a scope.

#include <string>
#include <utility>
#include <vector>

#include "nn/module.h"

namespace onemodel::nn {

/// While it lives, modules may be set to training or evaluation; then each has the mode that it had. `module` must outlive it.
class KeptModes {
 public:
  explicit KeptModes(Module& module);
  ~KeptModes();
  KeptModes(const KeptModes&) = delete;
  KeptModes& operator=(const KeptModes&) = delete;

 private:
  std::vector<std::pair<std::string, Module*>> modules_;  // parents first
  std::vector<bool> modes_;
};

}  // namespace onemodel::nn
