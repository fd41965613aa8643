#include "bindings/guard.h"

#include <emscripten.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "core/error.h"

// The loader gives the module `makeError(name, kind, message)`.
EM_JS(void, om_throw, (const char* name, const char* kind, const char* message),
      { throw Module["makeError"](UTF8ToString(name), UTF8ToString(kind), UTF8ToString(message)); });

namespace onemodel::bindings {

struct CaughtError {
  std::string name, kind, message;
};

namespace {
CaughtError g_error;
std::exception_ptr g_exception;
}  // namespace

CaughtError* remember_error() {
  g_exception = std::current_exception();
  try {
    throw;
  } catch (const Error& error) {
    g_error = {error.name(), error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    g_error = {"MemoryError", "OutOfMemory", "the WebAssembly memory is exhausted"};
  } catch (const std::length_error& error) {
    g_error = {"MemoryError", "OutOfMemory", concat("more elements than memory can hold: ", error.what())};
  } catch (const std::exception& error) {
    g_error = {"InternalError", "Internal", error.what()};
  } catch (...) {
    g_error = {"InternalError", "Internal", "an unknown exception"};
  }
  return &g_error;
}

void rethrow_remembered(std::string_view name, std::string_view message) {
  if (g_exception && g_error.name == name && g_error.message == message) std::rethrow_exception(g_exception);
}

void throw_to_script(CaughtError* error) {
  om_throw(error->name.c_str(), error->kind.c_str(), error->message.c_str());
  std::abort();
}

}  // namespace onemodel::bindings
