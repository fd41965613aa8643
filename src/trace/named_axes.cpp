#include "trace/named_axes.h"

#include "trace/invalid_usage.h"

namespace onemodel {
namespace {

class NamedAxes {
 public:
  NamedAxes(const std::string& subject, const std::vector<TraceInput>& others, const Dims& dims)
      : subject_(subject), others_(others), shape_(dims) {}

  Shape shape(std::span<const std::string> names) {
    for (size_t axis = 0; axis < names.size(); ++axis)
      if (!names[axis].empty()) add(axis, names[axis]);
    return std::move(shape_);
  }

 private:
  void add(size_t axis, const std::string& name) {
    const size_t digits = name.find_first_not_of("0123456789");
    const bool has_factor = digits != name.npos && digits > 0 && digits < 9 && name[digits] == '*';
    const int64_t factor = has_factor ? std::stol(name) : 1, size = shape_[axis].number();
    const std::string symbol = has_factor ? name.substr(digits + 1) : name;
    const std::string named = concat("Tracer.input: axis ", axis, " of ", subject_, " is named '", name, "'");
    require(factor > 0 && !symbol.empty() && symbol.find_first_of("*+-/(), ") == symbol.npos &&
                !(symbol[0] >= '0' && symbol[0] <= '9'),
            named,
            "; a symbol does not begin with a digit and has none of * + - / ( ) , and space, which formulas of sizes "
            "have; a factor may come first (2*n)");
    require(size % factor == 0, named, " but has example size ", size, ", no multiple of ", factor);
    const Extent atom = Extent::symbol(symbol, size / factor);
    require(size / factor >= 2, named, " but has example size ", size, "; a symbol's example size must be at least 2");
    const Extent extent = atom * Extent(factor);
    for (const TraceInput& other : others_)
      for (const Extent& each : other.shape) check_apart(named, extent, each);
    for (size_t i = 0; i < axis; ++i) check_apart(named, extent, shape_[i]);
    shape_[axis] = extent;
  }

  // A symbol has one size, and neither it nor its multiple has that of another.
  void check_apart(const std::string& named, const Extent& extent, const Extent& other) const {
    const Extent symbol = extent.factors().front();
    for (const Extent& each : other.factors())
      require(!(each == symbol) || each.example() == symbol.example(), named, " and has example size ",
              extent.example().value_or(0), ", but '", symbol, "' cannot have example size ",
              each.example().value_or(0), " and ", symbol.example().value_or(0));
    const auto is_apart = [](const Extent& a, const Extent& b) { return a == b || a.example() != b.example(); };
    for (const Extent& each : other.factors())
      require(is_apart(symbol, each) && is_apart(extent, each) && is_apart(symbol, other) && is_apart(extent, other),
              named, " and has the same example size ", extent.example().value_or(0), " as the symbol '", other,
              "'; give them different sizes so that they can be told apart");
  }

  const std::string& subject_;
  const std::vector<TraceInput>& others_;
  Shape shape_;
};

}  // namespace

Shape shape_of_named_axes(const std::string& subject, const Dims& dims, std::span<const std::string> names,
                          const std::vector<TraceInput>& others) {
  return NamedAxes(subject, others, dims).shape(names);
}

}  // namespace onemodel
