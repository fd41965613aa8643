#pragma once
// Texts of string tensors. An element is a handle to a text that the whole process keeps once, so that kernels move
// strings as they move numbers of 4 bytes, and equal strings have equal handles.

#include <atomic>
#include <cstdint>
#include <string_view>

namespace onemodel {

class Storage;

/// 0 is the empty text. Any other bits are harmless: what is no handle reads as empty.
enum class StringHandle : uint32_t { empty = 0 };

/// The door to the texts. While one lives, no text is freed: whoever makes handles, reads texts or moves handles from one
/// tensor to another holds one. When none is left and the texts have doubled, those are freed whose handle is in no
/// storage that holds strings. Thread-safe.
class Strings {
 public:
  /// With `wanted` false it does nothing and is not asked.
  explicit Strings(bool wanted = true);
  ~Strings();
  Strings(const Strings&) = delete;
  Strings& operator=(const Strings&) = delete;

  /// The handle of `text`, which is copied when it is new. Throws Error(OutOfMemory) at 2^32 texts.
  StringHandle add(std::string_view text);
  /// The text of `handle`, for as long as this lives.
  std::string_view operator[](StringHandle handle) const;

 private:
  bool wanted_;
};

/// What is kept now.
struct StringCounters {
  int64_t texts = 0;
  int64_t bytes = 0;
};
StringCounters string_counters();

namespace detail {
/// Storages whose bytes may be handles; `is_enrolled` becomes true with that, and not before.
void enroll_strings(const Storage* storage, std::atomic<bool>& is_enrolled);
void forget_strings(const Storage* storage);
}  // namespace detail

}  // namespace onemodel
