#include "export/suggest.h"

#include <algorithm>
#include <charconv>

#include "export/dim_solver.h"

namespace onemodel {
namespace {

constexpr std::string_view kHead = "Suggested fixes:";

std::optional<int64_t> integer(std::string_view text) {
  int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(out) : std::nullopt;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Dim("batch", min=2, max=64)
std::optional<SizeEntry> declared(std::string_view text) {
  if (!take(text, "Dim(\"") || !text.ends_with(')')) return {};
  text.remove_suffix(1);
  const size_t quote = text.find('"');
  if (quote == text.npos) return {};
  const std::string name(text.substr(0, quote));
  text.remove_prefix(quote + 1);
  int64_t min = 0;
  std::optional<int64_t> max;
  while (!text.empty()) {
    const bool is_min = take(text, ", min=");
    if (!is_min && !take(text, ", max=")) return {};
    const size_t end = std::min(text.find(','), text.size());
    const auto number = integer(text.substr(0, end));
    if (!number) return {};
    (is_min ? min : max.emplace()) = *number;
    text.remove_prefix(end);
  }
  return Dim(name, min, max);
}

std::optional<SizeFix> fix_from(std::string_view line) {
  const size_t equals = line.find(" = ");
  if (equals == line.npos) return {};
  const std::string label(line.substr(0, equals));
  const std::string_view right = line.substr(equals + 3);
  if (const auto number = integer(right)) return SizeFix{label, *number};
  if (const auto dim = declared(right)) return SizeFix{label, *dim};
  const auto relation = contract_from_text("", line).relations.front();
  return SizeFix{label, Dim(relation.root).derived(relation.scale, relation.offset)};
}

std::string reason_of(const SizeFinding& finding) {
  std::string out = finding.reason;
  for (size_t at = 0; (at = out.find('\n', at)) != out.npos;) out.replace(at, 1, ";");
  return out;
}

std::string demand_of(const SizeFinding& finding) {
  if (finding.kind == SizeFinding::fixed) return concat("must be ", finding.value);
  if (finding.kind == SizeFinding::narrowed)
    return concat("must be in ", bounds_text({finding.label, finding.min, finding.max}));
  return concat("must be ", size_formula(finding.root, finding.scale, finding.offset));
}

// The first axis that has the name, or whose size is derived from it.
std::string site_of(const std::string& label, std::span<const InputSizes> inputs) {
  for (const InputSizes& input : inputs)
    for (size_t axis = 0; axis < input.entries.size(); ++axis) {
      const auto* dim = std::get_if<Dim>(&input.entries[axis]);
      const bool is_hint = std::holds_alternative<SizeHint>(input.entries[axis]);
      if ((dim && dim->name() == label) || (is_hint && hint_label(input.name, axis) == label))
        return concat(" (", site_text({input.name, axis, 0}), ')');
    }
  return {};
}

}  // namespace

SizeFix fix_for(const SizeFinding& finding) {
  if (finding.kind == SizeFinding::fixed) return {finding.label, finding.value};
  if (finding.kind == SizeFinding::narrowed) return {finding.label, Dim(finding.label, finding.min, finding.max)};
  return {finding.label, Dim(finding.root).derived(finding.scale, finding.offset)};
}

std::string to_string(const SizeFix& fix) {
  const auto* dim = std::get_if<Dim>(&fix.entry);
  const bool declares = dim && !dim->is_derived() && dim->name() == fix.label;
  return concat(fix.label, " = ", declares ? dim->declaration() : dim ? dim->text() : entry_text(fix.entry));
}

void throw_findings(std::span<const SizeFinding> findings, std::span<const InputSizes> inputs) {
  std::string message = "the model does not keep these of the declared sizes:";
  for (const SizeFinding& finding : findings)
    message += concat("\n  size '", finding.label, '\'', site_of(finding.label, inputs), ' ', demand_of(finding), ": ",
                      reason_of(finding));
  message += concat('\n', kHead);
  for (const SizeFinding& finding : findings) message += concat("\n  ", to_string(fix_for(finding)));
  throw SizesNotKept(std::move(message), {findings.begin(), findings.end()});
}

std::string hint_label(std::string_view input, size_t axis) { return concat(input, "_dim_", axis); }

std::vector<SizeFix> suggested_fixes(std::string_view message) {
  std::vector<SizeFix> out;
  size_t at = message.find(kHead);
  if (at == message.npos) return out;
  for (at = message.find('\n', at); at != message.npos;) {
    const size_t end = message.find('\n', at + 1);
    std::string_view line = message.substr(at + 1, end == message.npos ? end : end - at - 1);
    at = end;
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.empty()) break;
    std::optional<SizeFix> fix;
    try {
      fix = fix_from(line);
    } catch (const Error&) {  // no relation, or no name
    }
    check(fix.has_value(), "suggested fixes: '", line.substr(0, 80), "' is no fix of a size");
    out.push_back(std::move(*fix));
  }
  return out;
}

}  // namespace onemodel
