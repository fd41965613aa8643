#include <algorithm>

#include "core/polynomial.h"
#include "export/constraint_search.h"

namespace onemodel {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool mentions(const std::string& text, const std::string& label) {
  for (size_t at = 0; (at = text.find(label, at)) != text.npos; ++at) {
    const size_t end = at + label.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// The words of a message: two of one operator with other sizes have the same.
std::string skeleton(const std::string& text, const std::vector<std::string>& labels) {
  std::string out, word;
  for (const char c : text + ' ') {
    if (is_word(c)) {
      word += c;
      continue;
    }
    const bool is_size = word.empty() || std::ranges::all_of(word, [](char d) { return d >= '0' && d <= '9'; }) ||
                         std::ranges::find(labels, word) != labels.end();
    if (!is_size) out += word + ' ';
    word.clear();
  }
  return out;
}

}  // namespace

// Two sizes that have to be equal: solved for one of them.
bool ConstraintSearch::unify(const SizeMismatch& mismatch) {
  const Polynomial difference = add(parse_size(mismatch.a.text()), parse_size(mismatch.b.text()), -1);
  struct Term {
    std::string label;
    int64_t factor;
  };
  std::vector<Term> terms;
  int64_t number = 0;
  for (const auto& [atoms, factor] : difference) {
    if (atoms.empty())
      number = factor;
    else if (atoms.size() == 1 && state_.is_live(atoms[0]))
      terms.push_back({atoms[0], factor});
    else
      return false;
  }
  if (terms.size() == 1) {
    const SizeRoot& root = state_.root(terms[0].label);
    if (terms[0].factor * root.example + number != 0) return false;
    SizeFinding finding = finding_of(SizeFinding::fixed, terms[0].label, mismatch.what());
    finding.value = root.example;
    state_.fix(finding.label);
    note(std::move(finding));
    return true;
  }
  if (terms.size() != 2) return false;
  // The one with the factor 1 follows from the other; of two such, what may quietly, then the one that is larger.
  std::optional<SizeFinding> best;
  int best_rank = 0;
  for (const auto& [dependent, root] : {std::pair(terms[0], terms[1]), std::pair(terms[1], terms[0])}) {
    if (root.factor % dependent.factor != 0 || number % dependent.factor != 0) continue;
    SizeFinding finding = finding_of(SizeFinding::related, dependent.label, mismatch.what());
    finding.root = root.label;
    finding.scale = -root.factor / dependent.factor;
    finding.offset = -number / dependent.factor;
    if (finding.scale < 1) continue;
    const auto& order = state_.live();
    const bool is_later = std::ranges::find(order, finding.label) > std::ranges::find(order, finding.root);
    const bool is_quiet = state_.root(finding.label).is_quiet && !state_.root(finding.root).is_quiet;
    const int rank = 1 + is_quiet * 8 + (finding.offset > 0) * 4 + is_later * 2;
    if (rank <= best_rank) continue;
    best_rank = rank;
    best = std::move(finding);
  }
  if (!best || !state_.bind(best->label, {best->root, best->scale, best->offset})) return false;
  note(std::move(*best));
  return true;
}

// The recording failed and does not say which sizes are to blame: of those that it names one is fixed, the first that helps.
void ConstraintSearch::fix_culprit(const std::string& message) {
  std::vector<std::string> candidates;
  for (const std::string& label : state_.live())
    if (mentions(message, label)) candidates.push_back(label);
  if (candidates.empty()) candidates = state_.live();
  const auto helps = [&](const std::string& label) {
    SizeState trial = state_;
    trial.fix(label);
    std::string other;
    return try_record(trial, recordable_examples(trial), &other) ||
           skeleton(other, state_.live()) != skeleton(message, state_.live());
  };
  const auto first = candidates.size() == 1 ? candidates.begin() : std::ranges::find_if(candidates, helps);
  const std::string culprit = first == candidates.end() ? candidates.front() : *first;
  SizeFinding finding = finding_of(SizeFinding::fixed, culprit, message);
  finding.value = state_.root(culprit).example;
  state_.fix(culprit);
  culprits_.push_back(culprit);
  note(std::move(finding));
}

// A culprit may be free after all, or a multiple of something.
void ConstraintSearch::relax() {
  const std::vector<std::string> culprits = std::exchange(culprits_, {});
  for (const std::string& label : culprits) {
    const SizeFinding finding = *std::ranges::find(findings_, label, &SizeFinding::label);
    if (relax(finding, {})) continue;
    for (int64_t factor = 2; factor <= std::min(kMostFactor, finding.value); ++factor)
      if (finding.value % factor == 0 && relax(finding, factor)) break;
  }
}

// Whether the model can be recorded with everything bound but this one, or with this one a multiple of something.
bool ConstraintSearch::relax(const SizeFinding& culprit, std::optional<int64_t> factor) {
  SizeState state(inputs_);
  for (const SizeFinding& other : findings_) {
    if (other.label == culprit.label || !state.is_live(other.label)) continue;
    if (other.kind == SizeFinding::fixed)
      state.fix(other.label);
    else if (other.kind == SizeFinding::related && state.is_live(other.root))
      state.bind(other.label, {other.root, other.scale, other.offset});
    else if (other.kind == SizeFinding::related)
      state.bind_to_multiple(other.label, other.scale);
  }
  if (!state.is_live(culprit.label)) return false;
  std::optional<std::string> part;
  if (factor && !(part = state.bind_to_multiple(culprit.label, *factor))) return false;
  SymbolSizes sizes = factor ? distinct_sizes(state, {}) : distinct_sizes(state, {}, recordable_examples(state));
  auto recording = record_at(state, sizes);
  if (!recording) return false;
  std::erase_if(findings_, [&](const SizeFinding& other) { return other.label == culprit.label; });
  if (part) {
    SizeFinding related = finding_of(SizeFinding::related, culprit.label, culprit.reason);
    related.root = *part;
    related.scale = *factor;
    note(std::move(related));
  }
  state_ = std::move(state);
  base_ = {state_, sizes, std::move(*recording)};
  return true;
}

}  // namespace onemodel
