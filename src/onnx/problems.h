#pragma once
// Everything wrong with a file, gathered and then told in one error.

#include <string>
#include <vector>

#include "core/error.h"

namespace onemodel {

class Problems {
 public:
  /// What the error begins with.
  std::string subject = "the ONNX model";

  template <class... Parts>
  void unsupported(const Parts&... parts) {
    add(false, concat(parts...));
  }
  template <class... Parts>
  void malformed(const Parts&... parts) {
    add(true, concat(parts...));
  }
  /// Runs `f`; an error it throws becomes a problem, `where` before its message. True when it ran.
  template <class F>
  bool attempt(std::string_view where, F&& f) {
    try {
      f();
      return true;
    } catch (const Error& error) {
      take(error, where);
      return false;
    }
  }
  /// While `error` is handled: it becomes a problem. When memory ran out it is thrown on: the file is not at fault.
  void take(const Error& error, std::string_view where = {}) {
    if (error.kind() == "OutOfMemory") throw;
    add(error.kind() != "Unsupported", concat(where, where.empty() ? "" : ": ", error.what()));
  }
  size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// Throws ModelError with all of them: Malformed when one of them is, else Unsupported.
  void throw_if_any() const {
    if (empty()) return;
    std::string text = concat(subject, " cannot be read");
    if (count_ == 1) throw ModelError(kind(), concat(text, ": ", lines_[0]));
    text += concat(": ", count_, " problems");
    for (const std::string& line : lines_) text += concat("\n  ", line);
    if (count_ > lines_.size()) text += concat("\n  and ", count_ - lines_.size(), " more");
    throw ModelError(kind(), text);
  }

 private:
  static constexpr size_t kShown = 100;
  std::string_view kind() const { return malformed_ ? "Malformed" : "Unsupported"; }
  void add(bool malformed, std::string line) {
    malformed_ |= malformed;
    ++count_;
    if (lines_.size() < kShown) lines_.push_back(std::move(line));
  }
  std::vector<std::string> lines_;
  size_t count_ = 0;
  bool malformed_ = false;
};

}  // namespace onemodel
