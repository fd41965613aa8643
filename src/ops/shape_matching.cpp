#include "ops/shape_matching.h"

#include <algorithm>

namespace onemodel {
namespace {

// Extents [begin, end) of the input that have as many elements as extents [to_begin, to_end) of the
// target.
struct Group {
  size_t begin, end, to_begin, to_end;
};

int64_t size_of(const Extent& extent) { return *extent.example(); }

// A declared symbol is given an example size to be known by; a size that an operator made, which has a formula for a
// name, has the one that comes out.
bool is_declared(const Extent& extent) { return extent.text().find_first_of("*+-/( ") == std::string::npos; }

// All ways to give the atoms of a group to the extents of its target.
class Readings {
 public:
  Readings(std::vector<Extent> atoms, std::vector<int64_t> sizes)
      : atoms_(std::move(atoms)), left_(sizes), shape_(std::vector<Extent>(sizes.begin(), sizes.end())) {
    for (Extent& extent : shape_) extent = 1;
    place(0);
  }

  /// The distinct readings, and those of them that make up the most of their atoms completely.
  std::vector<Shape> all, best;

 private:
  void place(size_t next) {
    if (next == atoms_.size()) return finish();
    const int64_t size = size_of(atoms_[next]);
    for (size_t i = 0; i < left_.size(); ++i) {
      if (left_[i] % size != 0) continue;
      const Extent before = shape_[i];
      left_[i] /= size;
      shape_[i] = shape_[i] * atoms_[next];
      place(next + 1);
      left_[i] *= size;
      shape_[i] = before;
    }
  }

  void finish() {
    size_t complete = 0;
    Shape reading;
    for (size_t i = 0; i < left_.size(); ++i) {
      if (left_[i] == 1) complete += shape_[i].atoms().size();
      reading.push_back(shape_[i] * left_[i]);
    }
    if (std::find(all.begin(), all.end(), reading) != all.end()) return;
    all.push_back(reading);
    if (complete > most_ || best.empty()) best.clear();
    if (complete >= most_ || best.empty()) {
      most_ = complete;
      best.push_back(std::move(reading));
    }
  }

  std::vector<Extent> atoms_;
  std::vector<int64_t> left_;  // of each extent: its size over the atoms it has
  Shape shape_;
  size_t most_ = 0;
};

std::string mapping(const Shape& from, const Shape& target) {
  return concat("reshape of ", from, " to ", target, ": ");
}

class ReshapeMatcher {
 public:
  ReshapeMatcher(const Shape& from, const Shape& target) : from_(from), target_(target), result_(target) {}

  ShapeMatch run() {
    size_t begin = 0, to_begin = 0;
    size_t end = from_.rank(), to_end = target_.rank();
    // Equal sizes at either end belong together, also when they are 1.
    while (begin < end && to_begin < to_end && pair(begin, to_begin)) ++begin, ++to_begin;
    while (begin < end && to_begin < to_end && pair(end - 1, to_end - 1)) --end, --to_end;
    while (problem_.empty() && (begin < end || to_begin < to_end)) {
      const Group group = take_group(begin, end, to_begin, to_end);
      match(group);
      begin = group.end;
      to_begin = group.to_end;
    }
    if (!problem_.empty()) return {{}, mapping(from_, target_) + problem_, {}};
    return {std::move(result_), {}, std::move(warnings_)};
  }

 private:
  bool pair(size_t i, size_t j) {
    if (size_of(from_[i]) != size_of(target_[j])) return false;
    set(j, from_[i]);
    return true;
  }

  void set(size_t j, const Extent& extent) {
    if (!target_[j].is_number() && !(target_[j] == extent))
      problem_ = concat("axis ", j, " is ", target_[j], " but holds ", extent, "; they are equal in the example only");
    result_[j] = extent;
  }

  // The smallest group from here on; extents of 1 join the group before.
  Group take_group(size_t begin, size_t end, size_t to_begin, size_t to_end) const {
    Group group{begin, begin, to_begin, to_begin};
    int64_t left = 1, right = 1;
    while (left != right || group.end == begin || group.to_end == to_begin) {
      const bool can_left = group.end < end, can_right = group.to_end < to_end;
      if (can_left && (left < right || group.end == begin || !can_right))
        left *= size_of(from_[group.end++]);
      else if (can_right)
        right *= size_of(target_[group.to_end++]);
      else
        break;
    }
    while (group.end < end && size_of(from_[group.end]) == 1) ++group.end;
    while (group.to_end < to_end && size_of(target_[group.to_end]) == 1) ++group.to_end;
    return group;
  }

  void match(const Group& group) {
    Extent held = 1;
    for (size_t i = group.begin; i < group.end; ++i) held = held * from_[i];
    // Extents of 1 hold nothing, symbolic ones what they say; the others share the rest.
    std::vector<size_t> open;
    std::vector<int64_t> sizes;
    for (size_t j = group.to_begin; j < group.to_end; ++j) {
      const Extent& extent = target_[j];
      if (extent == 1) continue;
      if (extent.is_number()) {
        open.push_back(j);
        sizes.push_back(extent.number());
      } else if (const auto rest = exact_div(held, extent)) {
        held = *rest;
      } else {
        problem_ = concat("axis ", j, " is ", extent, ", which ", held, " does not contain");
        return;
      }
    }
    if (held.is_number()) return;
    if (open.size() == 1) return set(open[0], held);
    const std::vector<Extent> atoms = held.factors();
    for (const Extent& atom : atoms) {
      if (size_of(atom) > 1) continue;
      problem_ = concat("the size of ", atom,
                        " is 1 in the example and could be part of any extent; trace with a "
                        "larger example");
      return;
    }
    choose(group, held, atoms, open, sizes);
  }

  void choose(const Group& group, const Extent& held, const std::vector<Extent>& atoms, const std::vector<size_t>& open,
              const std::vector<int64_t>& sizes) {
    const Readings readings(atoms, sizes);
    const Shape part(std::vector<Extent>(target_.begin() + static_cast<std::ptrdiff_t>(group.to_begin),
                                         target_.begin() + static_cast<std::ptrdiff_t>(group.to_end)));
    std::string examples;
    for (const Extent& atom : atoms) examples += concat(examples.empty() ? "" : ", ", atom, " = ", size_of(atom));
    const bool declared = std::ranges::all_of(atoms, is_declared);
    const std::vector<Shape>& rivals = declared ? readings.best : readings.all;
    if (readings.all.empty()) {
      problem_ = concat(held, " (", examples, " in the example) cannot be split into ", part,
                        ": every symbol must stay whole");
    } else if (rivals.size() > 1) {
      problem_ = concat(part, " can be read as ", rivals[0], " or ", rivals[1], " (", examples,
                        " in the example); choose example sizes that differ from the fixed ones");
    } else {
      if (readings.all.size() > 1)
        warnings_.push_back(concat(mapping(from_, target_), part, " was read as ", readings.best[0], " (", examples,
                                   " in the example); other readings are possible"));
      for (size_t k = 0; k < open.size(); ++k) set(open[k], readings.best[0][k]);
    }
  }

  const Shape &from_, &target_;
  Shape result_;
  std::string problem_;
  std::vector<std::string> warnings_;
};

// What an extent that nothing in the input tells about can be: itself or, a number, an extent of that example size.
std::vector<Extent> readings_of(const Extent& want, std::span<const Extent> known) {
  std::vector<Extent> readings;
  bool declared = false;
  for (const Extent& extent : known) {
    if (!want.is_number() || extent.example() != want.number()) continue;
    declared |= is_declared(extent);
    readings.push_back(extent);
  }
  if (!declared) readings.insert(readings.begin(), want);
  return readings;
}

}  // namespace

ShapeMatch match_reshape(const Shape& from, const Shape& target) {
  if (!target.is_concrete() && target.numel() == from.numel()) return {target, {}, {}};
  bool is_empty = false, is_same = from.rank() == target.rank();
  for (size_t i = 0; i < from.rank(); ++i) {
    is_empty |= size_of(from[i]) == 0;
    is_same = is_same && size_of(from[i]) == size_of(target[i]);
  }
  if (is_empty && !is_same)
    return {{}, concat(mapping(from, target), "the example has no elements, so sizes cannot be told apart"), {}};
  return ReshapeMatcher(from, target).run();
}

ShapeMatch match_expand(const Shape& from, const Shape& target, std::span<const Extent> known) {
  const std::string call = concat("expand of ", from, " to ", target, ": ");
  const auto refuse = [&](size_t axis, const Extent& a, const Extent& b, std::string_view why) {
    return ShapeMatch{{}, concat(call, "axis ", axis, " has ", a, " and ", b, ", ", why), {}};
  };
  ShapeMatch match;
  Shape out = from.rank() > target.rank() ? from : target;
  const size_t lead = out.rank() - from.rank(), to_lead = out.rank() - target.rank();
  for (size_t axis = 0; axis < out.rank(); ++axis) {
    const Extent have = axis < lead ? Extent(1) : from[axis - lead];
    const Extent want = axis < to_lead ? Extent(1) : target[axis - to_lead];
    if (have == want || want == 1 || (want.is_number() && have.example() == want.number())) {
      out[axis] = have;
    } else if (have == 1) {
      const std::vector<Extent> readings = readings_of(want, known);
      if (readings.size() > 1)
        return {{},
                concat(call, want, " at axis ", axis, " can be read as ", readings[0], " or ", readings[1],
                       "; choose example sizes that differ"),
                {}};
      out[axis] = readings[0];
      if (!(out[axis] == want))
        match.warnings.push_back(concat(call, want, " at axis ", axis, " was read as ", out[axis],
                                        ", whose example size it is; it could be fixed"));
    } else if (have.example() == want.example()) {
      return refuse(axis, have, want, "which are equal in the example only");
    } else {
      return refuse(axis, have, want, "which do not broadcast");
    }
  }
  match.shape = std::move(out);
  return match;
}

}  // namespace onemodel
