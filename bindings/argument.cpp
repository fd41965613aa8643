#include "bindings/argument.h"

#include <cmath>

#include "bindings/handles.h"

namespace onemodel::bindings {

using emscripten::val;

namespace {

int64_t integer(const val& number) { return static_cast<int64_t>(number.as<double>()); }

std::optional<int64_t> bound(const val& number) {
  return number.isNull() ? std::nullopt : std::optional(integer(number));
}

val number(int64_t value) { return val(static_cast<double>(value)); }

val number(const std::optional<int64_t>& value) { return value ? number(*value) : val::null(); }

/// [first, rest…]
template <class... Parts>
val tagged(int kind, const Parts&... parts) {
  val out = val::array();
  out.call<void>("push", kind);
  (out.call<void>("push", parts), ...);
  return out;
}

val strings(const std::vector<std::string>& list) { return val::array(list); }

ArgumentLeaf leaf_from(int kind, const val& value) {
  switch (kind) {
    case 1: return tensors().get(value.as<uint32_t>());
    case 2: return value.as<bool>();
    case 3: return integer(value);
    case 4: return value.as<double>();
    case 5: return value.as<std::string>();
    default: return {};
  }
}

val leaf_to_script(const ArgumentLeaf& leaf) {
  const auto kind = static_cast<int>(leaf.index());
  if (const auto* tensor = std::get_if<Tensor>(&leaf)) return tagged(kind, tensors().add(*tensor));
  if (const auto* flag = std::get_if<bool>(&leaf)) return tagged(kind, *flag);
  if (const auto* whole = std::get_if<int64_t>(&leaf)) return tagged(kind, number(*whole));
  if (const auto* real = std::get_if<double>(&leaf)) return tagged(kind, *real);
  if (const auto* text = std::get_if<std::string>(&leaf)) return tagged(kind, *text);
  return tagged(kind);
}

}  // namespace

Argument argument_from(const val& encoded) {
  const int kind = encoded[0].as<int>();
  if (kind < 6) return leaf_from(kind, encoded[1]);
  Argument out;
  out.kind = kind == 6 ? ArgumentKind::list : ArgumentKind::dict;
  if (kind == 7) out.keys = emscripten::vecFromJSArray<std::string>(encoded[1]);
  out.children = from_list(encoded[kind == 6 ? 1 : 2], argument_from);
  return out;
}

val to_script(const Argument& argument) {
  if (argument.kind == ArgumentKind::leaf) return leaf_to_script(argument.value);
  const val parts = list_of(argument.children, [](const Argument& child) { return to_script(child); });
  return argument.kind == ArgumentKind::list ? tagged(6, parts) : tagged(7, strings(argument.keys), parts);
}

std::vector<NamedArgument> named_arguments_from(const val& list) {
  return from_list(list, [](const val& entry) {
    return NamedArgument{entry[0].as<std::string>(), argument_from(entry[1])};
  });
}

ShapeSpec shapes_from(const val& encoded) {
  const int kind = encoded[0].as<int>();
  if (kind == 1) return integer(encoded[1]);
  if (kind == 2)
    return Dim(encoded[1].as<std::string>(), integer(encoded[2]), bound(encoded[3]))
        .derived(integer(encoded[4]), integer(encoded[5]));
  if (kind == 3)
    return SizeHint{static_cast<SizeHint::Kind>(encoded[1].as<int>()), integer(encoded[2]), bound(encoded[3])};
  ShapeSpec out;
  if (kind < 4) return out;
  out.kind = kind == 4 ? ShapeSpec::list : ShapeSpec::dict;
  if (kind == 5) out.keys = emscripten::vecFromJSArray<std::string>(encoded[1]);
  out.children = from_list(encoded[kind == 4 ? 1 : 2], shapes_from);
  return out;
}

val to_script(const ShapeSpec& shapes) {
  const val parts = list_of(shapes.children, [](const ShapeSpec& child) { return to_script(child); });
  if (shapes.kind == ShapeSpec::list) return tagged(4, parts);
  if (shapes.kind == ShapeSpec::dict) return tagged(5, strings(shapes.keys), parts);
  if (const auto* size = std::get_if<int64_t>(&shapes.value)) return tagged(1, number(*size));
  if (const auto* dim = std::get_if<Dim>(&shapes.value)) {
    const SizeRange range = dim->root_range();
    return tagged(2, dim->name(), number(range.min), number(range.max), number(dim->scale()), number(dim->offset()));
  }
  if (const auto* hint = std::get_if<SizeHint>(&shapes.value))
    return tagged(3, static_cast<int>(hint->kind), number(hint->min), number(hint->max));
  return tagged(0);
}

val to_script(const Structure& structure) {
  if (structure.kind == ArgumentKind::leaf) return val("*");
  const val parts = list_of(structure.children, [](const Structure& child) { return to_script(child); });
  if (structure.kind == ArgumentKind::list) return parts;
  val entries = val::array();  // "__proto__" is a key as others are
  for (size_t i = 0; i < structure.keys.size(); ++i) {
    val entry = val::array();
    entry.call<void>("push", structure.keys[i]);
    entry.call<void>("push", parts[i]);
    entries.call<void>("push", entry);
  }
  return val::global("Object").call<val>("fromEntries", entries);
}

}  // namespace onemodel::bindings
