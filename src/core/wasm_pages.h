#pragma once
// Memory of WebAssembly in whole pages of 64 KiB; mimalloc is made of it too. There only.

#ifdef __EMSCRIPTEN__
#include <cstddef>

namespace onemodel {

/// A block of at least `bytes` at a multiple of `alignment`, a power of two; null when there is no room. On any thread.
void* take_pages(size_t alignment, size_t bytes);
/// Frees a block of `take_pages`, which is merged with what is free beside it; null is none.
void give_pages(void* block);

}  // namespace onemodel
#endif
