#include "nn/kept_modes.h"

namespace onemodel::nn {

KeptModes::KeptModes(Module& module) : modules_(module.named_modules()) {
  for (const auto& [path, each] : modules_) modes_.push_back(each->training());
}

// Parents first: `train` sets all below it too.
KeptModes::~KeptModes() {
  for (size_t i = 0; i < modules_.size(); ++i) modules_[i].second->train(modes_[i]);
}

}  // namespace onemodel::nn
