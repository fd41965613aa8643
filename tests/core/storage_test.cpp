#include "core/storage.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <vector>

#include "core/error.h"

namespace onemodel {
namespace {

using Held = std::shared_ptr<Storage>;

Held allocate_or_null(size_t bytes) {
  try {
    return Storage::allocate(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.name(), "MemoryError") << error.what();
  } catch (const std::bad_alloc&) {  // there was no room for the Storage itself
  }
  return nullptr;
}

TEST(Storage, RefusesWhatNoMachineHas) { EXPECT_FALSE(allocate_or_null(std::numeric_limits<size_t>::max())); }

// Only WebAssembly's memory is small enough to be filled: elsewhere a machine's own would be.
#ifdef __EMSCRIPTEN__
// No block reaches into the next one, nor beyond the end of the address space.
void expect_disjoint(const std::vector<Held>& blocks) {
  std::map<uintptr_t, size_t> by_address;
  for (const Held& block : blocks) {
    const auto [_, fresh] = by_address.emplace(reinterpret_cast<uintptr_t>(block->data()), block->bytes());
    EXPECT_TRUE(fresh) << "one address is given twice";
  }
  uintptr_t end = 0;
  for (const auto& [address, bytes] : by_address) {
    EXPECT_GE(address, end);
    end = address + bytes;
    EXPECT_GE(end, address) << bytes << " bytes at " << address << " wrap";
  }
}

TEST(Storage, BlocksStayApartWhenTheMemoryIsFull) {
  std::mt19937 random(7);
  for (const size_t first : {size_t{600} << 20, size_t{256} << 20, size_t{40} << 20, size_t{1000} << 20}) {
    std::vector<Held> blocks;
    while (Held block = allocate_or_null(first)) blocks.push_back(std::move(block));
    expect_disjoint(blocks);
    for (int step = 0; step < 400; ++step) {
      if (!blocks.empty() && random() % 3 == 0) {
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(random() % blocks.size()));
      }
      const size_t bytes = (size_t{1} << (random() % 31)) + random() % 100000;
      if (Held block = allocate_or_null(bytes)) blocks.push_back(std::move(block));
    }
    expect_disjoint(blocks);
  }
}

TEST(Storage, SmallerBlocksInAFullMemoryStayApart) {
  std::vector<Held> blocks;
  blocks.reserve(100'000);
  for (int i = 0; i < 9000; ++i)
    if (Held block = allocate_or_null(400'000)) blocks.push_back(std::move(block));
  while (Held block = allocate_or_null(256'000)) blocks.push_back(std::move(block));
  for (int i = 0; i < 10'000; ++i)
    if (Held block = allocate_or_null(100)) blocks.push_back(std::move(block));
  expect_disjoint(blocks);
}

TEST(Storage, BlocksOfMostSizesFillTheMemory) {
  for (const size_t bytes : {size_t{400'000}, size_t{4'000'000}, size_t{40'000'000}}) {
    std::vector<Held> blocks;
    while (Held block = allocate_or_null(bytes)) blocks.push_back(std::move(block));
    EXPECT_GT(blocks.size() * bytes, size_t{3'300'000'000}) << "blocks of " << bytes;
  }
}
#endif

}  // namespace
}  // namespace onemodel
