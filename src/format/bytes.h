#pragma once
// Little-endian numbers in and out of byte buffers.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.h"

namespace onemodel {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

class ByteWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) { append(std::as_bytes(std::span(&value, 1))); }
  void append(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void append(std::string_view text) { append(std::as_bytes(std::span(text.data(), text.size()))); }
  /// A count or index, which files hold in 32 bits.
  void put_count(size_t count) {
    if (count > UINT32_MAX) throw ModelError("TooLarge", "a count does not fit 32 bits");
    put(static_cast<uint32_t>(count));
  }
  size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads from front to back; throws ModelError(Malformed) naming `what` where the bytes end early.
class ByteReader {
 public:
  ByteReader(std::string_view what, std::span<const std::byte> bytes) : what_(what), bytes_(bytes) {}
  template <class T>
  requires std::is_arithmetic_v<T> T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take(size_t count) {
    require(count <= remaining(), "ends early");
    const auto out = bytes_.subspan(at_, count);
    at_ += count;
    return out;
  }
  size_t remaining() const { return bytes_.size() - at_; }
  void expect_end() const { require(remaining() == 0, "has bytes after its end"); }
  template <class... Parts>
  void require(bool ok, const Parts&... parts) const {
    if (!ok) [[unlikely]]
      throw ModelError("Malformed", concat(what_, " ", parts...));
  }

 private:
  std::string_view what_;
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

}  // namespace onemodel
