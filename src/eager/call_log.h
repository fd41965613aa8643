#pragma once
// The calls of modules during a capture.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// While one lives, this thread's module calls are kept with the values that they took and gave, and each record names
/// the call it was made in: "encoder.fc", of the second call "encoder.fc@1". At most one at a time.
class CallLog {
 public:
  struct Call {
    std::string path;
    size_t index = 0;      // of the calls of that path, from 0
    int parent = -1;       // the call around it; -1: the root's
    size_t completed = 0;  // order of completion; 0: it failed
    std::vector<Tensor> inputs, outputs;
  };

  /// `paths`: the path of each module of a tree by its address, for those that call by it.
  explicit CallLog(std::map<const void*, std::string> paths = {});
  ~CallLog();
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;

  void begin(std::string path, std::span<const Tensor> inputs);
  /// The innermost call has these results; it lasts until `end`.
  void finish(std::span<const Tensor> outputs);
  void end();

  /// Until another one, records are made in this call, whatever calls there are; "" ends it.
  void set_place(std::string place) { place_ = std::move(place); }
  /// Takes calls that were recorded elsewhere.
  void replay(std::vector<Call> calls) { calls_ = std::move(calls); }

  /// The path that `module` has in the tree, else where the thread is.
  std::string path_of(const void* module) const;
  /// "encoder.fc@1" of the innermost call, "" outside of any.
  std::string innermost() const;
  const std::vector<Call>& calls() const { return calls_; }
  /// The path of the innermost call that did not complete; "" when all did.
  std::string failed_path() const;

  class Scope {
   public:
    Scope(CallLog& log, std::string path, std::span<const Tensor> inputs) : log_(log) {
      log.begin(std::move(path), inputs);
    }
    ~Scope() { log_.end(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    CallLog& log_;
  };

 private:
  std::map<const void*, std::string> paths_;
  std::vector<Call> calls_;  // in the order of their begins
  std::map<std::string, size_t> counts_;
  std::string place_;
  size_t completed_ = 0;
  int current_ = -1;
};

/// That of this thread, or null.
CallLog* call_log();
/// Where a record is made: the innermost call of the log, without one the module path.
std::string call_path();
/// "encoder.fc@1" for call 1 of that path, "encoder.fc" for call 0.
std::string call_name(std::string_view path, size_t index);

}  // namespace onemodel
