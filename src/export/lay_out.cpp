#include <algorithm>
#include <charconv>
#include <map>

#include "export/dim_solver.h"
#include "export/dynamic_shapes.h"
#include "export/message_parts.h"

namespace onemodel {
namespace {

std::string what_is(const ShapeSpec& spec) {
  if (spec.kind == ShapeSpec::list) return concat("a list of ", spec.children.size());
  if (spec.kind == ShapeSpec::dict) return concat("entries for ", quoted_list(spec.keys));
  return entry_text(spec.value);
}

/// Walks arguments and specification side by side.
class Layout {
 public:
  void add(const ShapeSpec& spec, std::span<const NamedArgument> arguments) {
    leaves_ = tensor_leaves(arguments);
    std::vector<std::string> names;
    for (const NamedArgument& argument : arguments) names.push_back(argument.name);
    const std::vector<ShapeSpec> parts = parts_of(spec, names, "the arguments");
    for (size_t i = 0; i < arguments.size(); ++i) add(parts[i], arguments[i].value, arguments[i].name);
  }

  std::vector<InputSizes> finish() {
    for (const auto& [name, uses] : declared_) {
      const auto& [first_site, first] = uses.front();
      for (const auto& [site, dim] : uses)
        if (!(dim.root_range() == first.root_range()))
          problems_.push_back(concat("the name '", name, "' has two ranges: ", first.root().declaration(), " at ",
                                     first_site, " and ", dim.root().declaration(), " at ", site, "; expected one"));
    }
    if (problems_.empty()) return std::move(out_);
    std::string message = "the specification of dynamic shapes does not fit the arguments:";
    for (const std::string& problem : problems_) message += "\n  " + problem;
    throw ArgumentError(std::move(message));
  }

 private:
  // A part per name; where the specification says nothing, or something wrong, everything is static.
  std::vector<ShapeSpec> parts_of(const ShapeSpec& spec, const std::vector<std::string>& names, const std::string& of) {
    std::vector<ShapeSpec> out(names.size());
    if (spec.is_nothing()) return out;
    if (spec.kind == ShapeSpec::entry) {
      problems_.push_back(
          concat(of, ": got ", what_is(spec), ", expected null, a list or entries for ", quoted_list(names)));
    } else if (spec.kind == ShapeSpec::list) {
      if (spec.children.size() != names.size())
        problems_.push_back(concat(of, ": got a list of ", spec.children.size(), ", expected one of ", names.size()));
      std::copy_n(spec.children.begin(), std::min(out.size(), spec.children.size()), out.begin());
    } else {
      for (size_t i = 0; i < spec.keys.size(); ++i) {
        const auto at = std::ranges::find(names, spec.keys[i]);
        if (at == names.end())
          problems_.push_back(concat(of, ": got '", spec.keys[i], "', expected one of ", quoted_list(names)));
        else
          out[static_cast<size_t>(at - names.begin())] = spec.children[i];
      }
    }
    return out;
  }

  void add(const ShapeSpec& spec, const Argument& argument, const std::string& name) {
    if (argument.kind != ArgumentKind::leaf) {
      std::vector<std::string> keys = argument.keys;
      if (argument.kind == ArgumentKind::list)
        for (size_t i = 0; i < argument.children.size(); ++i) keys.push_back(std::to_string(i));
      const std::vector<ShapeSpec> parts = parts_of(spec, keys, concat("input '", name, "'"));
      for (size_t i = 0; i < keys.size(); ++i) add(parts[i], argument.children[i], concat(name, '_', keys[i]));
      return;
    }
    if (std::holds_alternative<Tensor>(argument.value))
      add_tensor(spec, leaves_[out_.size()]);
    else if (!spec.is_nothing())
      problems_.push_back(concat("input '", name, "': got ", what_is(spec), " for what is no tensor, expected null"));
  }

  void add_tensor(const ShapeSpec& spec, const TensorLeaf& leaf) {
    const auto& [name, tensor] = leaf;
    InputSizes& input = out_.emplace_back(InputSizes{name, tensor, std::vector<SizeEntry>(tensor.rank())});
    const std::string of = concat("input '", name, "'");
    const auto allowed = [&] {
      return concat("expected axes 0 to ", static_cast<int64_t>(leaf.tensor.rank()) - 1, " of ", leaf.tensor);
    };
    if (spec.is_nothing()) return;
    if (spec.kind == ShapeSpec::entry) {
      problems_.push_back(concat(of, ": got ", what_is(spec), ", expected null, a list with an entry per axis of ",
                                 tensor, ", or entries by axis"));
    } else if (spec.kind == ShapeSpec::list) {
      if (spec.children.size() > tensor.rank())
        problems_.push_back(concat(of, ": got a list of ", spec.children.size(), " entries, ", allowed()));
      else if (spec.children.size() < tensor.rank())
        problems_.push_back(
            concat(of, ": got a list of ", spec.children.size(), " entries, expected one per axis of ", tensor));
      for (size_t i = 0; i < std::min(spec.children.size(), tensor.rank()); ++i) set(input, i, spec.children[i]);
    } else {
      for (size_t i = 0; i < spec.keys.size(); ++i) {
        int64_t axis = -1;
        const std::string& key = spec.keys[i];
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), axis);
        const bool is_axis = error == std::errc() && end == key.data() + key.size() && axis >= 0 &&
                             axis < static_cast<int64_t>(tensor.rank());
        if (is_axis)
          set(input, static_cast<size_t>(axis), spec.children[i]);
        else
          problems_.push_back(concat(of, ": got axis ", key, ", ", allowed()));
      }
    }
  }

  void set(InputSizes& input, size_t axis, const ShapeSpec& spec) {
    const int64_t size = input.example.dims()[axis];
    const std::string of = site_text({input.name, axis, size});
    if (spec.kind != ShapeSpec::entry) {
      problems_.push_back(concat(of, ": got ", what_is(spec), ", expected an integer, a Dim, a hint or null"));
      return;
    }
    input.entries[axis] = spec.value;
    if (const auto* number = std::get_if<int64_t>(&spec.value); number && *number != size)
      problems_.push_back(
          concat(of, ": got the static size ", *number, ", expected ", size, ", that of the example ", input.example));
    if (const auto* hint = std::get_if<SizeHint>(&spec.value))
      if (const SizeRange range{"", hint->min, hint->max}; !range.contains(size))
        problems_.push_back(concat(of, ": the example has the size ", size, ", expected one in ", bounds_text(range),
                                   " as ", hint->text(), " says"));
    if (const auto* dim = std::get_if<Dim>(&spec.value)) declared_[dim->name()].emplace_back(of, *dim);
  }

  std::vector<TensorLeaf> leaves_;
  std::vector<InputSizes> out_;
  std::vector<std::string> problems_;
  std::map<std::string, std::vector<std::pair<std::string, Dim>>> declared_;  // with the site of each
};

}  // namespace

ShapeSpec ShapeSpec::of(std::vector<ShapeSpec> children) {
  ShapeSpec out;
  out.kind = list;
  out.children = std::move(children);
  return out;
}

ShapeSpec ShapeSpec::by_name(std::vector<std::pair<std::string, ShapeSpec>> parts) {
  ShapeSpec out;
  out.kind = dict;
  for (auto& [key, part] : parts) {
    check(std::ranges::find(out.keys, key) == out.keys.end(), "a specification has '", key, "' twice");
    out.keys.push_back(std::move(key));
    out.children.push_back(std::move(part));
  }
  return out;
}

ShapeSpec ShapeSpec::axes(std::vector<std::pair<int64_t, ShapeSpec>> entries) {
  std::vector<std::pair<std::string, ShapeSpec>> parts;
  for (auto& [axis, entry] : entries) parts.emplace_back(std::to_string(axis), std::move(entry));
  return by_name(std::move(parts));
}

void declare(std::span<const InputSizes> inputs, DimSolver& solver) {
  for (const InputSizes& input : inputs)
    for (size_t axis = 0; axis < input.entries.size(); ++axis) {
      const auto* dim = std::get_if<Dim>(&input.entries[axis]);
      if (!dim) continue;
      solver.add_range(dim->root_range());
      if (dim->is_derived()) solver.add_relation({dim->text(), dim->name(), dim->scale(), dim->offset()});
      solver.add_site(dim->text(), {input.name, axis, input.example.dims()[axis]});
    }
}

std::vector<InputSizes> lay_out(const ShapeSpec& spec, std::span<const NamedArgument> arguments) {
  Layout layout;
  layout.add(spec, arguments);
  std::vector<InputSizes> out = layout.finish();
  DimSolver solver;
  declare(out, solver);
  if (const auto problems = solver.problems(); !problems.empty())
    throw_problems("the example does not fit the declared sizes:", problems);
  return out;
}

}  // namespace onemodel
