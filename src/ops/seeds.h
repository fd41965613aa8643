#pragma once
// Where operators that draw numbers begin when they are given no seed.

#include <cstdint>
#include <optional>

#include "core/generator.h"

namespace onemodel {

/// Starts anew the process-wide sequence of seeds for operators without one; it is seeded with 0 at first. Thread-safe.
void restart_seeds(uint64_t seed);
/// Where that sequence is, and back to there. Thread-safe.
Generator::State seeds_state();
void restore_seeds(const Generator::State& state);

/// The generator of one evaluation: from `seed` the same each time, otherwise from the next of the sequence. Thread-safe.
Generator generator_for(std::optional<uint64_t> seed);

/// The seed that a float attribute stands for: its bits.
std::optional<uint64_t> seed_of(std::optional<float> attribute);

}  // namespace onemodel
