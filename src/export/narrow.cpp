#include <algorithm>
#include <cstdlib>

#include "export/constraint_search.h"
#include "runtime/specialise.h"

namespace onemodel {
namespace {

// Where the shape rules are asked about a size without a bound.
constexpr int64_t kFar = int64_t{1} << 16;

}  // namespace

// Whether the operators of the recording take inputs of `sizes`, as far as that follows from sizes.
bool ConstraintSearch::rules_hold(const SymbolSizes& sizes) {
  Signature signature;
  for (const Tensor& each : base_.recording.state) signature.dims.push_back(each.dims());
  for (const Dims& dims : state_.dims(sizes)) signature.dims.push_back(dims);
  signature.values.resize(signature.dims.size());
  try {
    specialise(base_.recording.graph, signature);
    return true;
  } catch (const Error& error) {
    why_ = concat("at ", to_string(sizes), ": ", error.what());
    return false;
  }
}

bool ConstraintSearch::works_at(const std::string& label, int64_t size) {
  SymbolSizes sizes = base_.sizes;
  sizes[label] = size;
  for (const auto& axes : state_.axes())
    for (const Affine& axis : axes)
      if (axis.root == label && axis.at(size) < 0) return false;
  return agrees(sizes);
}

int64_t ConstraintSearch::last_working(int64_t works, int64_t fails, const std::function<bool(int64_t)>& test) {
  while (std::abs(fails - works) > 1) {
    const int64_t middle = works + (fails - works) / 2;
    const std::string why = why_;
    if (test(middle)) {
      works = middle;
      why_ = why;
    } else {
      fails = middle;
    }
  }
  return works;
}

// The ends of a range are tried: what is declared, and where nothing is, 1 and some way up.
void ConstraintSearch::narrow(const std::string& label) {
  const SizeRange declared = state_.root(label).range;
  const int64_t now = base_.sizes.at(label);
  const auto with = [&](int64_t size) {
    SymbolSizes sizes = base_.sizes;
    sizes[label] = size;
    return sizes;
  };
  SizeRange& range = state_.range(label);
  const bool has_rules = rules_hold(base_.sizes);
  const auto by_rules = [&](int64_t size) { return !has_rules || rules_hold(with(size)); };
  const auto by_run = [&](int64_t size) { return works_at(label, size); };

  int64_t lowest = std::max<int64_t>(declared.min, 1);
  for (const auto& axes : state_.axes())
    for (const Affine& axis : axes)
      while (axis.root == label && lowest < now && axis.at(lowest) < 1) ++lowest;
  std::string why_low, why_high;
  int64_t low = std::min(lowest, now), high = now;
  if (lowest < now) {
    if (!by_rules(low)) low = last_working(now, low, by_rules);
    if (low < now && low <= options_.largest_run && !by_run(low)) low = last_working(now, low, by_run);
    why_low = why_;
  }
  // One is special to many models, as it is where sizes broadcast: no reason to complain of a range that nobody set.
  const bool is_quiet_two = declared.min == 0 && low == 2;
  if (low > lowest) range.min = low;

  const int64_t wanted = declared.max.value_or(std::max(kFar, now));
  if (wanted > now) {
    high = wanted;
    if (!by_rules(high)) high = last_working(now, high, by_rules);
    why_high = why_;
    const int64_t run = std::min(high, options_.largest_run);
    if (run > now && !by_run(run)) {
      high = last_working(now, run, by_run);
      why_high = why_;
    }
    if (high < wanted) range.max = high;
  }
  const bool narrows_low = low > lowest && !is_quiet_two, narrows_high = high < wanted;
  if (!narrows_low && !narrows_high) return;
  SizeFinding finding = finding_of(SizeFinding::narrowed, label, narrows_low ? why_low : why_high);
  finding.min = range.min;
  finding.max = range.max;
  note(std::move(finding));
}

}  // namespace onemodel
