// Tensors: making, reading, and what does not go through operators.

#include <emscripten/bind.h>
#include <emscripten/em_macros.h>

#include <algorithm>

#include "bindings/call_buffer.h"
#include "bindings/guard.h"
#include "bindings/handles.h"
#include "core/write_watch.h"
#include "eager/autograd.h"
#include "eager/functional_trace.h"
#include "eager/in_place.h"
#include "eager/scalar.h"
#include "eager/sizes.h"
#include "format/string_data.h"

namespace onemodel::bindings {

Handles<Tensor>& tensors() {
  static Handles<Tensor> table("tensor");
  return table;
}

namespace {

Dims read_dims(CallReader& reader) {
  Dims dims;
  for (size_t i = reader.count(); i > 0; --i) dims.push_back(static_cast<int64_t>(reader.next()));
  return dims;
}

/// Buffer: rank and sizes. The elements are uninitialised; script writes them at `tensor_data`.
uint32_t tensor_empty(int dtype) {
  return guarded([&] {
    CallReader reader;
    return tensors().add(Tensor::empty(read_dims(reader), static_cast<DType>(dtype)));
  });
}

/// Buffer: rank, sizes, value.
uint32_t tensor_full(int dtype) {
  return guarded([&] {
    CallReader reader;
    const Dims dims = read_dims(reader);
    const double value = reader.next();
    check_in_range(value, static_cast<DType>(dtype), "full");
    return tensors().add(Tensor::full(dims, value, static_cast<DType>(dtype)));
  });
}

/// Writes dtype, rank and sizes to the buffer.
void tensor_info(uint32_t handle) {
  guarded([&] {
    const Tensor& tensor = tensors().get(handle);
    double* out = call_buffer();
    *out++ = static_cast<double>(tensor.dtype());
    *out++ = static_cast<double>(tensor.rank());
    for (int64_t extent : tensor.dims()) *out++ = static_cast<double>(extent);
  });
}

/// Where a new tensor's elements are, to be filled.
uintptr_t tensor_data(uint32_t handle) {
  return guarded([&] { return reinterpret_cast<uintptr_t>(tensors().get(handle).mutable_raw()); });
}

/// What C++'s Tensor tells by itself, under the names of script.
void before_read(const Tensor& tensor, std::string_view how) {
  if (TensorExtension* extension = tensor.extension()) extension->before_read(tensor, how);
}

/// Where the elements are, row-major, for reading in the way named `how`; a tensor that is not contiguous is copied to
/// a new handle written to the buffer, else 0 is.
uintptr_t tensor_read(uint32_t handle, const std::string& how) {
  return guarded([&] {
    const Tensor& tensor = tensors().get(handle);
    before_read(tensor, how);
    const InternalAccess internal;
    const Tensor rows = tensor.contiguous();
    call_buffer()[0] = same(rows, tensor) ? 0 : tensors().add(rows);
    return reinterpret_cast<uintptr_t>(rows.raw());
  });
}

/// Buffer: rank and sizes. The string tensor whose elements are the bytes of a uint8 tensor, as a .onemodel file has them.
uint32_t tensor_from_strings(uint32_t handle) {
  return guarded([&] {
    CallReader reader;
    const Dims dims = read_dims(reader);
    const Tensor& bytes = tensors().get(handle);
    ByteReader in("a list of strings", {bytes.raw(), bytes.bytes()});
    return tensors().add(decode_strings(dims, in));
  });
}

/// A new handle: strings as such bytes, numbers as float32, for reading in the way named `how`.
uint32_t tensor_readable(uint32_t handle, const std::string& how) {
  return guarded([&] {
    const Tensor& tensor = tensors().get(handle);
    before_read(tensor, how);
    const InternalAccess internal;
    return tensors().add(tensor.dtype() == DType::string ? encode_strings(tensor) : tensor.cast(DType::f32));
  });
}

// A gradient that was itself recorded keeps its leaf, which keeps the gradient: with the last handle both go.
void forget_recorded_gradient(const Tensor& leaf) {
  TensorState* state = state_of(leaf);
  if (!state || state->record || !state->grad.defined() || !requires_grad(state->grad)) return;
  if (tensors().count([&](const Tensor& other) { return same(other, leaf); }) == 1) state->grad = Tensor();
}

std::string tensor_text(uint32_t handle) {
  return guarded([&] {
    before_read(tensors().get(handle), "toString");
    return to_string(tensors().get(handle));
  });
}

void tensor_fill(uint32_t handle, double value) {
  guarded([&] {
    const Tensor& target = tensors().get(handle);
    check_in_range(value, target.dtype(), "fill");
    functional_trace() ? void(fill_(target, value, "fill")) : Tensor(target).fill(value);
  });
}

void tensor_copy_from(uint32_t target, uint32_t source) {
  guarded([&] {
    const Tensor &to = tensors().get(target), &from = tensors().get(source);
    if (functional_trace()) {
      check<ShapeError>(to.dims() == from.dims(), "copyFrom: expected ", to, ", got ", from);
      copy_(to, from, "copyFrom");
      return;
    }
    before_write(to, "copyFrom");
    before_read(from, "copyFrom");
    check<GradientError>(!grad_enabled() || !requires_grad(from),
                         "copyFrom: the source's gradient would be lost: copy source.detach(), or inside noGrad");
    Tensor(to).copy_from(from);
  });
}

// What an update's operands leave to say: alpha of add_, or the axis and the places along it.
struct UpdateNumbers {
  double first, second, third;
  int64_t axis() const { return static_cast<int64_t>(first); }
  int64_t start() const { return static_cast<int64_t>(second); }
  int64_t end() const { return static_cast<int64_t>(third); }
};

using Operands = std::span<const Tensor>;  // the target first
using Numbers = const UpdateNumbers&;

struct Update {
  std::string_view name, values;  // `values`: the operand that gives them, as errors call it
  void (*run)(Operands x, Numbers n);
};

constexpr Update kUpdates[] = {
    {"copy_", "source", [](Operands x, Numbers) { copy_(x[0], x[1]); }},
    {"fill_", "value", [](Operands x, Numbers) { copy_(x[0], x[1], "fill_"); }},
    {"zero_", "value", [](Operands x, Numbers) { copy_(x[0], x[1], "zero_"); }},
    {"add_", "other", [](Operands x, Numbers n) { add_(x[0], x[1], n.first); }},
    {"sub_", "other", [](Operands x, Numbers) { sub_(x[0], x[1]); }},
    {"mul_", "other", [](Operands x, Numbers) { mul_(x[0], x[1]); }},
    {"div_", "other", [](Operands x, Numbers) { div_(x[0], x[1]); }},
    {"slice_scatter_", "source",
     [](Operands x, Numbers n) { slice_scatter_(x[0], x[1], n.axis(), n.start(), n.end()); }},
    {"select_scatter_", "source", [](Operands x, Numbers n) { select_scatter_(x[0], x[1], n.axis(), n.start()); }},
    {"index_copy_", "source", [](Operands x, Numbers n) { index_copy_(x[0], n.axis(), x[1], x[2]); }},
};

/// Buffer: target, source; for index_copy_: target, index, source. `how` is the name of one of the updates.
void tensor_update(const std::string& how, uint32_t count, double first, double second, double third) {
  guarded([&] {
    const Update* update = std::ranges::find(kUpdates, std::string_view(how), &Update::name);
    check(update != std::end(kUpdates), how, " is no update of a tensor");
    const Input inputs[] = {{"target", ""}, {update->values, ""}};
    CallReader reader;
    update->run(reader.operands(count, how, inputs), {first, second, third});
  });
}

uint32_t tensor_clone(uint32_t handle) {
  return guarded([&] { return tensors().add(tensors().get(handle).clone()); });
}

uint32_t tensor_detach(uint32_t handle) {
  return guarded([&] { return tensors().add(tensors().get(handle).detach()); });
}

uint32_t tensor_dim(uint32_t handle, int axis) {
  return guarded([&] { return tensors().add(dim(tensors().get(handle), axis)); });
}

void tensor_set_requires_grad(uint32_t handle, bool required) {
  guarded([&] { set_requires_grad(tensors().get(handle), required); });
}

bool tensor_requires_grad(uint32_t handle) {
  return guarded([&] { return requires_grad(tensors().get(handle)); });
}

/// The gradient's handle, or 0.
uint32_t tensor_grad(uint32_t handle) {
  return guarded([&] {
    const Tensor gradient = grad(tensors().get(handle));
    return gradient.defined() ? tensors().add(gradient) : 0;
  });
}

void tensor_set_grad(uint32_t handle, uint32_t gradient) {
  guarded([&] { set_grad(tensors().get(handle), gradient ? tensors().get(gradient) : Tensor()); });
}

void tensor_backward(uint32_t handle, uint32_t gradient, bool retain_graph, bool create_graph) {
  guarded([&] {
    backward(tensors().get(handle), gradient ? tensors().get(gradient) : Tensor(), {retain_graph, create_graph});
  });
}

}  // namespace

/// Frees a handle, past Embind as applyOperator is.
extern "C" EMSCRIPTEN_KEEPALIVE void tensorRelease(uint32_t handle) {
  if (const Tensor* tensor = tensors().find(handle)) forget_recorded_gradient(*tensor);
  tensors().release(handle);
}

EMSCRIPTEN_BINDINGS(tensor) {
  using emscripten::function;
  function(
      "callBuffer", +[] { return reinterpret_cast<uintptr_t>(call_buffer()); });
  function("tensorEmpty", &tensor_empty);
  function("tensorFull", &tensor_full);
  function("tensorInfo", &tensor_info);
  function("tensorData", &tensor_data);
  function("tensorRead", &tensor_read);
  function("tensorFromStrings", &tensor_from_strings);
  function("tensorReadable", &tensor_readable);
  function("tensorText", &tensor_text);
  function("tensorFill", &tensor_fill);
  function(
      "tensorCheckDistinct",
      +[](uint32_t handle, const std::string& who) { guarded([&] { check_distinct(tensors().get(handle), who); }); });
  function("tensorCopyFrom", &tensor_copy_from);
  function("tensorUpdate", &tensor_update);
  function("tensorClone", &tensor_clone);
  function("tensorDetach", &tensor_detach);
  function("tensorDim", &tensor_dim);
  function("tensorSetRequiresGrad", &tensor_set_requires_grad);
  function("tensorRequiresGrad", &tensor_requires_grad);
  function("tensorGrad", &tensor_grad);
  function("tensorSetGrad", &tensor_set_grad);
  function("tensorBackward", &tensor_backward);
}

}  // namespace onemodel::bindings
