#include "core/write_watch.h"

namespace onemodel {
namespace {

thread_local WriteWatch* g_watch = nullptr;

}  // namespace

WriteWatch::WriteWatch() { g_watch = this; }
WriteWatch::~WriteWatch() { g_watch = nullptr; }

void note_made(const Storage* storage) {
  if (g_watch) g_watch->made_.insert(storage);
}

void before_write(const Tensor& tensor, std::string_view how) {
  if (is_internal()) return;
  if (TensorExtension* extension = tensor.extension()) extension->before_write(tensor, how);
  if (g_watch && !g_watch->made_.contains(tensor.memory().get())) g_watch->before_write(tensor, how);
}

}  // namespace onemodel
