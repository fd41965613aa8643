#include "core/storage.h"

#include <cstdlib>
#include <limits>

#include "core/error.h"
#include "core/strings.h"
#include "core/write_watch.h"

namespace onemodel {
namespace {
std::atomic<int64_t> live_storages{0};
std::atomic<int64_t> live_bytes{0};
}  // namespace

std::shared_ptr<Storage> Storage::allocate(size_t bytes) {
  void* memory = nullptr;
  if (bytes <= std::numeric_limits<size_t>::max() - 2 * kAlignment - kReadPadding) {
    const size_t rounded = (bytes + kReadPadding + kAlignment - 1) / kAlignment * kAlignment;
    memory = std::aligned_alloc(kAlignment, rounded);
  }
  if (!memory) throw Error("MemoryError", "OutOfMemory", concat("cannot allocate ", bytes, " bytes for a tensor"));
  return std::shared_ptr<Storage>(new Storage(static_cast<std::byte*>(memory), bytes, nullptr));
}

std::shared_ptr<Storage> Storage::wrap(std::byte* data, size_t bytes, std::shared_ptr<const void> owner) {
  return std::shared_ptr<Storage>(new Storage(data, bytes, std::move(owner)));
}

Storage::Storage(std::byte* data, size_t bytes, std::shared_ptr<const void> owner)
    : data_(data), bytes_(bytes), owner_(std::move(owner)) {
  note_made(this);
  ++live_storages;
  live_bytes += static_cast<int64_t>(bytes);
}

Storage::~Storage() {
  if (holds_strings_) detail::forget_strings(this);
  if (!owner_) std::free(data_);
  --live_storages;
  live_bytes -= static_cast<int64_t>(bytes_);
}

void Storage::hold_strings() {
  if (!holds_strings_) detail::enroll_strings(this, holds_strings_);
}

MemoryCounters memory_counters() { return {live_storages, live_bytes}; }

}  // namespace onemodel
