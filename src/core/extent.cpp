#include "core/extent.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/formula_text.h"
#include "core/polynomial.h"
#include "core/sort.h"

namespace onemodel {
namespace {

int64_t checked_product(int64_t a, int64_t b) {
  int64_t out;
  check<ShapeError>(!__builtin_mul_overflow(a, b, &out), "the size ", a, " * ", b, " does not fit 64 bits");
  return out;
}

Polynomial terms_of(const Extent& extent) {
  Polynomial out{{{}, extent.coefficient()}};
  for (const std::string& atom : extent.atoms()) out = multiply(out, std::string_view(atom));
  return out;
}

// A product stays one of atoms, a sum is an atom. What an atom measures in the example is told by the operands, or is
// what remains of the whole's example size.
Extent from_terms(const Polynomial& sum, std::optional<int64_t> example, std::span<const Extent> operands) {
  if (sum.empty()) return 0;
  if (sum.size() > 1) return Extent::symbol(text_of(sum), example);
  const auto& [atoms, factor] = *sum.begin();
  Extent out = factor;
  Monomial unknown;
  for (const std::string& name : atoms) {
    std::optional<Extent> known;
    for (const Extent& operand : operands)
      for (const Extent& each : operand.factors())
        if (each.text() == name) known = each;
    if (known)
      out = out * *known;
    else
      unknown.push_back(name);
  }
  if (unknown.empty()) return out;
  const auto rest = out.example();
  return out * Extent::symbol(text_of({{unknown, 1}}),
                              example && rest.value_or(0) != 0 ? std::optional(*example / *rest) : std::nullopt);
}

}  // namespace

Extent::Extent(int64_t coefficient, Atoms atoms) : coefficient_(coefficient) {
  if (coefficient_ != 0 && !atoms.empty()) {
    sort_few(atoms, [](auto& a, auto& b) { return a->name < b->name; });
    atoms_ = std::make_shared<const Atoms>(std::move(atoms));
  }
}

Extent Extent::symbol(std::string name, std::optional<int64_t> example) {
  return Extent(1, Atoms{std::make_shared<const Atom>(Atom{std::move(name), example})});
}

std::vector<std::string> Extent::atoms() const {
  std::vector<std::string> names;
  if (atoms_)
    for (const auto& atom : *atoms_) names.push_back(atom->name);
  return names;
}

std::optional<int64_t> Extent::example() const {
  int64_t value = coefficient_;
  if (atoms_) {
    for (const auto& atom : *atoms_) {
      if (!atom->example) return {};
      value = checked_product(value, *atom->example);
    }
  }
  return value;
}

std::string Extent::text() const {
  if (!atoms_) return std::to_string(coefficient_);
  std::string out = coefficient_ == 1 ? "" : std::to_string(coefficient_);
  const bool alone = atoms_->size() == 1 && coefficient_ == 1;
  for (const auto& atom : *atoms_) {
    if (!out.empty()) out += '*';
    out += !alone && is_sum(atom->name) ? "(" + atom->name + ")" : atom->name;
  }
  return out;
}

Extent Extent::substitute(std::string_view name, const Extent& value) const {
  Extent out(coefficient_);
  for (const Extent& factor : factors())
    out = out * (factor.atoms_ && factor.atoms_->front()->name == name ? value : factor);
  return out;
}

std::vector<Extent> Extent::factors() const {
  std::vector<Extent> out;
  if (atoms_)
    for (const auto& atom : *atoms_) out.push_back(Extent(1, Atoms{atom}));
  return out;
}

Extent operator*(const Extent& a, const Extent& b) {
  const int64_t coefficient = checked_product(a.coefficient_, b.coefficient_);
  if (!a.atoms_ && !b.atoms_) return coefficient;
  Extent::Atoms atoms;
  if (a.atoms_) atoms = *a.atoms_;
  if (b.atoms_) atoms.insert(atoms.end(), b.atoms_->begin(), b.atoms_->end());
  return Extent(coefficient, std::move(atoms));
}

Extent Extent::sum(const Extent& a, const Extent& b, int64_t sign) {
  if (a.atoms() == b.atoms()) {
    int64_t total;
    check<ShapeError>(!__builtin_add_overflow(a.coefficient_, checked_product(sign, b.coefficient_), &total),
                      "a size does not fit 64 bits");
    return Extent(total, a.atoms_ ? *a.atoms_ : Atoms{});
  }
  if (b.is_number() && b.coefficient_ == 0) return a;
  if (a.is_number() && a.coefficient_ == 0 && sign > 0) return b;
  const auto x = a.example(), y = b.example();
  return from_terms(add(terms_of(a), terms_of(b), sign), x && y ? std::optional(*x + sign * *y) : std::nullopt,
                    std::array{a, b});
}

Extent operator+(const Extent& a, const Extent& b) { return Extent::sum(a, b, 1); }

Extent operator-(const Extent& a, const Extent& b) { return Extent::sum(a, b, -1); }

Extent floor_div(const Extent& a, int64_t divisor) {
  if (divisor == 1) return a;
  if (a.is_number()) {
    const int64_t quotient = a.coefficient_ / divisor;
    return quotient - (a.coefficient_ % divisor < 0 ? 1 : 0);
  }
  if (a.coefficient_ % divisor == 0) return Extent(a.coefficient_ / divisor, *a.atoms_);
  const auto example = a.example();
  return from_terms(floor_div(terms_of(a), divisor),
                    example ? std::optional(floor_div(Extent(*example), divisor).number()) : std::nullopt,
                    std::span(&a, 1));
}

std::optional<Extent> exact_div(const Extent& a, const Extent& b) {
  if (b.coefficient_ == 0) return {};
  if (a.coefficient_ % b.coefficient_ != 0) {
    Polynomial terms = a.is_number() || !b.is_number() ? Polynomial() : terms_of(a);
    for (auto& [atoms, factor] : terms) {
      if (factor % b.coefficient_ != 0) return {};
      factor /= b.coefficient_;
    }
    const auto example = a.example();
    if (terms.empty()) return {};
    return from_terms(terms, example ? std::optional(*example / b.coefficient_) : std::nullopt, std::span(&a, 1));
  }
  Extent::Atoms left = a.atoms_ ? *a.atoms_ : Extent::Atoms{};
  if (b.atoms_) {
    for (const auto& atom : *b.atoms_) {
      auto found = std::find_if(left.begin(), left.end(), [&](auto& x) { return x->name == atom->name; });
      if (found == left.end()) return {};
      left.erase(found);
    }
  }
  return Extent(a.coefficient_ / b.coefficient_, std::move(left));
}

bool operator==(const Extent& a, const Extent& b) {
  if (a.coefficient_ != b.coefficient_) return false;
  if (a.atoms_ == b.atoms_) return true;
  return a.atoms_ && b.atoms_ &&
         std::equal(a.atoms_->begin(), a.atoms_->end(), b.atoms_->begin(), b.atoms_->end(),
                    [](auto& x, auto& y) { return x->name == y->name; });
}

bool Shape::is_concrete() const {
  return std::all_of(begin(), end(), [](const Extent& e) { return e.is_number(); });
}

Dims Shape::dims() const {
  Dims out;
  for (const Extent& extent : extents_) {
    check<ShapeError>(extent.is_number(), "a concrete shape is needed, got ", *this);
    out.push_back(extent.number());
  }
  return out;
}

std::optional<Dims> Shape::example() const {
  Dims out;
  for (const Extent& extent : extents_) {
    const auto value = extent.example();
    if (!value) return {};
    out.push_back(*value);
  }
  return out;
}

Extent Shape::numel() const {
  Extent total = 1;
  for (const Extent& extent : extents_) total = total * extent;
  return total;
}

void append(std::string& out, const Extent& extent) { out += extent.text(); }

void append(std::string& out, const Shape& shape) {
  out += '[';
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (i) out += ", ";
    append(out, shape[i]);
  }
  out += ']';
}

void append(std::string& out, const TensorType& type) {
  append(out, type.dtype);
  append(out, type.shape);
}

}  // namespace onemodel
