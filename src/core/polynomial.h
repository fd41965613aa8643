#pragma once
// Sizes as sums of products, in a normal form: equal sums have equal texts, in whatever order they were made.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace onemodel {

/// Names of atoms, sorted; none for a number.
using Monomial = std::vector<std::string>;

/// The factor of each product of atoms; none is 0.
using Polynomial = std::map<Monomial, int64_t>;

/// a + factor * b. Throws ShapeError when a factor does not fit 64 bits, as all that follow.
Polynomial add(Polynomial a, const Polynomial& b, int64_t factor = 1);
Polynomial multiply(const Polynomial& a, const Polynomial& b);

/// a times what `name` says, or times an atom of that name where the product would have too many terms.
Polynomial multiply(const Polynomial& a, std::string_view name);

/// What a name says: "2*h + floor((w + 3) / 2)" is 2*h + floor((w + 1) / 2) + 1. What is no formula, or too large a one,
/// is an atom.
Polynomial parse_size(std::string_view name);

/// floor(a / divisor) for a divisor of 2 or more: what divides is taken out of the floor.
Polynomial floor_div(const Polynomial& a, int64_t divisor);

/// As a name: products with a positive factor, those with a negative one, and the number, which a floor takes in.
std::string text_of(const Polynomial& sum);

}  // namespace onemodel
