#include "export/constraint_search.h"

#include <algorithm>

#include "export/dim_solver.h"
#include "export/message_parts.h"
#include "export/suggest.h"

namespace onemodel {

SizeFinding finding_of(SizeFinding::Kind kind, std::string label, std::string reason) {
  SizeFinding out{.kind = kind, .label = std::move(label)};
  out.module_path = last_between(reason, "module '", '\'');
  out.node = last_between(reason, "node '", '\'');
  out.reason = std::move(reason);
  return out;
}

void ConstraintSearch::note(SizeFinding finding) {
  std::erase_if(findings_, [&](const SizeFinding& other) {
    return other.label == finding.label && other.kind == SizeFinding::narrowed;
  });
  findings_.push_back(std::move(finding));
}

std::optional<Recording> ConstraintSearch::try_record(const SizeState& state, const SymbolSizes& sizes,
                                                      std::string* message) {
  try {
    return record_(state.tensors(sizes), state.shapes(sizes));
  } catch (const Error& error) {
    if (message) *message = error.what();
    return {};
  }
}

// Records the model at sizes as the caller has them, or where those are below 2 at others, and binds what it refuses. Where
// the caller's sizes cannot be told apart the recording goes on with others.
void ConstraintSearch::record() {
  for (;;) {
    const SymbolSizes sizes = recordable_examples(state_);
    try {
      base_ = {state_, sizes, record_(state_.tensors(sizes), state_.shapes(sizes))};
      break;
    } catch (const SizeMismatch& mismatch) {
      if (unify(mismatch)) continue;
      if (state_.live().empty()) throw;
      fix_culprit(mismatch.what());
    } catch (const Error& error) {
      const bool speaks_of_sizes = error.name() != "TraceError" || error.kind() == "SymbolicShape";
      if (state_.live().empty() || !speaks_of_sizes) throw;
      fix_culprit(error.what());
    }
  }
  if (are_distinct(state_, base_.sizes)) return;
  const SymbolSizes distinct = distinct_sizes(state_, {});
  if (auto recording = try_record(state_, distinct)) base_ = {state_, distinct, std::move(*recording)};
}

// The range of a size that only a fix brings in.
void ConstraintSearch::note_new_roots() {
  const SizeState declared(inputs_);
  const std::vector<SizeFinding> found = findings_;
  for (const SizeFinding& each : found) {
    if (each.kind != SizeFinding::related || !state_.is_live(each.root) || declared.is_live(each.root)) continue;
    const SizeRange& range = state_.root(each.root).range;
    const bool is_known =
        std::ranges::any_of(found, [&](const SizeFinding& other) { return other.label == each.root; });
    if (is_known || (range.min == 0 && !range.max)) continue;
    SizeFinding finding =
        finding_of(SizeFinding::narrowed, each.root, concat("it follows from the range of '", each.label, "'"));
    finding.min = range.min;
    finding.max = range.max;
    note(std::move(finding));
  }
}

ExportSizes ConstraintSearch::run() {
  do {
    record();
    relax();
  } while (!settle());
  const std::vector<std::string> live = state_.live();
  for (const std::string& label : live) narrow(label);
  note_new_roots();
  ExportSizes out{.names = {},
                  .examples = state_.tensors(base_.sizes),
                  .shapes = state_.shapes(base_.sizes),
                  .contract = {},
                  .findings = {}};
  std::vector<SizeFinding> loud;
  for (SizeFinding& finding : findings_)
    (state_.root(finding.label).is_quiet ? out.findings : loud).push_back(std::move(finding));
  if (!loud.empty()) throw_findings(loud, inputs_);
  DimSolver solver;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    out.names.push_back(inputs_[i].name);
    for (size_t axis = 0; axis < out.shapes[i].rank(); ++axis)
      if (const auto relation = stated_relation(out.shapes[i][axis])) solver.add_relation(*relation);
  }
  for (const std::string& label : state_.live()) solver.add_range(state_.root(label).range);
  out.contract = solver.solve();
  return out;
}

}  // namespace onemodel
