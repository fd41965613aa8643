#pragma once
// What a trace has met, for inference that must tell whether a number is one of its sizes.

#include <vector>

#include "core/extent.h"

namespace onemodel {

/// The symbolic extents of the values that this thread's trace has recorded, each once; empty when nothing is traced.
/// Kept by whoever traces.
std::vector<Extent>& traced_sizes();

}  // namespace onemodel
