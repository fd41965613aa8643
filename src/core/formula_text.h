#pragma once
// Taking formulas of sizes apart, as text: "2*(h + 1)", "floor((w - 1) / 2)".

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace onemodel {

/// The pieces of `text` between separators that are outside of brackets; nothing when brackets do not match.
std::optional<std::vector<std::string_view>> split_formula(std::string_view text, std::string_view separator);

/// Whether a space is outside of brackets: as a factor the formula needs some.
bool is_sum(std::string_view text);

/// Whether the bracket that `head` ends with closes at the end of `text`.
bool encloses(std::string_view text, std::string_view head);

/// What `text` says, digits only; nothing beyond 15, which no size has.
std::optional<int64_t> number_of(std::string_view text);

/// The inside and the divisor, 2 or more, of "floor(x / 3)".
std::optional<std::pair<std::string_view, int64_t>> floor_parts(std::string_view text);

}  // namespace onemodel
