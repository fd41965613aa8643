#include <algorithm>
#include <map>

#include "export/suggest.h"

namespace onemodel {
namespace {

class Refinement {
 public:
  Refinement(std::vector<SizeFix> fixes, const ShapeSpec& spec) : fixes_(std::move(fixes)), used_(fixes_.size()) {
    for (const SizeFix& fix : fixes_)
      if (const auto* dim = std::get_if<Dim>(&fix.entry)) {
        if (!dim->is_derived() && dim->name() == fix.label)
          roots_.insert_or_assign(dim->name(), *dim);
        else
          needed_.push_back(dim->name());
      }
    find_roots(spec);
  }

  ShapeSpec run(const ShapeSpec& spec, std::span<const std::string> argument_names) {
    ShapeSpec out = spec;
    const size_t count = out.children.size();
    const auto name = [&](size_t i) {
      if (out.kind == ShapeSpec::dict) return out.keys[i];
      if (i < argument_names.size()) return argument_names[i];
      return count == 1 ? std::string("input") : concat("input_", i);  // as tensor_arguments names them
    };
    for (size_t i = 0; i < count; ++i) walk(out.children[i], name(i));
    for (size_t i = 0; i < fixes_.size(); ++i)
      check(used_[i] || is_new_root(fixes_[i]), "suggested fix '", to_string(fixes_[i]),
            "': the specification has no size '", fixes_[i].label, "'");
    return out;
  }

 private:
  // What another fix derives a size from need not stand anywhere else.
  bool is_new_root(const SizeFix& fix) const {
    return std::ranges::find(needed_, fix.label) != needed_.end() && std::holds_alternative<Dim>(fix.entry);
  }

  void find_roots(const ShapeSpec& spec) {
    if (const auto* dim = std::get_if<Dim>(&spec.value)) roots_.try_emplace(dim->name(), dim->root());
    for (const ShapeSpec& child : spec.children) find_roots(child);
  }

  // `path`: the names down to here, the axis last.
  void walk(ShapeSpec& spec, const std::string& path) {
    for (size_t i = 0; i < spec.children.size(); ++i) {
      const std::string part = spec.kind == ShapeSpec::dict ? spec.keys[i] : std::to_string(i);
      const bool is_axis = spec.children[i].kind == ShapeSpec::entry;
      walk(spec.children[i], concat(path, is_axis ? "_dim_" : "_", part));
    }
    if (const auto* hint = std::get_if<SizeHint>(&spec.value)) {
      if (const auto entry = mended(path)) {
        spec.value = *entry;
      } else if (std::ranges::find(needed_, path) != needed_.end()) {
        roots_.try_emplace(path, Dim(path, hint->min, hint->max));
        spec.value = roots_.at(path);
      }
    } else if (const auto* dim = std::get_if<Dim>(&spec.value)) {
      const auto entry = mended(dim->name());
      if (!entry) return;
      if (const auto* number = std::get_if<int64_t>(&*entry))
        spec.value = dim->at(*number);
      else
        spec.value = std::get<Dim>(*entry).derived(dim->scale(), dim->offset());
    }
  }

  // What takes the place of `label`, if a fix says so. A size derived from one that is itself mended follows it.
  std::optional<SizeEntry> mended(const std::string& label, size_t depth = 0) {
    for (size_t i = 0; i < fixes_.size(); ++i) {
      if (fixes_[i].label != label) continue;
      used_[i] = true;
      const auto* dim = std::get_if<Dim>(&fixes_[i].entry);
      if (!dim || dim->name() == label) return fixes_[i].entry;
      check(depth < fixes_.size(), "suggested fix '", to_string(fixes_[i]),
            "': the fixes derive sizes from one another");
      if (const auto further = mended(dim->name(), depth + 1); further && !declares(dim->name())) {
        if (const auto* number = std::get_if<int64_t>(&*further)) return SizeEntry(dim->at(*number));
        return SizeEntry(std::get<Dim>(*further).derived(dim->scale(), dim->offset()));
      }
      const auto root = roots_.try_emplace(dim->name(), dim->root()).first->second;
      return SizeEntry(root.derived(dim->scale(), dim->offset()));
    }
    return {};
  }

  bool declares(const std::string& label) const {
    return std::ranges::any_of(fixes_, [&](const SizeFix& fix) {
      const auto* dim = std::get_if<Dim>(&fix.entry);
      return fix.label == label && dim && !dim->is_derived() && dim->name() == label;
    });
  }

  std::vector<SizeFix> fixes_;
  std::vector<bool> used_;
  std::map<std::string, Dim> roots_;
  std::vector<std::string> needed_;  // roots of derived sizes
};

}  // namespace

ShapeSpec refine_dynamic_shapes(std::string_view message, const ShapeSpec& spec,
                                std::span<const std::string> argument_names) {
  std::vector<SizeFix> fixes = suggested_fixes(message);
  check(!fixes.empty(), "the message suggests no fixes");
  return Refinement(std::move(fixes), spec).run(spec, argument_names);
}

}  // namespace onemodel
