#pragma once
// Shapes of inputs whose axes have names.

#include <span>
#include <string>
#include <vector>

#include "trace/tracer.h"

namespace onemodel {

/// The shape of an example of `dims`: each axis with a name is that symbol, "batch", or a multiple of one, "2*batch"; an
/// empty name, or none, leaves its size. `subject` names the input in errors. Throws TraceError/InvalidUsage for a name that is no
/// symbol's, a size that is no multiple or below 2, and one that symbols of this input or of `others` cannot be told from.
Shape shape_of_named_axes(const std::string& subject, const Dims& dims, std::span<const std::string> names,
                          const std::vector<TraceInput>& others);

}  // namespace onemodel
