#pragma once
// Modules of the engine that JavaScript holds.

#include <memory>

#include "bindings/handles.h"
#include "nn/module.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<nn::Module>>& modules();

}  // namespace onemodel::bindings
