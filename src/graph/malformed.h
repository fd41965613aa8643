#pragma once
// What no graph and no file may be.

#include "core/error.h"

namespace onemodel {

/// Throws ModelError(Malformed) with the concatenated parts unless `ok`.
template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    throw ModelError("Malformed", concat(parts...));
}

}  // namespace onemodel
