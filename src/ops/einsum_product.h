#pragma once
// Products and sums over labelled axes, written with operators.

#include <span>
#include <string>
#include <string_view>

#include "ops/einsum_terms.h"
#include "ops/grad.h"

namespace onemodel {

/// Whether a label is among some.
inline bool has_label(std::string_view labels, char label) { return labels.find(label) != std::string_view::npos; }

/// An operand with a label for each axis.
struct Labelled {
  Var v;
  std::string labels;

  int64_t extent(char label) const { return v.dims()[labels.find(label)]; }
  Dims extents(std::string_view wanted) const {
    Dims out;
    for (char label : wanted) out.push_back(extent(label));
    return out;
  }
};

/// The operands without the axes of extent 1 along which they are broadcast.
std::vector<Labelled> without_broadcast(const EinsumTerms& terms, std::span<const Var> operands);

/// The sum of products that `terms` say, two operands at a time from the left.
Var sum_of_products(const EinsumTerms& terms, std::span<const Var> operands);

}  // namespace onemodel
