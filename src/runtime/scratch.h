#pragma once
// The scratch memory that all plans of a session share.

#include <memory>
#include <vector>

#include "core/storage.h"

namespace onemodel {

class Execution;

/// As large as the largest plan needs. Growing makes the executions forget the old memory, so that it is freed.
class Scratch {
 public:
  const std::shared_ptr<Storage>& storage() const { return storage_; }
  void reserve(size_t bytes);
  void attach(Execution* execution) { users_.push_back(execution); }
  void detach(Execution* execution) { std::erase(users_, execution); }

 private:
  std::shared_ptr<Storage> storage_ = Storage::allocate(0);
  std::vector<Execution*> users_;
};

}  // namespace onemodel
