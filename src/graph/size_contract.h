#pragma once
// What an exported program demands of the sizes of its inputs, beyond what their types say.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/extent.h"

namespace onemodel {

/// Sizes that break what a program demands, or demands that no model can meet: one line per problem.
struct ConstraintsError : Error {
  explicit ConstraintsError(std::string message) : Error("ConstraintsError", "Constraints", std::move(message)) {}
};

/// The sizes that `label` may have: a symbol, or a size derived from one ("2*d + 2").
struct SizeRange {
  std::string label;
  int64_t min = 0;             // 0 demands nothing
  std::optional<int64_t> max;  // nothing: unbounded
  bool contains(int64_t size) const { return size >= min && (!max || size <= *max); }
  friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// label = scale * root + offset, with scale at least 1.
struct SizeRelation {
  std::string label;
  std::string root;
  int64_t scale = 1;
  int64_t offset = 0;
  friend bool operator==(const SizeRelation&, const SizeRelation&) = default;
};

/// Carried by a graph (`Graph::contract`). Where sizes stand follows from the types of the graph's inputs: an axis that is a
/// number is static; axes with one text are equal; an axis whose text a relation has is derived. A root may stand nowhere.
struct SizeContract {
  std::vector<SizeRange> ranges;
  std::vector<SizeRelation> relations;

  const SizeRange* range_of(std::string_view label) const;        // null: any size
  const SizeRelation* relation_of(std::string_view label) const;  // null: none
  friend bool operator==(const SizeContract&, const SizeContract&) = default;
};

/// "[2, 64]"; an open end is -inf or inf.
std::string bounds_text(const SizeRange& range);
/// "2*m + 1", "m - 1", "m".
std::string size_formula(std::string_view root, int64_t scale, int64_t offset);
/// The relation that the text of `extent` states, as "2*m + 1" does; nothing for a number, a plain symbol and any other
/// formula.
std::optional<SizeRelation> stated_relation(const Extent& extent);

/// What is wrong with `contract` for inputs of these types, empty when nothing: a label twice, a range that is empty or below
/// 0, a scale below 1, a root that is itself derived, a label that no input and no relation has.
std::string contract_problem(const SizeContract& contract, std::span<const Shape> inputs);

/// A line per range ("2 <= batch <= 64") and per relation ("n = 2*m + 1"): how ONNX files carry them.
std::string ranges_text(const SizeContract& contract);
std::string relations_text(const SizeContract& contract);
/// The contract that both texts state. Throws ModelError(Malformed) quoting a line that is neither.
SizeContract contract_from_text(std::string_view ranges, std::string_view relations);

}  // namespace onemodel
