#pragma once
// From what a model did to its sizes to an error that says how to mend the specification, and from there to a mended one.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/find_constraints.h"

namespace onemodel {

/// One line of a `Suggested fixes:` block: what stands for a name from now on.
struct SizeFix {
  std::string label;
  SizeEntry entry;  // a number, or a Dim: the same one with other bounds, or one derived from another
};

/// What a finding says to do.
SizeFix fix_for(const SizeFinding& finding);
/// `n = 4`, `n = 2*m + 1`, `batch = Dim("batch", min=2, max=64)`.
std::string to_string(const SizeFix& fix);

/// Declared sizes that a model does not keep.
struct SizesNotKept : ConstraintsError {
  SizesNotKept(std::string message, std::vector<SizeFinding> what)
      : ConstraintsError(std::move(message)), findings(std::move(what)) {}
  std::vector<SizeFinding> findings;
};
/// Throws SizesNotKept: a line per finding, with input, axis and reason, and below a `Suggested fixes:` block.
[[noreturn]] void throw_findings(std::span<const SizeFinding> findings, std::span<const InputSizes> inputs);
/// The name that a hint's axis has in messages: "x_dim_0".
std::string hint_label(std::string_view input, size_t axis);

/// The fixes that a message has; empty when it has no such block. Throws ArgumentError quoting a line that is no fix.
std::vector<SizeFix> suggested_fixes(std::string_view message);
/// `spec` with the fixes of `message`. A hint is known by its input's name: for a specification by position
/// `argument_names` gives it, else it is that of a module's: "input", or "input_0", "input_1", …. Throws ArgumentError when the message suggests nothing, or speaks of a size that `spec` has not.
ShapeSpec refine_dynamic_shapes(std::string_view message, const ShapeSpec& spec,
                                std::span<const std::string> argument_names = {});

}  // namespace onemodel
