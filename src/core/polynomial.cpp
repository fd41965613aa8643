#include "core/polynomial.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/formula_text.h"
#include "core/sort.h"

namespace onemodel {
namespace {

// Names come from files too: a formula beyond these is taken as it stands.
constexpr int kMostDepth = 8;
constexpr size_t kMostTerms = 64;

int64_t checked_sum(int64_t a, int64_t b) {
  int64_t out;
  check<ShapeError>(!__builtin_add_overflow(a, b, &out), "the size ", a, " + ", b, " does not fit 64 bits");
  return out;
}

int64_t checked_product(int64_t a, int64_t b) {
  int64_t out;
  check<ShapeError>(!__builtin_mul_overflow(a, b, &out), "the size ", a, " * ", b, " does not fit 64 bits");
  return out;
}

int64_t floor_quotient(int64_t a, int64_t divisor) { return a / divisor - (a % divisor < 0 ? 1 : 0); }

class Parser {
 public:
  std::optional<Polynomial> sum(std::string_view text) {
    if (++depth_ > kMostDepth) return {};
    Polynomial out;
    const auto added = split_formula(text, " + ");
    if (!added) return {};
    for (const std::string_view part : *added) {
      const auto pieces = *split_formula(part, " - ");
      for (size_t i = 0; i < pieces.size(); ++i) {
        const auto term = product(pieces[i]);
        if (!term || out.size() + term->size() > kMostTerms) return {};
        out = add(std::move(out), *term, i == 0 ? 1 : -1);
      }
    }
    --depth_;
    return out;
  }

 private:
  std::optional<Polynomial> product(std::string_view text) {
    Polynomial out{{{}, 1}};
    const auto factors = split_formula(text, "*");
    if (!factors) return {};
    for (const std::string_view piece : *factors) {
      const auto next = factor(piece);
      if (!next || out.size() * next->size() > kMostTerms) return {};
      out = multiply(out, *next);
    }
    return out;
  }

  std::optional<Polynomial> factor(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ') return {};
    if (const auto number = number_of(text)) return *number ? Polynomial{{{}, *number}} : Polynomial();
    if (encloses(text, "(")) return sum(text.substr(1, text.size() - 2));
    const auto parts = floor_parts(text);
    if (!parts) return Polynomial{{{std::string(text)}, 1}};
    const auto inside = sum(parts->first);
    return inside ? std::optional(floor_div(*inside, parts->second)) : std::nullopt;
  }

  int depth_ = 0;
};

std::string product_text(const Monomial& atoms, int64_t factor) {
  std::string out = factor == 1 && !atoms.empty() ? "" : std::to_string(factor);
  for (const std::string& atom : atoms) out += (out.empty() ? "" : "*") + atom;
  return out;
}

std::string floor_text(const Polynomial& inside, int64_t divisor) {
  const std::string text = text_of(inside);
  return concat("floor(", is_sum(text) ? "(" + text + ")" : text, " / ", divisor, ")");
}

// The sum with its number taken into the first floor, as text.
std::optional<std::string> fold_number(const Polynomial& sum, int64_t number) {
  for (const auto& [atoms, factor] : sum) {
    const auto parts = factor == 1 && atoms.size() == 1 ? floor_parts(atoms[0]) : std::nullopt;
    if (!parts) continue;
    Polynomial rest = sum;
    rest.erase(atoms);
    rest.erase(Monomial());
    const Polynomial shifted = add(parse_size(parts->first), {{{}, checked_product(number, parts->second)}});
    rest[{floor_text(shifted, parts->second)}] = 1;
    return text_of(rest);
  }
  return {};
}

}  // namespace

Polynomial add(Polynomial a, const Polynomial& b, int64_t factor) {
  for (const auto& [atoms, times] : b) {
    int64_t& total = a[atoms];
    total = checked_sum(total, checked_product(factor, times));
    if (total == 0) a.erase(atoms);
  }
  return a;
}

Polynomial multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  for (const auto& [left, times] : a) {
    for (const auto& [right, factor] : b) {
      Monomial atoms(left);
      atoms.insert(atoms.end(), right.begin(), right.end());
      sort_few(atoms, std::less<>());
      out = add(std::move(out), {{std::move(atoms), checked_product(times, factor)}});
    }
  }
  return out;
}

Polynomial multiply(const Polynomial& a, std::string_view name) {
  const Polynomial b = parse_size(name);
  return multiply(a, a.size() * b.size() <= kMostTerms ? b : Polynomial{{{std::string(name)}, 1}});
}

Polynomial parse_size(std::string_view name) {
  auto sum = Parser().sum(name);
  return sum ? std::move(*sum) : Polynomial{{{std::string(name)}, 1}};
}

Polynomial floor_div(const Polynomial& a, int64_t divisor) {
  Polynomial whole, rest;
  int64_t common = divisor;
  for (const auto& [atoms, factor] : a) {
    const int64_t quotient = floor_quotient(factor, divisor), left = factor - quotient * divisor;
    if (quotient != 0) whole[atoms] = quotient;
    if (left != 0) rest[atoms] = left;
    if (!atoms.empty()) common = std::gcd(common, left);
  }
  if (rest.empty() || rest.rbegin()->first.empty()) return whole;
  // floor((2*h + 1) / 4) is floor(h / 2).
  Polynomial inside;
  for (const auto& [atoms, factor] : rest)
    if (factor >= common) inside[atoms] = factor / common;
  divisor /= common;
  // The floor of a floor's part is one floor.
  const std::string text = text_of(inside);
  if (const auto inner = floor_parts(text))
    return add(std::move(whole), floor_div(parse_size(inner->first), checked_product(inner->second, divisor)));
  return add(std::move(whole), {{{floor_text(inside, divisor)}, 1}});
}

std::string text_of(const Polynomial& sum) {
  const auto found = sum.find(Monomial());
  const int64_t number = found == sum.end() ? 0 : found->second;
  if (number != 0)
    if (auto folded = fold_number(sum, number)) return *folded;
  std::vector<std::pair<bool, std::string>> terms;  // negative ones last
  for (const auto& [atoms, factor] : sum)
    if (!atoms.empty()) terms.emplace_back(factor < 0, product_text(atoms, std::abs(factor)));
  sort_few(terms, std::less<>());
  const bool number_first = number > 0 && !terms.empty() && terms.front().first;
  std::string out = number_first || terms.empty() ? std::to_string(number) : "";
  for (const auto& [negative, text] : terms) {
    if (out.empty())
      out = (negative ? "0 - " : "") + text;
    else
      out += (negative ? " - " : " + ") + text;
  }
  if (number != 0 && !number_first && !terms.empty())
    out += (number < 0 ? " - " : " + ") + std::to_string(std::abs(number));
  return out;
}

}  // namespace onemodel
