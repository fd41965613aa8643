#include "core/write_watch.h"

#include "core/expanded_axis.h"

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
  check(tensor.defined(), how, ": the tensor is undefined");
  if (is_internal()) return;
  if (TensorExtension* extension = tensor.extension()) extension->before_write(tensor, how);
  if (g_watch && !g_watch->made_.contains(tensor.memory().get())) g_watch->before_write(tensor, how);
}

void check_distinct(const Tensor& tensor, std::string_view how) {
  const auto axis = expanded_axis(tensor);
  check(!axis, how, ": the elements along axis ", axis.value_or(0), " of ", tensor,
        " share memory, as those of an expanded tensor do; clone() it before it is written to");
}

}  // namespace onemodel
