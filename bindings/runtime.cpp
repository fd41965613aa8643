// Threads, memory, and the heap that script copies through.

#include <emscripten/bind.h>

#include <cstdlib>

#include "bindings/guard.h"
#include "bindings/handles.h"
#include "kernels/thread_pool.h"
#include "nn/declarations.h"

namespace onemodel::bindings {
namespace {

uintptr_t heap_allocate(size_t bytes) {
  return guarded([&] {
    void* memory = std::malloc(bytes ? bytes : 1);
    if (!memory) throw std::bad_alloc();
    return reinterpret_cast<uintptr_t>(memory);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(runtime) {
  using emscripten::function;
  function("declarations", &nn::declarations_hash);
  function("heapAllocate", &heap_allocate);
  function(
      "heapFree", +[](uintptr_t memory) { std::free(reinterpret_cast<void*>(memory)); });
  function(
      "setThreads", +[](size_t threads) { guarded([&] { set_threads(threads); }); });
  function(
      "threads", +[] { return thread_pool().threads(); });
  function(
      "tensorCount", +[] { return tensors().live(); });
  function(
      "storageCount", +[] { return static_cast<double>(memory_counters().storages); });
  function(
      "storageBytes", +[] { return static_cast<double>(memory_counters().bytes); });
}

}  // namespace onemodel::bindings
