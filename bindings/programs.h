#pragma once
// Exported programs that JavaScript holds.

#include <memory>

#include "bindings/handles.h"
#include "export/exported_program.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<ExportedProgram>>& programs();
uint32_t keep(ExportedProgram program);

}  // namespace onemodel::bindings
