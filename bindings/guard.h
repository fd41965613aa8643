#pragma once
// Errors on their way to JavaScript: C++ exceptions end here and become Error objects there.

#include <string_view>
#include <utility>

namespace onemodel::bindings {

/// Throws the error that is being handled as a JavaScript Error with `name`, `kind` and message. Call it after the
/// catch block has ended, with nothing left to destroy.
struct CaughtError;
CaughtError* remember_error();  // inside a catch block
[[noreturn]] void throw_to_script(CaughtError* error);

/// Throws the error again that reached JavaScript last, if that is it: for script that was called back, caught it, and gives
/// it on.
void rethrow_remembered(std::string_view name, std::string_view message);

/// Runs `body` and lets what it throws reach JavaScript.
template <class F>
auto guarded(F&& body) -> decltype(body()) {
  CaughtError* error = nullptr;
  try {
    return body();
  } catch (...) {
    error = remember_error();
  }
  throw_to_script(error);
}

}  // namespace onemodel::bindings
