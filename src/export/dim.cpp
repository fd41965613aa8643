#include "export/dim.h"

#include <algorithm>

namespace onemodel {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void check_bounds(const std::string& who, int64_t min, std::optional<int64_t> max) {
  check(min >= 0, who, ": min is ", min, ", expected at least 0");
  check(!max || *max >= min, who, ": max is ", max.value_or(0), ", expected at least min, ", min);
}

std::string bounds(int64_t min, std::optional<int64_t> max) {
  std::string out;
  if (min != 0) out += concat(", min=", min);
  if (max) out += concat(", max=", *max);
  return out;
}

[[noreturn]] void refuse(const std::string& expression) {
  throw ArgumentError(concat(expression,
                             ": a size is derived from one Dim by + and - with an integer and by * with a "
                             "positive integer only"));
}

}  // namespace

const SizeHint Dim::AUTO{SizeHint::automatic};
const SizeHint Dim::DYNAMIC{SizeHint::dynamic};
const SizeHint Dim::STATIC{SizeHint::fixed};

SizeHint SizeHint::operator()(int64_t lowest, std::optional<int64_t> highest) const {
  check(kind != fixed, "Dim.STATIC takes no bounds");
  check_bounds(SizeHint{kind}.text(), lowest, highest);
  return {kind, lowest, highest};
}

std::string SizeHint::text() const {
  const std::string name = kind == automatic ? "Dim.AUTO" : kind == dynamic ? "Dim.DYNAMIC" : "Dim.STATIC";
  const std::string limits = bounds(min, max);
  return limits.empty() ? name : concat(name, '(', limits.substr(2), ')');
}

Dim::Dim(std::string name, int64_t min, std::optional<int64_t> max) : name_(std::move(name)), min_(min), max_(max) {
  const bool is_name = !name_.empty() && is_letter(name_[0]) &&
                       std::ranges::all_of(name_, [](char c) { return is_letter(c) || is_digit(c); });
  check(is_name, "Dim: the name '", name_, "' is no letter or '_' followed by letters, digits and '_'");
  check_bounds(concat("Dim '", name_, "'"), min, max);
}

SizeRange Dim::range() const {
  SizeRange out{text(), std::max<int64_t>(at(min_), 0), {}};
  if (max_) out.max = at(*max_);
  return out;
}

std::string Dim::declaration() const {
  return is_derived() ? text() : concat("Dim(\"", name_, '"', bounds(min_, max_), ')');
}

Dim Dim::derived(int64_t scale, int64_t offset) const {
  Dim out = *this;
  int64_t moved;
  const bool fits = !__builtin_mul_overflow(scale_, scale, &out.scale_) &&
                    !__builtin_mul_overflow(offset_, scale, &moved) &&
                    !__builtin_add_overflow(moved, offset, &out.offset_);
  check(scale >= 1, "Dim '", text(), "' * ", scale, ": expected a positive integer");
  check(fits, "Dim '", text(), "': the derived size does not fit 64 bits");
  return out;
}

Dim operator*(const Dim& dim, int64_t factor) { return dim.derived(factor, 0); }
Dim operator*(int64_t factor, const Dim& dim) { return dim.derived(factor, 0); }
Dim operator+(const Dim& dim, int64_t offset) { return dim.derived(1, offset); }
Dim operator+(int64_t offset, const Dim& dim) { return dim.derived(1, offset); }
Dim operator-(const Dim& dim, int64_t offset) {
  check(offset != INT64_MIN, "Dim '", dim.text(), "': the derived size does not fit 64 bits");
  return dim.derived(1, -offset);
}
Dim operator*(const Dim& a, const Dim& b) { refuse(concat("Dim '", a.text(), "' * Dim '", b.text(), "'")); }
Dim operator+(const Dim& a, const Dim& b) { refuse(concat("Dim '", a.text(), "' + Dim '", b.text(), "'")); }
Dim operator-(const Dim& a, const Dim& b) { refuse(concat("Dim '", a.text(), "' - Dim '", b.text(), "'")); }
Dim operator-(int64_t a, const Dim& b) { refuse(concat(a, " - Dim '", b.text(), "'")); }
Dim operator-(const Dim& a) { refuse(concat("-Dim '", a.text(), "'")); }
Dim operator/(const Dim& a, int64_t b) { refuse(concat("Dim '", a.text(), "' / ", b)); }
Dim operator/(const Dim& a, const Dim& b) { refuse(concat("Dim '", a.text(), "' / Dim '", b.text(), "'")); }
Dim operator/(int64_t a, const Dim& b) { refuse(concat(a, " / Dim '", b.text(), "'")); }
Dim operator%(const Dim& a, int64_t b) { refuse(concat("Dim '", a.text(), "' % ", b)); }

std::vector<Dim> dims(std::span<const std::string> names) {
  std::vector<Dim> out;
  for (const std::string& name : names) out.emplace_back(name);
  return out;
}

std::string entry_text(const SizeEntry& entry) {
  if (const auto* number = std::get_if<int64_t>(&entry)) return std::to_string(*number);
  if (const auto* dim = std::get_if<Dim>(&entry)) return concat("Dim '", dim->text(), "'");
  if (const auto* hint = std::get_if<SizeHint>(&entry)) return hint->text();
  return "null";
}

}  // namespace onemodel
