#include "graph/size_contract.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/polynomial.h"

namespace onemodel {
namespace {

// Of scales and offsets, and of numbers in the names of sizes.
constexpr int64_t kMostNumber = 999'999'999'999'999;
constexpr std::string_view kAtMost = " <= ", kEquals = " = ";

template <class E>
const E* labelled(const std::vector<E>& entries, std::string_view label) {
  const auto at = std::ranges::find(entries, label, &E::label);
  return at == entries.end() ? nullptr : &*at;
}

std::optional<int64_t> integer(std::string_view text) {
  int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(out) : std::nullopt;
}

std::vector<std::string_view> pieces(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  for (size_t at = 0;;) {
    const size_t end = text.find(separator, at);
    out.push_back(text.substr(at, end - at));
    if (end == text.npos) return out;
    at = end + separator.size();
  }
}

// The texts of files put labels between blanks and signs.
bool can_be_label(std::string_view label) {
  return !label.empty() && label.find_first_of("\n<=") == label.npos && label.front() != ' ' && label.back() != ' ';
}

bool can_be_root(std::string_view root) { return can_be_label(root) && root.find_first_of(" *+-/()") == root.npos; }

// "2 <= batch <= 64" or "0 <= batch".
std::optional<SizeRange> range_from(std::string_view line) {
  const auto parts = pieces(line, kAtMost);
  if (parts.size() < 2 || parts.size() > 3) return {};
  const auto min = integer(parts[0]);
  const auto max = parts.size() == 3 ? integer(parts[2]) : std::nullopt;
  if (!min || (parts.size() == 3 && !max) || !can_be_label(parts[1])) return {};
  return SizeRange{std::string(parts[1]), *min, max};
}

// "n = 2*m + 1".
std::optional<SizeRelation> relation_from(std::string_view line) {
  const auto sides = pieces(line, kEquals);
  if (sides.size() != 2) return {};
  SizeRelation out{.label = std::string(sides[0]), .root = {}};
  std::string_view formula = sides[1];
  if (const size_t sign = formula.rfind(' '); sign != formula.npos) {
    const auto number = integer(formula.substr(sign + 1));
    if (!number || sign < 2 || formula[sign - 2] != ' ') return {};
    out.offset = formula[sign - 1] == '-' ? -*number : *number;
    formula = formula.substr(0, sign - 2);
  }
  if (const size_t star = formula.find('*'); star != formula.npos) {
    const auto scale = integer(formula.substr(0, star));
    if (!scale) return {};
    out.scale = *scale;
    formula = formula.substr(star + 1);
  }
  out.root = std::string(formula);
  return can_be_label(out.label) && can_be_root(out.root) ? std::optional(std::move(out)) : std::nullopt;
}

template <class T>
std::vector<T> parse_lines(std::string_view text, std::optional<T> (*parse)(std::string_view), std::string_view what) {
  std::vector<T> out;
  if (text.empty()) return out;
  for (const std::string_view line : pieces(text, "\n")) {
    auto parsed = parse(line);
    if (!parsed) throw ModelError("Malformed", concat("'", line.substr(0, 80), "' is no ", what));
    out.push_back(std::move(*parsed));
  }
  return out;
}

}  // namespace

const SizeRange* SizeContract::range_of(std::string_view label) const { return labelled(ranges, label); }
const SizeRelation* SizeContract::relation_of(std::string_view label) const { return labelled(relations, label); }

std::string bounds_text(const SizeRange& range) {
  return concat('[', range.min > 0 ? std::to_string(range.min) : "-inf", ", ",
                range.max ? std::to_string(*range.max) : "inf", ']');
}

std::string size_formula(std::string_view root, int64_t scale, int64_t offset) {
  std::string out = scale == 1 ? std::string(root) : concat(scale, '*', root);
  if (offset != 0) out += concat(offset > 0 ? " + " : " - ", offset > 0 ? offset : -offset);
  return out;
}

std::optional<SizeRelation> stated_relation(const Extent& extent) {
  if (extent.is_number()) return {};
  const std::string text = extent.text();
  const Polynomial terms = parse_size(text);
  SizeRelation out{.label = text, .root = {}, .scale = 0};
  for (const auto& [atoms, factor] : terms) {
    if (atoms.empty()) {
      out.offset = factor;
    } else if (atoms.size() == 1 && out.root.empty()) {
      out.root = atoms.front();
      out.scale = factor;
    } else {
      return {};
    }
  }
  const bool is_derived = out.scale > 1 || (out.scale == 1 && out.offset != 0);
  return is_derived && can_be_root(out.root) ? std::optional(std::move(out)) : std::nullopt;
}

std::string contract_problem(const SizeContract& contract, std::span<const Shape> inputs) {
  std::set<std::string> known, ranges, derived;
  for (const Shape& shape : inputs)
    for (const Extent& extent : shape)
      if (!extent.is_number()) known.insert(extent.text());
  for (const SizeRelation& each : contract.relations) {
    if (!can_be_label(each.label) || !can_be_root(each.root))
      return concat("'", each.label, "' cannot be a derived size");
    if (!known.contains(each.label)) return concat("the derived size '", each.label, "' is that of no input");
    if (!derived.insert(each.label).second) return concat("the size '", each.label, "' is derived twice");
    if (each.scale < 1 || each.scale > kMostNumber || each.offset < -kMostNumber || each.offset > kMostNumber)
      return concat("the size '", each.label, "' is ", each.scale, " times '", each.root, "' plus ", each.offset);
  }
  for (const SizeRelation& each : contract.relations) {
    if (derived.contains(each.root)) return concat("the size '", each.root, "' is a root and derived");
    known.insert(each.root);
  }
  for (const SizeRange& each : contract.ranges) {
    if (!can_be_label(each.label)) return concat("'", each.label, "' cannot be the name of a size");
    if (!known.contains(each.label)) return concat("the size '", each.label, "' is that of no input");
    if (!ranges.insert(each.label).second) return concat("the size '", each.label, "' has two ranges");
    if (each.min < 0 || (each.max && *each.max < each.min))
      return concat("the size '", each.label, "' has the range [", each.min, ", ",
                    each.max ? std::to_string(*each.max) : "inf", "]");
  }
  return {};
}

std::string ranges_text(const SizeContract& contract) {
  std::string out;
  for (const SizeRange& each : contract.ranges) {
    out += concat(out.empty() ? "" : "\n", each.min, kAtMost, each.label);
    if (each.max) out += concat(kAtMost, *each.max);
  }
  return out;
}

std::string relations_text(const SizeContract& contract) {
  std::string out;
  for (const SizeRelation& each : contract.relations)
    out += concat(out.empty() ? "" : "\n", each.label, kEquals, size_formula(each.root, each.scale, each.offset));
  return out;
}

SizeContract contract_from_text(std::string_view ranges, std::string_view relations) {
  return {.ranges = parse_lines(ranges, range_from, "range of a size"),
          .relations = parse_lines(relations, relation_from, "relation between sizes")};
}

}  // namespace onemodel
