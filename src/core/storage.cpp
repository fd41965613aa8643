#include "core/storage.h"

#include <cstdlib>
#include <limits>

#include "core/error.h"
#include "core/strings.h"
#include "core/wasm_pages.h"
#include "core/write_watch.h"

namespace onemodel {
namespace {
std::atomic<int64_t> live_storages{0};
std::atomic<int64_t> live_bytes{0};

size_t with_padding(size_t bytes) {
  return (bytes + Storage::kReadPadding + Storage::kAlignment - 1) / Storage::kAlignment * Storage::kAlignment;
}

#ifdef __EMSCRIPTEN__
// mimalloc gives a block of more than half of its segments of 4 MiB whole segments: nearly twice what it needs.
constexpr size_t kLeastOfPages = size_t{256} << 10;

void* take(size_t bytes) {
  return bytes < kLeastOfPages ? std::aligned_alloc(Storage::kAlignment, bytes)
                               : take_pages(Storage::kAlignment, bytes);
}
void give(void* memory, size_t bytes) { bytes < kLeastOfPages ? std::free(memory) : give_pages(memory); }
#else
void* take(size_t bytes) { return std::aligned_alloc(Storage::kAlignment, bytes); }
void give(void* memory, size_t) { std::free(memory); }
#endif
}  // namespace

std::shared_ptr<Storage> Storage::allocate(size_t bytes) {
  std::shared_ptr<Storage> storage(new Storage(nullptr, bytes, nullptr));
  if (bytes <= std::numeric_limits<size_t>::max() - 2 * kAlignment - kReadPadding)
    storage->data_ = static_cast<std::byte*>(take(with_padding(bytes)));
  if (!storage->data_)
    throw Error("MemoryError", "OutOfMemory", concat("cannot allocate ", bytes, " bytes for a tensor"));
  return storage;
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
  if (!owner_) give(data_, with_padding(bytes_));
  --live_storages;
  live_bytes -= static_cast<int64_t>(bytes_);
}

void Storage::hold_strings() {
  if (!holds_strings_) detail::enroll_strings(this, holds_strings_);
}

MemoryCounters memory_counters() { return {live_storages, live_bytes}; }

}  // namespace onemodel
