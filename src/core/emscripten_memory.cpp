// Mends Emscripten's emmalloc, which mimalloc takes its memory from: in the last part of the address space it compares
// `start of the free block + size` after that sum has wrapped, and hands out a block that is too small. The linker
// directs calls here (--wrap in cmake/wasm_link.cmake).
#ifdef __EMSCRIPTEN__
#include <cstddef>

extern "C" {
void* __real_emmalloc_memalign(size_t alignment, size_t size);  // NOLINT(bugprone-reserved-identifier): --wrap's names
size_t emmalloc_usable_size(void* block);
void emmalloc_free(void* block);

// NOLINTNEXTLINE(bugprone-reserved-identifier,misc-no-recursion)
void* __wrap_emmalloc_memalign(size_t alignment, size_t size) {
  void* block = __real_emmalloc_memalign(alignment, size);
  if (!block || emmalloc_usable_size(block) >= size) return block;
  void* other = __wrap_emmalloc_memalign(alignment, size);  // while this one is taken, so that it is not found again
  emmalloc_free(block);
  return other;
}
}
#endif
