#include "export/dim_solver.h"

#include <algorithm>

namespace onemodel {
namespace {

bool is_empty(const SizeRange& range) { return range.max && *range.max < range.min; }

SizeRange intersection(SizeRange a, const SizeRange& b) {
  a.min = std::max(a.min, b.min);
  if (b.max) a.max = a.max ? std::min(*a.max, *b.max) : *b.max;
  return a;
}

std::string formula(const SizeRelation& relation) {
  return size_formula(relation.root, relation.scale, relation.offset);
}

SizeRange image(const SizeRange& root, const SizeRelation& relation) {
  SizeRange out{formula(relation), relation.scale * root.min + relation.offset, {}};
  if (root.max) out.max = relation.scale * *root.max + relation.offset;
  return out;
}

}  // namespace

std::string site_text(const SizeSite& site) { return concat("input '", site.input, "', axis ", site.axis); }

void throw_problems(std::string_view head, const std::vector<std::string>& problems) {
  std::string message(head);
  for (const std::string& problem : problems) message += "\n  " + problem;
  throw ConstraintsError(std::move(message));
}

DimSolver::Name& DimSolver::name_of(std::string_view label) {
  const auto [at, is_new] = names_.try_emplace(std::string(label));
  if (is_new) order_.emplace_back(label);
  return at->second;
}

const DimSolver::Name* DimSolver::find(std::string_view label) const {
  const auto at = names_.find(label);
  return at == names_.end() ? nullptr : &at->second;
}

void DimSolver::add_range(const SizeRange& range) {
  auto& ranges = name_of(range.label).ranges;
  if (std::ranges::find(ranges, range) == ranges.end()) ranges.push_back(range);
}

void DimSolver::add_relation(const SizeRelation& relation) {
  name_of(relation.root);
  auto& relations = name_of(relation.label).relations;
  if (std::ranges::find(relations, relation) == relations.end()) relations.push_back(relation);
}

void DimSolver::add_site(std::string_view label, SizeSite site) { name_of(label).sites.push_back(std::move(site)); }

SizeRange DimSolver::interval(std::string_view label) const {
  SizeRange out{std::string(label), 0, {}};
  if (const Name* name = find(label))
    for (const SizeRange& range : name->ranges) out = intersection(std::move(out), range);
  return out;
}

void DimSolver::check_sites(const std::string& label, const Name& name, std::vector<std::string>& out) const {
  const SizeRange range = interval(label);
  if (is_empty(range))
    for (size_t i = 1; i < name.ranges.size(); ++i)
      if (is_empty(intersection(name.ranges[0], name.ranges[i])) || i + 1 == name.ranges.size()) {
        out.push_back(concat("size '", label, "' is to be in ", bounds_text(name.ranges[0]), " and in ",
                             bounds_text(name.ranges[i]), ", which have no common value"));
        break;
      }
  for (size_t i = 0; i < name.sites.size(); ++i) {
    const SizeSite& site = name.sites[i];
    if (site.example != name.sites[0].example)
      out.push_back(concat("size '", label, "' is ", name.sites[0].example, " at ", site_text(name.sites[0]), ", but ",
                           site.example, " at ", site_text(site)));
    if (!is_empty(range) && !range.contains(site.example))
      out.push_back(concat("size '", label, "' is ", site.example, " at ", site_text(site), ", expected one in ",
                           bounds_text(range)));
  }
}

void DimSolver::check_relation(const std::string& label, const Name& name, std::vector<std::string>& out) const {
  for (size_t i = 1; i < name.relations.size(); ++i)
    out.push_back(concat("size '", label, "' has two relations: ", formula(name.relations[0]), " and ",
                         formula(name.relations[i])));
  if (name.relations.empty()) return;
  const SizeRelation& relation = name.relations[0];
  const Name* root = find(relation.root);
  if (root && !root->relations.empty()) {
    out.push_back(concat("size '", relation.root, "' is the root of ", formula(relation), " and is itself derived, as ",
                         formula(root->relations[0])));
    return;
  }
  const SizeRange own = interval(label), root_range = interval(relation.root);
  const SizeRange reachable = image(root_range, relation);
  if (!is_empty(own) && !is_empty(root_range) && is_empty(intersection(own, reachable)))
    out.push_back(concat("size '", label, "' is to be in ", bounds_text(own), ", but ", reachable.label, " is in ",
                         bounds_text(reachable)));
  if (name.sites.empty()) return;
  const SizeSite& site = name.sites[0];
  const int64_t scaled = site.example - relation.offset;
  if (root && !root->sites.empty()) {
    const SizeSite& from = root->sites[0];
    if (scaled != relation.scale * from.example)
      out.push_back(concat(site_text(site), " has the size ", site.example, ", expected ", formula(relation), " = ",
                           relation.scale * from.example + relation.offset, ", since ", relation.root, " is ",
                           from.example, " at ", site_text(from)));
  } else if (scaled % relation.scale != 0 || !root_range.contains(scaled / relation.scale)) {
    out.push_back(concat(site_text(site), " has the size ", site.example, ", which is not ", formula(relation),
                         " for any ", relation.root, " in ", bounds_text(root_range)));
  }
}

std::vector<std::string> DimSolver::problems() const {
  std::vector<std::string> out;
  for (const std::string& label : order_) {
    check_sites(label, *find(label), out);
    check_relation(label, *find(label), out);
  }
  return out;
}

SizeContract DimSolver::solve() const {
  if (const auto found = problems(); !found.empty()) throw_problems("the declared sizes contradict each other:", found);
  SizeContract out;
  for (const std::string& label : order_) {
    const Name& name = *find(label);
    if (const SizeRange range = interval(label); range.min > 0 || range.max) out.ranges.push_back(range);
    if (!name.relations.empty()) out.relations.push_back(name.relations[0]);
  }
  return out;
}

}  // namespace onemodel
