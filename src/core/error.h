#pragma once
// Errors of the engine: classes for the caller's mistakes, and the message builder they share.

#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

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
/// The shortest text that reads as the same number.
void append(std::string& out, double value);
void append(std::string& out, float value);
void append_integer(std::string& out, int64_t value);
void append_integer(std::string& out, uint64_t value);
template <std::integral T>
void append(std::string& out, T value) {
  append_integer(out, static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value));
}

/// One part of a message: refers to text and to large values, which outlive it, and copies small ones, so that a check
/// does not force them into memory.
class Part {
 public:
  Part(const char* text) : text_(text), append_([](std::string& out, const Part& part) { out += part.text_.data(); }) {}
  Part(std::string_view text) : text_(text), append_([](std::string& out, const Part& part) { out += part.text_; }) {}
  template <class T>
  requires(!std::convertible_to<const T&, std::string_view> && !std::same_as<T, Part>) Part(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof copy_) {
      std::memcpy(copy_, &value, sizeof value);
      append_ = [](std::string& out, const Part& part) {
        T copy;
        std::memcpy(&copy, part.copy_, sizeof copy);
        append(out, copy);
      };
    } else {
      object_ = &value;
      append_ = [](std::string& out, const Part& part) { append(out, *static_cast<const T*>(part.object_)); };
    }
  }
  void append_to(std::string& out) const { append_(out, *this); }

 private:
  union {
    std::string_view text_;
    const void* object_;
    char copy_[8];
  };
  void (*append_)(std::string& out, const Part& part);
};

/// The parts in one string.
std::string join(std::initializer_list<Part> parts);

/// The parts of a message in one string. Numbers, text, DType, Dims, Shape, … have an `append`.
template <class... Parts>
std::string concat(const Parts&... parts) {
  return join({Part(parts)...});
}

/// Throws `E` with the parts: apart from the checks, of which there are many.
template <class E>
[[noreturn, gnu::noinline, gnu::cold]] void raise(std::initializer_list<Part> parts) {
  throw E(join(parts));
}

/// Throws `E` with the concatenated parts unless `ok`.
template <class E = ArgumentError, class... Parts>
[[gnu::always_inline]] inline void check(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    raise<E>({Part(parts)...});
}

}  // namespace onemodel
