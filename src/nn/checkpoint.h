#pragma once
// Checkpoints: the state of a training run as one safetensors file.

#include <cstddef>
#include <span>
#include <vector>

#include "core/generator.h"
#include "nn/module.h"
#include "nn/optimizer.h"
#include "nn/schedule.h"

namespace onemodel::nn {

/// The module's state_dict, the optimizer's under "optimizer.", the schedule's under "schedule.", and the generator's
/// seed and offset as "generator". Equal states give equal bytes. Throws ArgumentError when one of the module's own
/// paths would collide with those.
std::vector<std::byte> save_checkpoint(const Module& module, const Optimizer* optimizer = nullptr,
                                       const Generator* generator = nullptr, const Schedule* schedule = nullptr);

/// Restores what is given. Throws ModelError listing everything that is missing, unexpected or of another shape, before
/// anything is changed; a state in the file that nothing is given for is ignored.
void load_checkpoint(std::span<const std::byte> bytes, Module& module, Optimizer* optimizer = nullptr,
                     Generator* generator = nullptr, Schedule* schedule = nullptr);

}  // namespace onemodel::nn
