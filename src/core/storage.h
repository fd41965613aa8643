#pragma once
// Memory that tensors view, with the version counter that detects changes behind a recorded use.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace onemodel {

/// Bytes aligned to kAlignment, shared by all views of one tensor. Not thread-safe for writers.
class Storage {
 public:
  static constexpr size_t kAlignment = 64;
  /// XNNPACK may read this many bytes past the end of an input.
  static constexpr size_t kReadPadding = 64;

  /// Uninitialised memory; throws MemoryError when the machine cannot give it.
  static std::shared_ptr<Storage> allocate(size_t bytes);
  /// Memory that `owner` keeps alive; nothing is copied.
  static std::shared_ptr<Storage> wrap(std::byte* data, size_t bytes, std::shared_ptr<const void> owner);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  uint64_t version() const { return version_; }
  void bump_version() { ++version_; }
  /// From now on the bytes may hold handles of strings (core/strings.h), whose texts stay as long as they do.
  void hold_strings();

 private:
  Storage(std::byte* data, size_t bytes, std::shared_ptr<const void> owner);
  std::byte* data_;
  size_t bytes_;
  uint64_t version_ = 0;
  std::atomic<bool> holds_strings_ = false;
  std::shared_ptr<const void> owner_;  // null: the memory is our own
};

/// What is alive now in this process.
struct MemoryCounters {
  int64_t storages = 0;
  int64_t bytes = 0;
};
MemoryCounters memory_counters();

}  // namespace onemodel
