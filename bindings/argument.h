#pragma once
// Nested arguments, specifications of sizes and structures between script and C++.

#include <emscripten/val.h>

#include <string>
#include <type_traits>
#include <vector>

#include "export/dynamic_shapes.h"
#include "export/structure.h"

namespace onemodel::bindings {

/// [0] nothing; [1, handle]; [2, boolean]; [3, integer]; [4, real]; [5, text]; [6, parts]; [7, keys, parts].
Argument argument_from(const emscripten::val& encoded);
/// The same, with a new handle for each tensor.
emscripten::val to_script(const Argument& argument);
/// [[name, argument], …]
std::vector<NamedArgument> named_arguments_from(const emscripten::val& list);

/// [0] nothing; [1, size]; [2, name, min, max, scale, offset]; [3, kind of hint, min, max]; [4, parts]; [5, keys, parts].
/// A `max` that is null: none.
ShapeSpec shapes_from(const emscripten::val& encoded);
emscripten::val to_script(const ShapeSpec& shapes);

/// "*", [parts] or {key: part}.
emscripten::val to_script(const Structure& structure);

/// A list of what `make` gives for each element.
template <class T, class F>
emscripten::val list_of(const std::vector<T>& elements, F make) {
  emscripten::val out = emscripten::val::array();
  for (const T& element : elements) out.call<void>("push", make(element));
  return out;
}
/// What `make` gives for each element of a list.
template <class F>
auto from_list(const emscripten::val& list, F make) -> std::vector<std::remove_cvref_t<decltype(make(list))>> {
  std::vector<std::remove_cvref_t<decltype(make(list))>> out;
  for (int i = 0, n = list["length"].as<int>(); i < n; ++i) out.push_back(make(list[i]));
  return out;
}

}  // namespace onemodel::bindings
