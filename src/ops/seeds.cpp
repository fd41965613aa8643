#include "ops/seeds.h"

#include <bit>
#include <mutex>

namespace onemodel {
namespace {

struct Seeds {
  std::mutex mutex;
  Generator generator;
};

Seeds& seeds() {
  static Seeds all;
  return all;
}

}  // namespace

void restart_seeds(uint64_t seed) {
  Seeds& all = seeds();
  const std::lock_guard lock(all.mutex);
  all.generator = Generator(seed);
}

Generator::State seeds_state() {
  Seeds& all = seeds();
  const std::lock_guard lock(all.mutex);
  return all.generator.state();
}

void restore_seeds(const Generator::State& state) {
  Seeds& all = seeds();
  const std::lock_guard lock(all.mutex);
  all.generator.set_state(state);
}

Generator generator_for(std::optional<uint64_t> seed) {
  if (seed) return Generator(*seed);
  Seeds& all = seeds();
  const std::lock_guard lock(all.mutex);
  return Generator(all.generator.next_u64());
}

std::optional<uint64_t> seed_of(std::optional<float> attribute) {
  if (!attribute) return {};
  return std::bit_cast<uint32_t>(*attribute);
}

}  // namespace onemodel
