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
  check(tensor.defined(), how, ": the tensor is undefined");
  if (is_internal()) return;
  if (TensorExtension* extension = tensor.extension()) extension->before_write(tensor, how);
  if (g_watch && !g_watch->made_.contains(tensor.memory().get())) g_watch->before_write(tensor, how);
}

void check_distinct(const Tensor& tensor, std::string_view how) {
  if (tensor.numel() < 2) return;
  for (size_t axis = 0; axis < tensor.rank(); ++axis)
    check(tensor.strides()[axis] != 0 || tensor.dims()[axis] == 1, how, ": the elements along axis ", axis, " of ",
          tensor, " share memory, as those of an expanded tensor do; clone() it before it is written to");
}

}  // namespace onemodel
