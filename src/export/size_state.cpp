#include "export/size_state.h"

#include <algorithm>
#include <set>

#include "export/suggest.h"

namespace onemodel {
namespace {

// Sizes above the example that are tried for one that is free.
constexpr int64_t kTries = 64;

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }
int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// The sizes that axes have through `label` when it is `size`.
std::set<int64_t> sizes_through(const SizeState& state, const std::string& label, int64_t size) {
  std::set<int64_t> out{size};
  for (const auto& axes : state.axes())
    for (const Affine& axis : axes)
      if (axis.root == label) out.insert(axis.at(size));
  return out;
}

bool fits(const SizeState& state, const std::string& label, int64_t size) {
  const std::set<int64_t> through = sizes_through(state, label, size);
  return *through.begin() >= 2 && state.root(label).range.contains(size);
}

}  // namespace

SizeState::SizeState(std::span<const InputSizes> inputs) {
  std::set<std::string> named;
  for (const InputSizes& input : inputs)
    for (const SizeEntry& entry : input.entries)
      if (const auto* dim = std::get_if<Dim>(&entry)) named.insert(dim->name());
  for (const InputSizes& input : inputs) {
    given_.push_back(input.example);
    auto& axes = axes_.emplace_back();
    for (size_t axis = 0; axis < input.example.rank(); ++axis) {
      const int64_t size = input.example.dims()[axis];
      const auto* dim = std::get_if<Dim>(&input.entries[axis]);
      const auto* hint = std::get_if<SizeHint>(&input.entries[axis]);
      if (dim) {
        axes.push_back({dim->name(), dim->scale(), dim->offset()});
        declare(dim->name(), {dim->root_range(), (size - dim->offset()) / dim->scale()});
      } else if (hint && hint->kind != SizeHint::fixed) {
        std::string label = hint_label(input.name, axis);
        while (!named.insert(label).second) label += '_';
        axes.push_back({label, 1, 0});
        declare(label, {{label, hint->min, hint->max}, size, hint->kind == SizeHint::automatic});
      } else {
        axes.push_back({{}, 0, size});
      }
    }
  }
  // A size that can be one number only is that number.
  const std::vector<std::string> declared = live_;
  for (const std::string& label : declared)
    if (const SizeRange& range = root(label).range; range.max == range.min) fix(label);
}

void SizeState::declare(const std::string& label, SizeRoot root) {
  if (roots_.emplace(label, std::move(root)).second) live_.push_back(label);
}

bool SizeState::is_live(const std::string& label) const { return std::ranges::find(live_, label) != live_.end(); }

SymbolSizes SizeState::examples() const {
  SymbolSizes out;
  for (const std::string& label : live_) out[label] = root(label).example;
  return out;
}

bool SizeState::bind(const std::string& label, const Affine& to) {
  if (to.at(to.is_number() ? 0 : root(to.root).example) != root(label).example) return false;
  if (!to.is_number()) {
    const SizeRange& own = root(label).range;
    SizeRange shrunk = range(to.root);
    shrunk.min = std::max(shrunk.min, ceil_div(own.min - to.offset, to.scale));
    if (own.max) {
      const int64_t most = floor_of(*own.max - to.offset, to.scale);
      shrunk.max = shrunk.max ? std::min(*shrunk.max, most) : most;
    }
    if (shrunk.max && *shrunk.max < shrunk.min) return false;
    range(to.root) = shrunk;
  }
  std::erase(live_, label);
  for (auto& axes : axes_)
    for (Affine& axis : axes)
      if (axis.root == label) axis = {to.root, axis.scale * to.scale, axis.at(to.offset)};
  return true;
}

std::string SizeState::free_label(std::string stem) const {
  while (roots_.contains(stem)) stem = '_' + stem;
  return stem;
}

std::optional<std::string> SizeState::bind_to_multiple(const std::string& label, int64_t factor) {
  const SizeRoot& whole = root(label);
  if (whole.example % factor != 0 || whole.example == 0) return {};
  const std::string part = free_label('_' + label);
  const auto at = std::ranges::find(live_, label) - live_.begin();
  roots_.emplace(part, SizeRoot{{part, 0, {}}, whole.example / factor, whole.is_quiet});
  if (!bind(label, {part, factor, 0})) return {};
  live_.insert(live_.begin() + at, part);
  return part;
}

std::vector<Dims> SizeState::dims(const SymbolSizes& sizes) const {
  std::vector<Dims> out;
  for (const auto& axes : axes_) {
    Dims& dims = out.emplace_back();
    for (const Affine& axis : axes) dims.push_back(axis.is_number() ? axis.offset : axis.at(sizes.at(axis.root)));
  }
  return out;
}

std::vector<Shape> SizeState::shapes(const SymbolSizes& sizes) const {
  std::vector<Shape> out;
  for (const auto& axes : axes_) {
    Shape& shape = out.emplace_back();
    for (const Affine& axis : axes)
      shape.push_back(axis.is_number()
                          ? Extent(axis.offset)
                          : Extent(axis.scale) * Extent::symbol(axis.root, sizes.at(axis.root)) + Extent(axis.offset));
  }
  return out;
}

std::vector<Tensor> SizeState::tensors(const SymbolSizes& sizes) const {
  std::vector<Tensor> out;
  const std::vector<Dims> wanted = dims(sizes);
  for (size_t i = 0; i < given_.size(); ++i)
    out.push_back(given_[i].dims() == wanted[i] ? given_[i] : resized(given_[i], wanted[i]));
  return out;
}

SymbolSizes distinct_sizes(const SizeState& state, const SymbolSizes& preferred, const SymbolSizes& avoided) {
  std::set<int64_t> fixed, taken;
  for (const auto& axes : state.axes())
    for (const Affine& axis : axes)
      if (axis.is_number()) fixed.insert(axis.offset);
  SymbolSizes out;
  for (const std::string& label : state.live()) {
    const SizeRoot& root = state.root(label);
    const auto first = preferred.find(label);
    const auto other = avoided.find(label);
    std::vector<int64_t> candidates;
    if (first != preferred.end()) candidates.push_back(first->second);
    const int64_t from = std::max<int64_t>({root.example, root.range.min, 2});
    for (int64_t size = from; size <= from + kTries; ++size) candidates.push_back(size);
    for (int64_t size = from - 1; size >= std::max<int64_t>(2, from - kTries); --size) candidates.push_back(size);
    std::optional<int64_t> best;
    int least = 4;
    for (const int64_t size : candidates) {
      if (!fits(state, label, size)) continue;
      int faults = 0;
      for (const int64_t each : sizes_through(state, label, size)) {
        if (taken.contains(each)) faults |= 2;
        if (fixed.contains(each) && !(first != preferred.end() && size == first->second)) faults |= 1;
      }
      if (other != avoided.end() && other->second == size) faults |= 2;
      if (faults >= least) continue;
      least = faults;
      best = size;
    }
    out[label] = best.value_or(std::max<int64_t>(2, root.example));
    taken.merge(sizes_through(state, label, out[label]));
  }
  return out;
}

SymbolSizes recordable_examples(const SizeState& state) {
  SymbolSizes sizes = state.examples();
  const SymbolSizes distinct = distinct_sizes(state, sizes);
  for (auto& [label, size] : sizes)
    if (*sizes_through(state, label, size).begin() < 2) size = distinct.at(label);
  return sizes;
}

bool are_distinct(const SizeState& state, const SymbolSizes& sizes) {
  std::set<int64_t> taken;
  for (const auto& [label, size] : sizes) {
    if (!fits(state, label, size)) return false;
    for (const int64_t each : sizes_through(state, label, size))
      if (!taken.insert(each).second) return false;
  }
  return true;
}

}  // namespace onemodel
