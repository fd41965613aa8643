#include "core/extent.h"

#include <algorithm>

namespace onemodel {
namespace {

bool needs_brackets(std::string_view name) { return name.find(' ') != std::string_view::npos && !name.ends_with(')'); }

int64_t checked_product(int64_t a, int64_t b) {
  int64_t out;
  check<ShapeError>(!__builtin_mul_overflow(a, b, &out), "the size ", a, " * ", b, " does not fit 64 bits");
  return out;
}

}  // namespace

Extent::Extent(int64_t coefficient, Atoms atoms) : coefficient_(coefficient) {
  if (coefficient_ != 0 && !atoms.empty()) {
    std::sort(atoms.begin(), atoms.end(), [](auto& a, auto& b) { return a->name < b->name; });
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
    out += !alone && needs_brackets(atom->name) ? "(" + atom->name + ")" : atom->name;
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
  // "x + 3" and then "- 1" is "x + 2": the trailing number of a derived name is folded.
  if (b.is_number() && a.coefficient_ == 1 && a.atoms_->size() == 1) {
    const std::string& name = a.atoms_->front()->name;
    const size_t at = name.find_last_of("+-");
    const bool plain_tail = at != std::string::npos && at >= 2 && name[at - 1] == ' ' && at + 2 < name.size() &&
                            name.size() - at < 18 && name.find_first_not_of("0123456789", at + 2) == std::string::npos;
    if (plain_tail) {
      const int64_t tail = std::stoll(name.substr(at + 2)) * (name[at] == '+' ? 1 : -1);
      const int64_t total = tail + sign * b.coefficient_;
      const auto example = a.example();
      const std::string root = name.substr(0, at - 1);
      if (total == 0 && root.find(' ') == std::string::npos && root.find('*') == std::string::npos)
        return Extent::symbol(root, example ? std::optional(*example - tail) : std::nullopt);
      if (total != 0)
        return Extent::symbol(root + (total > 0 ? " + " : " - ") + std::to_string(std::abs(total)),
                              example ? std::optional(*example + sign * b.coefficient_) : std::nullopt);
    }
  }
  const auto x = a.example(), y = b.example();
  const int64_t number = sign * b.coefficient_;
  const std::string tail = b.is_number() ? (number < 0 ? " - " : " + ") + std::to_string(std::abs(number))
                                         : (sign < 0 ? " - " : " + ") +
                                               (sign < 0 && needs_brackets(b.text()) ? "(" + b.text() + ")" : b.text());
  return Extent::symbol(a.text() + tail, x && y ? std::optional(*x + sign * *y) : std::nullopt);
}

Extent operator+(const Extent& a, const Extent& b) {
  if (a.is_number() && !b.is_number()) return Extent::sum(b, a, 1);
  if (!a.is_number() && b.text() < a.text() && !b.is_number()) return Extent::sum(b, a, 1);
  return Extent::sum(a, b, 1);
}

Extent operator-(const Extent& a, const Extent& b) { return Extent::sum(a, b, -1); }

Extent floor_div(const Extent& a, int64_t divisor) {
  if (divisor == 1) return a;
  if (a.is_number()) {
    const int64_t quotient = a.coefficient_ / divisor;
    return quotient - (a.coefficient_ % divisor < 0 ? 1 : 0);
  }
  if (a.coefficient_ % divisor == 0) return Extent(a.coefficient_ / divisor, *a.atoms_);
  const auto example = a.example();
  const std::string inner = a.text();
  return Extent::symbol("floor(" + (inner.find(' ') == std::string::npos ? inner : "(" + inner + ")") + " / " +
                            std::to_string(divisor) + ")",
                        example ? std::optional(*floor_div(Extent(*example), divisor).example()) : std::nullopt);
}

std::optional<Extent> exact_div(const Extent& a, const Extent& b) {
  if (b.coefficient_ == 0 || a.coefficient_ % b.coefficient_ != 0) return {};
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
