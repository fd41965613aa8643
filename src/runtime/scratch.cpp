#include "runtime/scratch.h"

#include "runtime/execution.h"

namespace onemodel {

void Scratch::reserve(size_t bytes) {
  if (bytes <= storage_->bytes()) return;
  for (Execution* execution : users_) execution->release_arena();
  storage_.reset();
  storage_ = Storage::allocate(bytes);
}

}  // namespace onemodel
