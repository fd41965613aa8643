#pragma once
// Tells of writes to tensors that are older than who asks.

#include <string_view>
#include <unordered_set>

#include "core/tensor.h"

namespace onemodel {

/// While one lives, it is told of what user code on this thread writes to memory that was there before it. At most one at a
/// time on a thread.
class WriteWatch {
 public:
  WriteWatch();
  virtual ~WriteWatch();
  WriteWatch(const WriteWatch&) = delete;
  WriteWatch& operator=(const WriteWatch&) = delete;

  /// `how` is about to change the values of `tensor`; an exception stops it.
  virtual void before_write(const Tensor& tensor, std::string_view how) = 0;

 private:
  friend void before_write(const Tensor& tensor, std::string_view how);
  friend void note_made(const Storage* storage);
  std::unordered_set<const Storage*> made_;  // since then: an address that is in use again is new too
};

/// Whether an InternalAccess lives on this thread.
bool is_internal();
/// Asks the tensor's extension and this thread's watch, unless the engine itself writes.
void before_write(const Tensor& tensor, std::string_view how);
/// Throws ArgumentError where several elements of `tensor`, which `how` is about to write, lie in one place of memory.
void check_distinct(const Tensor& tensor, std::string_view how);
/// Every storage tells that it was made.
void note_made(const Storage* storage);

}  // namespace onemodel
