#include "nn/one_cycle.h"

#include <algorithm>

#include "nn/cosine.h"

namespace onemodel::nn {
namespace {

void check_each(std::string_view what, Factors& values, size_t groups) {
  check(values.values.size() == 1 || values.values.size() == groups, OneCycleLR::kName, ": ", what,
        " must be one number or ", groups, ", got ", values.values.size());
  values.values.resize(groups, values.values.front());
}

// What runs through the phases of a cycle.
struct Course {
  double first, top, last;
};

double at(const OneCycleLROptions& o, int64_t steps, const Course& course) {
  check(steps >= 0 && steps <= o.total_steps, OneCycleLR::kName, ": step ", steps, " is beyond the last, ",
        o.total_steps);
  const auto now = static_cast<double>(steps), total = static_cast<double>(o.total_steps);
  struct Phase {
    double end, from, to;
  };
  std::vector<Phase> phases = {{o.pct_start * total - 1, course.first, course.top}};
  if (o.three_phase) phases.push_back({2 * o.pct_start * total - 2, course.top, course.first});
  phases.push_back({total - 1, o.three_phase ? course.first : course.top, course.last});
  double start = 0;
  for (const Phase& phase : phases) {
    if (now <= phase.end || &phase == &phases.back()) {
      const double part = phase.end > start ? (now - start) / (phase.end - start) : 1;
      return o.anneal_strategy == "cos" ? half_cosine(phase.from, phase.to, part)
                                        : phase.from + (phase.to - phase.from) * part;
    }
    start = phase.end;
  }
  return course.last;
}

}  // namespace

OneCycleLR::OneCycleLR(Optimizer& optimizer, const Options& options) : Schedule(optimizer), options_(options) {
  check(options.total_steps >= 1, kName, ": total_steps must be at least 1, got ", options.total_steps);
  check(options.pct_start >= 0 && options.pct_start <= 1, kName, ": pct_start must be in [0, 1], got ",
        options.pct_start);
  check(options.anneal_strategy == "cos" || options.anneal_strategy == "linear", kName,
        ": anneal_strategy must be cos or linear, got '", options.anneal_strategy, "'");
  check(options.div_factor > 0 && options.final_div_factor > 0, kName,
        ": div_factor and final_div_factor must be positive");
  check_each("max_lr", options_.max_lr, optimizer.group_count());
  check_each("base_momentum", options_.base_momentum, optimizer.group_count());
  check_each("max_momentum", options_.max_momentum, optimizer.group_count());
  check(!options.cycle_momentum || optimizer.option(0, "momentum") || optimizer.option(0, "betas"), kName,
        ": cycle_momentum needs an optimizer with momentum or betas, not ", optimizer.describe());
  for (size_t g = 0; options_.cycle_momentum && g < optimizer.group_count(); ++g)
    for (const Factors& each : {options_.base_momentum, options_.max_momentum}) {
      OptionValues values;
      put_momentum(values, g, each.values[g]);
      optimizer.check_option_values(g, values);
    }
  apply();
}

double OneCycleLR::rate(int64_t steps, size_t group) const {
  const double top = options_.max_lr.values.at(group), first = top / options_.div_factor;
  return at(options_, steps, {first, top, first / options_.final_div_factor});
}

double OneCycleLR::momentum(int64_t steps, size_t group) const {
  const double high = options_.max_momentum.values.at(group);
  return at(options_, steps, {high, options_.base_momentum.values.at(group), high});
}

void OneCycleLR::put_momentum(OptionValues& values, size_t group, double momentum) const {
  const auto fields = optimizer().option_fields();
  const auto betas = optimizer().option(group, "betas");
  const auto field = std::ranges::find(fields, betas ? "betas" : "momentum", &FieldInfo::name);
  values.resize(fields.size());
  AttributeValue& value = values[static_cast<size_t>(field - fields.begin())].emplace(momentum);
  if (!betas) return;
  value = *betas;
  std::get<std::vector<double>>(value).front() = momentum;
}

Schedule::OptionValues OneCycleLR::values(int64_t steps, size_t group) const {
  OptionValues out = Schedule::values(steps, group);
  if (options_.cycle_momentum) put_momentum(out, group, momentum(steps, group));
  return out;
}

}  // namespace onemodel::nn
