#include "bindings/callback.h"

#include <emscripten/bind.h>

#include <utility>

#include "bindings/argument.h"
#include "bindings/guard.h"

namespace onemodel::bindings {
namespace {

using emscripten::val;

Argument& result() {
  static Argument last;
  return last;
}

void rethrow(const val& thrown) {
  if (thrown.isNull()) return;
  const auto name = thrown["name"].as<std::string>(), kind = thrown["kind"].as<std::string>(),
             message = thrown["message"].as<std::string>();
  rethrow_remembered(name, message);
  throw Error(name, kind, message);
}

}  // namespace

Argument call_script(const val& function, std::span<const Argument> arguments) {
  val list = val::array();
  for (const Argument& argument : arguments) list.call<void>("push", to_script(argument));
  rethrow(function(list));
  return std::exchange(result(), {});
}

EMSCRIPTEN_BINDINGS(callback) {
  emscripten::function(
      "callbackResult", +[](val encoded) { guarded([&] { result() = argument_from(encoded); }); });
}

}  // namespace onemodel::bindings
