#include "runtime/size_check.h"

#include <array>
#include <limits>
#include <unordered_map>

namespace onemodel {
namespace {

constexpr size_t kAnyRank = std::numeric_limits<size_t>::max();

std::string place(const ValueInfo& input, size_t axis) { return concat("input '", input.name, "', axis ", axis); }

}  // namespace

bool is_symbol(const Extent& extent) { return extent.coefficient() == 1 && extent.atoms().size() == 1; }

SizeCheck::SizeCheck(std::span<const ValueInfo> inputs, const SizeContract* contract) {
  std::unordered_map<std::string, int32_t> indices;
  const auto index_of = [&](const std::string& label) {
    const auto [at, is_new] = indices.try_emplace(label, static_cast<int32_t>(sizes_.size()));
    if (is_new) sizes_.push_back({.range = {.label = label, .max = {}}});
    return at->second;
  };
  const auto relate = [&](const SizeRelation& relation) {
    const auto derived = static_cast<size_t>(index_of(relation.label));
    const int32_t root = index_of(relation.root);
    if (sizes_[derived].root != kNoRoot) return;
    sizes_[derived].root = root;
    sizes_[derived].scale = relation.scale;
    sizes_[derived].offset = relation.offset;
  };
  if (contract) {
    for (const SizeRelation& relation : contract->relations) relate(relation);
    for (const SizeRange& range : contract->ranges) sizes_[static_cast<size_t>(index_of(range.label))].range = range;
  }
  for (const ValueInfo& input : inputs) {
    const bool is_tensor = input.holds == Holds::tensor;
    const size_t rank = is_tensor ? input.shape.rank() : 0;
    inputs_.push_back({input.dtype, input.has_rank ? rank : kAnyRank, is_tensor});
    for (size_t axis = 0; axis < rank; ++axis) {
      const Extent& extent = input.shape[axis];
      const bool is_size = !extent.is_number() && (contract || is_symbol(extent));
      if (const auto relation = is_size && contract ? stated_relation(extent) : std::nullopt) relate(*relation);
      axes_.push_back({is_size ? index_of(extent.text()) : extent.is_number() ? kFixed : kFree});
      if (extent.is_number()) axes_.back().number = extent.number();
    }
  }
}

int64_t SizeCheck::root_of(const Size& derived, int64_t size) {
  int64_t scaled;
  if (__builtin_sub_overflow(size, derived.offset, &scaled) || scaled < 0) return kUnknown;
  return scaled % derived.scale == 0 ? scaled / derived.scale : kUnknown;
}

bool SizeCheck::holds(std::span<const Tensor> tensors) const {
  std::array<int64_t, kInPlace> in_place;
  std::vector<int64_t> many(sizes_.size() > kInPlace ? sizes_.size() : 0);
  const std::span<int64_t> sizes = many.empty() ? std::span(in_place).first(sizes_.size()) : std::span(many);
  std::fill(sizes.begin(), sizes.end(), kUnknown);
  return holds(tensors, sizes);
}

bool SizeCheck::holds(std::span<const Tensor> tensors, std::span<int64_t> sizes) const {
  const Axis* axis = axes_.data();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Input& input = inputs_[i];
    if (!input.is_tensor) continue;
    const Tensor& tensor = tensors[i];
    if (!tensor.defined()) {
      if (input.rank != kAnyRank) axis += input.rank;
      continue;
    }
    if (tensor.dtype() != input.dtype) return false;
    if (input.rank == kAnyRank) continue;
    if (tensor.rank() != input.rank) return false;
    for (const int64_t got : tensor.dims()) {
      const Axis& expected = *axis++;
      if (expected.size == kFree) continue;
      int64_t known = expected.number;
      if (expected.size >= 0) {
        int64_t& size = sizes[static_cast<size_t>(expected.size)];
        known = size = size == kUnknown ? got : size;
      }
      if (known != got) return false;
    }
  }
  return relations_hold(sizes);
}

bool SizeCheck::relations_hold(std::span<int64_t> sizes) const {
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Size& size = sizes_[i];
    if (size.root == kNoRoot || sizes[i] == kUnknown) continue;
    int64_t& root = sizes[static_cast<size_t>(size.root)];
    const int64_t implied = root_of(size, sizes[i]);
    if (root == kUnknown) root = implied;
    if (implied == kUnknown || root != implied) return false;
  }
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != kUnknown && !sizes_[i].range.contains(sizes[i])) return false;
  return true;
}

std::vector<std::string> SizeCheck::problems(std::span<const Tensor> tensors, std::span<const ValueInfo> inputs) const {
  struct Site {
    int64_t size = kUnknown;
    std::string where = {};
  };
  std::vector<std::string> out;
  std::vector<Site> sites(sizes_.size());
  const Axis* axis = axes_.data();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Axis* const expected = axis;
    if (inputs_[i].rank != kAnyRank) axis += inputs_[i].rank;
    if (!inputs_[i].is_tensor || !tensors[i].defined()) continue;
    const Tensor& tensor = tensors[i];
    const TensorType type{inputs[i].dtype, inputs[i].shape};
    if (tensor.dtype() != inputs_[i].dtype)
      out.push_back(concat("input '", inputs[i].name, "': the element type must be ", inputs_[i].dtype, ", got ",
                           tensor.dtype()));
    if (inputs_[i].rank == kAnyRank) continue;
    if (tensor.rank() != inputs_[i].rank) {
      out.push_back(concat("input '", inputs[i].name, "': the rank must be ", inputs_[i].rank, " (", type, "), got ",
                           tensor.rank(), " (", tensor, ")"));
      continue;
    }
    for (size_t a = 0; a < tensor.rank(); ++a) {
      const int64_t got = tensor.dims()[a];
      if (expected[a].size == kFixed && got != expected[a].number)
        out.push_back(
            concat(place(inputs[i], a), ": the size is static and must be ", expected[a].number, ", got ", got));
      if (expected[a].size < 0) continue;
      Site& site = sites[static_cast<size_t>(expected[a].size)];
      if (site.where.empty())
        site = {got, place(inputs[i], a)};
      else if (site.size != got)
        out.push_back(concat("size '", sizes_[static_cast<size_t>(expected[a].size)].range.label,
                             "' must be one size: it is ", site.size, " at ", site.where, ", but ", got, " at ",
                             place(inputs[i], a)));
    }
  }
  const auto check_range = [&](const Site& site, const SizeRange& range) {
    if (!range.contains(site.size))
      out.push_back(
          concat(site.where, ": size '", range.label, "' must be in ", bounds_text(range), ", got ", site.size));
  };
  for (size_t i = 0; i < sites.size(); ++i)
    if (!sites[i].where.empty()) check_range(sites[i], sizes_[i].range);
  for (size_t i = 0; i < sites.size(); ++i) {
    const Size& size = sizes_[i];
    if (size.root == kNoRoot || sites[i].where.empty()) continue;
    const SizeRange& root_range = sizes_[static_cast<size_t>(size.root)].range;
    const std::string formula = concat(size.scale, " * ", root_range.label, size.offset < 0 ? " - " : " + ",
                                       size.offset < 0 ? -size.offset : size.offset);
    Site& root = sites[static_cast<size_t>(size.root)];
    const int64_t implied = root_of(size, sites[i].size);
    if (root.where.empty() && (implied == kUnknown || !root_range.contains(implied)))
      out.push_back(concat(sites[i].where, ": the size must be ", formula, " for some ", root_range.label, " in ",
                           bounds_text(root_range), ", got ", sites[i].size));
    else if (root.where.empty())
      root = {implied, sites[i].where};
    else if (root.size != implied)
      out.push_back(concat(sites[i].where, ": the size must be ", formula, " = ",
                           Extent(size.scale) * Extent(root.size) + Extent(size.offset), ", since ", root_range.label,
                           " is ", root.size, " at ", root.where, ", got ", sites[i].size));
  }
  return out;
}

}  // namespace onemodel
