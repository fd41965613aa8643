#pragma once
// Errors of the engine: classes for the caller's mistakes, and the message builder they share.

#include <charconv>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace onemodel {

/// The base of every error the engine throws for a caller's mistake or a bad file.
/// `name()` is the class a JavaScript caller sees, `kind()` a stable word a program can test.
class Error : public std::exception {
 public:
  Error(std::string_view name, std::string_view kind, std::string message)
      : name_(name), kind_(kind), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& name() const { return name_; }
  const std::string& kind() const { return kind_; }

  /// Puts `where` before the message, keeping the class: used on the way up to name node and module.
  void add_context(std::string_view where) { message_ = std::string(where) + ": " + message_; }

 private:
  std::string name_, kind_, message_;
};

/// A size, rank, axis or broadcast that does not fit.
struct ShapeError : Error {
  explicit ShapeError(std::string message) : Error("ShapeError", "Shape", std::move(message)) {}
};
/// An element type that an operator does not take.
struct DTypeError : Error {
  explicit DTypeError(std::string message) : Error("DTypeError", "DType", std::move(message)) {}
};
/// An attribute, argument or option outside its range.
struct ArgumentError : Error {
  explicit ArgumentError(std::string message) : Error("ArgumentError", "Argument", std::move(message)) {}
};
/// A gradient that cannot be computed.
struct GradientError : Error {
  explicit GradientError(std::string message) : Error("GradientError", "Gradient", std::move(message)) {}
};
/// A model or checkpoint file, or a graph, that is malformed or not supported.
/// Kinds: Truncated, Corrupted, Version, TooLarge, Malformed, Unsupported.
struct ModelError : Error {
  ModelError(std::string_view kind, std::string message) : Error("ModelError", kind, std::move(message)) {}
};
/// A trace refused. Kinds: DataDependent, InPlaceMutation, NoGradInTrace, SymbolicShape, InvalidUsage,
/// UnsupportedOperation.
struct TraceError : Error {
  TraceError(std::string_view kind, std::string message) : Error("TraceError", kind, std::move(message)) {}
};

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, const char* text) { out += text; }
inline void append(std::string& out, char c) { out += c; }
inline void append(std::string& out, bool b) { out += b ? "true" : "false"; }
template <class T>
requires(std::integral<T> || std::floating_point<T>) void append(std::string& out, T value) {
  char digits[40];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// The parts of a message in one string. Numbers, text, DType, Dims, Shape, … have an `append`.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append(out, parts), ...);
  return out;
}

/// Throws `E` with the concatenated parts unless `ok`.
template <class E = ArgumentError, class... Parts>
void check(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    throw E(concat(parts...));
}

}  // namespace onemodel
