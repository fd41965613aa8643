#include <algorithm>
#include <cstdlib>

#include "core/sort.h"
#include "export/constraint_search.h"
#include "trace/verify_trace.h"

namespace onemodel {
namespace {

// Relations that are looked for without a hint from an operator.
constexpr int64_t kMostScale = 4;

SymbolSizes with(SymbolSizes sizes, const std::string& label, int64_t size) {
  sizes[label] = size;
  return sizes;
}

// Each size larger by one, where it may be.
SymbolSizes one_more(const SizeState& state, SymbolSizes sizes) {
  for (auto& [label, size] : sizes)
    if (state.root(label).range.contains(size + 1)) ++size;
  return sizes;
}

std::string text_of(const Difference& difference, std::string_view what) {
  std::string out = concat(what, " '", difference.name, "'");
  if (!difference.module_path.empty()) out += concat(" in module '", difference.module_path, "'");
  return concat(out, ": ", difference.what);
}

}  // namespace

// Runs the model at `sizes` and the program of `base` on the same inputs.
bool ConstraintSearch::agrees(const SizedRecording& base, const SymbolSizes& sizes, std::string& why) {
  try {
    std::vector<Shape> shapes;
    for (const Dims& dims : base.state.dims(sizes)) shapes.emplace_back(dims);
    const std::vector<Tensor> given = base.state.tensors(sizes);
    const Recording second = record_(given, shapes);
    std::vector<Tensor> inputs = second.state;
    inputs.insert(inputs.end(), given.begin(), given.end());
    const VerifyReport report = compare_traces(base.recording.graph, second.graph, inputs, second.outputs);
    if (report.outputs.empty()) return true;
    why = report.first_node ? text_of(*report.first_node, "node") : text_of(report.outputs.front(), "output");
  } catch (const Error& error) {
    why = error.what();
  }
  if (!sizes.empty()) why = concat("at ", to_string(sizes), ": ", why);
  return false;
}

// Whether the program serves the caller's own sizes and others; if not, something more is bound, and the model is to be
// recorded again.
bool ConstraintSearch::settle() {
  if (state_.live().empty()) return true;
  if (const SymbolSizes own = state_.examples(); own != base_.sizes && !agrees(own)) {
    const std::string why = why_;
    std::vector<std::string> culprits;
    for (const auto& [label, size] : own)
      if (size != base_.sizes.at(label) && !agrees(with(base_.sizes, label, size))) culprits.push_back(label);
    if (culprits.empty()) culprits = state_.live();
    for (const std::string& label : culprits) {
      SizeFinding finding = finding_of(SizeFinding::fixed, label, why);
      finding.value = state_.root(label).example;
      state_.fix(label);
      note(std::move(finding));
    }
    return false;
  }
  const SymbolSizes other = distinct_sizes(state_, {}, base_.sizes);
  return other == base_.sizes || agrees(other) || !explain(other);
}

// Whether a program that is recorded at `other` serves the sizes of the recording and more: the sizes there were mistaken for fixed
// ones. It takes its place.
bool ConstraintSearch::is_better_at(const SymbolSizes& other) {
  auto recording = try_record(state_, other);
  if (!recording) return false;
  SizedRecording base{state_, other, std::move(*recording)};
  const SymbolSizes third = one_more(state_, other);
  std::string why;
  if (third == base_.sizes || !agrees(base, base_.sizes, why) || !agrees(base, third, why)) return false;
  base_ = std::move(base);
  return true;
}

// The program differs from the model at `other`. True when something was bound.
bool ConstraintSearch::explain(const SymbolSizes& other) {
  std::string reason = why_;
  if (is_better_at(other)) return false;
  std::string culprit;
  const std::vector<std::string> live = state_.live();
  for (const std::string& label : live) {
    if (other.at(label) == base_.sizes.at(label) || agrees(with(base_.sizes, label, other.at(label)))) continue;
    culprit = label;
    reason = why_;
    break;
  }
  const bool fails_alone = !culprit.empty();
  if (!fails_alone) culprit = live.back();
  if (try_multiples(culprit, reason) || try_relations(culprit, reason)) return true;
  // A size that can be a little smaller or larger has a bound, which narrow() finds.
  const int64_t size = base_.sizes.at(culprit);
  for (const int64_t near : {size - 1, size + 1, size - 2, size + 2}) {
    if (!fails_alone || near < 2 || !state_.root(culprit).range.contains(near) ||
        !agrees(with(base_.sizes, culprit, near)))
      continue;
    const bool fails_above = other.at(culprit) > size;
    SizeRange& range = state_.range(culprit);
    SizeFinding finding = finding_of(SizeFinding::narrowed, culprit, reason);
    const int64_t limit =
        last_working(size, other.at(culprit), [&](int64_t probe) { return agrees(with(base_.sizes, culprit, probe)); });
    if (limit == size && fails_above == (near > size)) break;
    if (fails_above)
      range.max = limit;
    else
      range.min = limit;
    finding.min = range.min;
    finding.max = range.max;
    note(std::move(finding));
    base_.state = state_;
    return true;
  }
  SizeFinding finding = finding_of(SizeFinding::fixed, culprit, reason);
  finding.value = state_.root(culprit).example;
  state_.fix(culprit);
  note(std::move(finding));
  return true;
}

// A recording at `sizes`, or if these cannot be told from the model's own numbers, at others, which `sizes` are then.
std::optional<Recording> ConstraintSearch::record_at(const SizeState& state, SymbolSizes& sizes) {
  if (auto recording = try_record(state, sizes)) return recording;
  const SymbolSizes others = distinct_sizes(state, {}, sizes);
  if (others == sizes) return {};
  sizes = others;
  return try_record(state, sizes);
}

// Whether a program recorded with `state` agrees with the model at sizes of its own and at two others.
bool ConstraintSearch::works_elsewhere(const SizeState& state) {
  SymbolSizes first = distinct_sizes(state, {});
  auto recording = record_at(state, first);
  if (!recording) return false;
  const SizedRecording base{state, first, std::move(*recording)};
  const SymbolSizes second = distinct_sizes(state, {}, first);
  const SymbolSizes third = one_more(state, second);
  std::string why;
  return second != first && agrees(base, second, why) && agrees(base, third, why);
}

bool ConstraintSearch::try_multiples(const std::string& label, const std::string& why) {
  for (int64_t factor = 2; factor <= std::min(kMostFactor, state_.root(label).example); ++factor) {
    SizeState trial = state_;
    const auto part = trial.bind_to_multiple(label, factor);
    if (!part || !works_elsewhere(trial)) continue;
    SizeFinding finding = finding_of(SizeFinding::related, label, why);
    finding.root = *part;
    finding.scale = factor;
    state_ = std::move(trial);
    note(std::move(finding));
    return true;
  }
  return false;
}

// Sizes that have to move together: lines through the example, which two other points have to confirm.
bool ConstraintSearch::try_relations(const std::string& label, const std::string& why) {
  struct Line {
    std::string dependent;
    Affine to;
  };
  std::vector<Line> lines;
  for (const std::string& other : state_.live()) {
    if (other == label) continue;
    const int64_t a = state_.root(label).example, b = state_.root(other).example;
    for (int64_t scale = 1; scale <= kMostScale; ++scale) {
      lines.push_back({label, {other, scale, a - scale * b}});
      lines.push_back({other, {label, scale, b - scale * a}});
    }
  }
  const auto rank = [&](const Line& line) {
    const bool is_loud = state_.root(line.to.root).is_quiet && !state_.root(line.dependent).is_quiet;
    return std::abs(line.to.offset) * 4 + (line.to.offset < 0) * 2 + is_loud;
  };
  lines = sorted(std::move(lines), [&](const Line& a, const Line& b) { return rank(a) < rank(b); });
  for (const Line& line : lines) {
    SizeState trial = state_;
    if (!trial.bind(line.dependent, line.to) || !works_elsewhere(trial)) continue;
    SizeFinding finding = finding_of(SizeFinding::related, line.dependent, why);
    finding.root = line.to.root;
    finding.scale = line.to.scale;
    finding.offset = line.to.offset;
    state_ = std::move(trial);
    note(std::move(finding));
    return true;
  }
  return false;
}

}  // namespace onemodel
