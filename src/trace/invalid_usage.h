#pragma once
// What a tracer was given that it cannot take.

#include "core/error.h"
#include "eager/record.h"

namespace onemodel {

/// Throws TraceError/InvalidUsage, with the module that runs before `parts`, unless `ok`.
template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (ok) [[likely]]
    return;
  const std::string path = module_path();
  throw TraceError("InvalidUsage", concat(path.empty() ? "" : concat("module '", path, "': "), parts...));
}

}  // namespace onemodel
