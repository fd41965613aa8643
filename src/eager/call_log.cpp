#include "eager/call_log.h"

#include <algorithm>

#include "eager/functional_trace.h"
#include "eager/record.h"

namespace onemodel {
namespace {

thread_local CallLog* g_log = nullptr;

std::vector<Tensor> current_values(std::span<const Tensor> tensors) {
  std::vector<Tensor> out;
  for (const Tensor& tensor : tensors) out.push_back(current_value(tensor));
  return out;
}

}  // namespace

CallLog::CallLog(std::map<const void*, std::string> paths) : paths_(std::move(paths)) { g_log = this; }
CallLog::~CallLog() { g_log = nullptr; }

void CallLog::begin(std::string path, std::span<const Tensor> inputs) {
  const size_t index = counts_[path]++;
  calls_.push_back({.path = std::move(path), .index = index, .parent = current_, .inputs = current_values(inputs)});
  current_ = static_cast<int>(calls_.size()) - 1;
}

void CallLog::finish(std::span<const Tensor> outputs) {
  if (current_ < 0) return;
  Call& call = calls_[static_cast<size_t>(current_)];
  call.outputs = current_values(outputs);
  call.completed = ++completed_;
}

void CallLog::end() {
  if (current_ >= 0) current_ = calls_[static_cast<size_t>(current_)].parent;
}

std::string CallLog::path_of(const void* module) const {
  const auto found = paths_.find(module);
  return found == paths_.end() ? module_path() : found->second;
}

std::string CallLog::innermost() const {
  if (current_ < 0 || !place_.empty()) return place_;
  const Call& call = calls_[static_cast<size_t>(current_)];
  return call_name(call.path, call.index);
}

std::string CallLog::failed_path() const {
  const auto failed = std::ranges::find(calls_.rbegin(), calls_.rend(), 0u, &Call::completed);
  return failed == calls_.rend() ? std::string() : failed->path;
}

CallLog* call_log() { return g_log; }

std::string call_path() { return g_log ? g_log->innermost() : module_path(); }

std::string call_name(std::string_view path, size_t index) {
  return index == 0 ? std::string(path) : concat(path, "@", index);
}

}  // namespace onemodel
