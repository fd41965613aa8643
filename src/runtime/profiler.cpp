#include "runtime/profiler.h"

#include <algorithm>
#include <cstdio>

#include "core/sort.h"

namespace onemodel {
namespace {

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string fixed(double value, int decimals) {
  char digits[40];
  return {digits, static_cast<size_t>(std::snprintf(digits, sizeof digits, "%.*f", decimals, value))};
}

}  // namespace

void Profiler::record(const Step& step, double seconds) {
  const auto is_of_step = [&](const Entry& entry) {
    return entry.node == step.node && entry.kernel == step.kernel_name;
  };
  // Steps come in the same order run after run: the next entry is nearly always the right one.
  if (next_ >= entries_.size() || !is_of_step(entries_[next_]))
    next_ = static_cast<size_t>(std::find_if(entries_.begin(), entries_.end(), is_of_step) - entries_.begin());
  if (next_ == entries_.size())
    entries_.push_back({step.node, std::string(step.op.name()), step.kernel_name, step.module_path});
  Entry& entry = entries_[next_];
  ++entry.runs;
  entry.seconds += seconds;
  next_ = (next_ + 1) % entries_.size();
}

std::string to_string(const Profiler& profiler) {
  const auto entries = sorted(profiler.entries(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  double total = 0;
  size_t width = 4;
  for (const auto& entry : entries) {
    total += entry.seconds;
    width = std::max(width, entry.node.size());
  }
  std::string out = concat(padded("node", width), "  share       ms  runs  operator [kernel]\n");
  for (const auto& entry : entries) {
    const double share = total > 0 ? 100 * entry.seconds / total : 0;
    out += concat(padded(entry.node, width), "  ", padded(fixed(share, 1) + '%', 6), "  ",
                  padded(fixed(1e3 * entry.seconds, 3), 8), "  ", padded(std::to_string(entry.runs), 4), "  ", entry.op,
                  " [", entry.kernel, "]");
    if (!entry.module_path.empty()) out += concat("  # ", entry.module_path);
    out += '\n';
  }
  return out;
}

}  // namespace onemodel
