#include "runtime/arena.h"

#include <gtest/gtest.h>

#include "core/generator.h"

namespace onemodel {
namespace {

bool alive_together(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

void expect_sound(const std::vector<Lifetime>& buffers, const ArenaLayout& layout) {
  ASSERT_EQ(layout.offsets.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(layout.offsets[i] % 64, 0u);
    EXPECT_LE(layout.offsets[i] + buffers[i].bytes, layout.bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool apart = layout.offsets[i] + buffers[i].bytes <= layout.offsets[j] ||
                         layout.offsets[j] + buffers[j].bytes <= layout.offsets[i];
      EXPECT_TRUE(apart || !alive_together(buffers[i], buffers[j])) << i << " and " << j;
    }
  }
}

size_t most_alive_at_once(const std::vector<Lifetime>& buffers) {
  size_t most = 0;
  for (const Lifetime& at : buffers) {
    size_t sum = 0;
    for (const Lifetime& other : buffers)
      if (other.first <= at.first && at.first <= other.last) sum += other.bytes;
    most = std::max(most, sum);
  }
  return most;
}

TEST(Arena, BuffersThatFollowEachOtherShareMemory) {
  const std::vector<Lifetime> chain{{256, 0, 1}, {256, 1, 2}, {256, 2, 3}, {256, 3, 4}};
  const ArenaLayout layout = lay_out_arena(chain);
  expect_sound(chain, layout);
  EXPECT_EQ(layout.bytes, 512u);
}

TEST(Arena, TakesTheSmallestGapThatHolds) {
  const std::vector<Lifetime> buffers{{320, 0, 4}, {256, 0, 9}, {128, 0, 4}, {128, 0, 9}, {128, 5, 9}};
  const ArenaLayout layout = lay_out_arena(buffers);
  expect_sound(buffers, layout);
  EXPECT_EQ(layout.offsets[4], layout.offsets[2]);
}

TEST(Arena, OfNothingIsEmpty) {
  EXPECT_EQ(lay_out_arena({}).bytes, 0u);
  const std::vector<Lifetime> empty{{0, 0, 3}, {0, 1, 2}};
  EXPECT_EQ(lay_out_arena(empty).bytes, 0u);
}

TEST(Arena, RandomBuffersNeverOverlap) {
  Generator random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> buffers;
    for (uint64_t i = random.below(40); i-- > 0;) {
      const size_t first = static_cast<size_t>(random.below(30));
      buffers.push_back(
          {64 * static_cast<size_t>(random.below(50)), first, first + static_cast<size_t>(random.below(8))});
    }
    const ArenaLayout layout = lay_out_arena(buffers);
    expect_sound(buffers, layout);
    EXPECT_LE(layout.bytes, 2 * most_alive_at_once(buffers)) << "wasteful";
  }
}

// The largest are fitted; those beyond take the place of what ended before.
TEST(Arena, OfVeryManyBuffersReusesMemory) {
  Generator random(4);
  std::vector<Lifetime> buffers;
  for (size_t i = 0; i < 9000; ++i)
    buffers.push_back({64 * (1 + static_cast<size_t>(random.below(50))), i, i + static_cast<size_t>(random.below(8))});
  const ArenaLayout layout = lay_out_arena(buffers);
  expect_sound(buffers, layout);
  EXPECT_LE(layout.bytes, 8 * most_alive_at_once(buffers)) << "wasteful";
}

}  // namespace
}  // namespace onemodel
