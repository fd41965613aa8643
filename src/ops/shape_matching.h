#pragma once
// Symbolic shapes from the plain sizes of an example run: which extent of a target means which
// symbol.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/extent.h"

namespace onemodel {

/// A target's symbolic form, or why it has none.
struct ShapeMatch {
  std::optional<Shape> shape;
  std::string problem;
  /// Choices between readings that were all possible: numbers that may have been mistaken for a
  /// symbol.
  std::vector<std::string> warnings;
};

/// The target of a reshape of `from`, whose atoms have example sizes. A number in `target` is a
/// size of the example run and may stand for symbols; a symbolic extent stands for itself. Both
/// have the same example element count. Where symbolic extents and the numbers beside them make up
/// `from` exactly, nothing is left to be read. Otherwise both are cut into groups of equal count, in order; within a
/// group each atom goes to an extent that its example size divides, to those that it makes up
/// completely first. Two readings of equal merit are a problem, any two where an atom is a derived size (whose
/// example size nobody chose), and so is an atom that would have to be split.
ShapeMatch match_reshape(const Shape& from, const Shape& target);

/// The result of expanding `from` to `target`, read as above: an extent of `from` keeps its symbol. No count tells what
/// a number beside an extent of 1 is: it is the symbol of `known`, the extents of the trace, whose example size it is.
/// That it is the size of another extent too, or of a derived one, is a problem.
ShapeMatch match_expand(const Shape& from, const Shape& target, std::span<const Extent> known);

}  // namespace onemodel
