#pragma once
// Byte buffers between script and C++.

#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onemodel::bindings {

/// A copy as a Uint8Array.
inline emscripten::val to_script(std::span<const std::byte> bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  return emscripten::val(emscripten::typed_memory_view(bytes.size(), data)).call<emscripten::val>("slice");
}

/// Bytes that script put on the heap.
inline std::span<const std::byte> heap_bytes(uintptr_t data, size_t bytes) {
  return {reinterpret_cast<const std::byte*>(data), bytes};
}

}  // namespace onemodel::bindings
