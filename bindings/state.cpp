#include "bindings/state.h"

#include "bindings/handles.h"

namespace onemodel::bindings {

using emscripten::val;

val record() { return val::global("Object").call<val>("create", val::null()); }

val state_to_script(const std::map<std::string, Tensor>& state) {
  val out = record();
  for (const auto& [name, tensor] : state) out.set(name, tensors().add(tensor));
  return out;
}

std::map<std::string, Tensor> state_from_script(const val& state) {
  std::map<std::string, Tensor> out;
  const val names = val::global("Object").call<val>("keys", state);
  for (int i = 0, n = names["length"].as<int>(); i < n; ++i) {
    const auto name = names[i].as<std::string>();
    out.emplace(name, tensors().get(state[name].as<uint32_t>()));
  }
  return out;
}

}  // namespace onemodel::bindings
