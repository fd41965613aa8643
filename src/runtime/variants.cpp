#include "runtime/variants.h"

#include <algorithm>

#include "graph/optional_inputs.h"

namespace onemodel {

Variants::Variants(Graph graph, const SessionOptions& options, Scratch& scratch)
    : options_(options), scratch_(scratch) {
  if (!graph.optional_inputs.empty()) graph_ = graph;
  plain_ = std::make_unique<Program>(with_optional_inputs(std::move(graph), {}), options_, scratch_);
}

Program& Variants::with(std::span<const size_t> fed) {
  if (fed.empty()) return plain();
  const auto at = std::find_if(variants_.begin(), variants_.end(),
                               [&](const Variant& variant) { return std::ranges::equal(variant.fed, fed); });
  if (at != variants_.end()) {
    std::rotate(variants_.begin(), at, at + 1);
    return *variants_.front().program;
  }
  auto program = std::make_unique<Program>(with_optional_inputs(*graph_, fed), options_, scratch_);
  if (variants_.size() == options_.plan_cache) variants_.pop_back();
  variants_.insert(variants_.begin(), Variant{{fed.begin(), fed.end()}, std::move(program)});
  return *variants_.front().program;
}

size_t Variants::plan_count() const {
  size_t count = plain_->plan_count();
  for (const Variant& variant : variants_) count += variant.program->plan_count();
  return count;
}

std::string Variants::describe() const {
  std::string out = plain_->describe();
  for (const auto& [fed, program] : variants_) {
    std::string names;
    for (const size_t i : fed)
      names += concat(names.empty() ? "'" : ", '", graph_->value(graph_->optional_inputs[i].value).name, "'");
    out += concat("fed with ", names, ":\n", program->describe());
  }
  return out;
}

}  // namespace onemodel
