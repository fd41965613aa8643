#pragma once
// Tensors: strided, typed views of shared storage.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dims.h"
#include "core/dtype.h"
#include "core/storage.h"

namespace onemodel {

class Tensor;

/// What a layer above attaches to a tensor (its gradient, the record that made it). It is told what user code does to
/// the tensor outside of the operators, and may throw.
class TensorExtension {
 public:
  virtual ~TensorExtension() = default;
  virtual void before_read(const Tensor& tensor, std::string_view how) = 0;
  virtual void before_write(const Tensor& tensor, std::string_view how) = 0;
  /// A view is about to be made that this extension knows nothing of.
  virtual void before_view(const Tensor& tensor, std::string_view how) = 0;
  /// `copy` has the elements of `tensor`.
  virtual void after_copy(const Tensor& tensor, const Tensor& copy) = 0;
  /// Whether `detach` gives the tensor itself.
  virtual bool survives_detach() const = 0;
};

/// While one lives, this thread's uses of tensors are the engine's own: extensions are not told.
class InternalAccess {
 public:
  InternalAccess();
  ~InternalAccess();
  InternalAccess(const InternalAccess&) = delete;
  InternalAccess& operator=(const InternalAccess&) = delete;
};

/// A handle to a strided view of storage; copies of the handle are the same tensor. Strides are in elements and may
/// be 0 (expand) or negative (slice with a negative step). A default-constructed tensor is undefined and stands for
/// an absent optional input. Not thread-safe for writers.
class Tensor {
 public:
  Tensor() = default;
  /// Uninitialised, contiguous.
  static Tensor empty(const Dims& dims, DType dtype = DType::f32);
  static Tensor zeros(const Dims& dims, DType dtype = DType::f32);
  /// Every element `value`, converted to `dtype` as by Cast.
  static Tensor full(const Dims& dims, double value, DType dtype = DType::f32);
  /// A copy of `values` in row-major order; throws ShapeError when their count differs from that of `dims`. T is a C++
  /// type of arithmetic or std::string, here and in to_vector and item.
  template <class T>
  static Tensor from(std::span<const T> values, const Dims& dims);
  template <class T>
  static Tensor from(std::initializer_list<T> values, const Dims& dims) {
    return from(std::span<const T>(values.begin(), values.size()), dims);
  }
  /// A one-dimensional int64 tensor: the form of ONNX's shape and axes operands.
  static Tensor from_ints(std::span<const int64_t> values);
  template <class T>
  static Tensor scalar(T value) {
    return from(std::span<const T>(&value, 1), {});
  }
  /// A view of `storage`; throws ShapeError when an element would lie outside it.
  static Tensor view_of(std::shared_ptr<Storage> storage, int64_t offset, const Dims& dims, const Dims& strides,
                        DType dtype);

  bool defined() const { return impl_ != nullptr; }
  DType dtype() const { return impl_->dtype; }
  const Dims& dims() const { return impl_->dims; }
  const Dims& strides() const { return impl_->strides; }
  size_t rank() const { return impl_->dims.size(); }
  int64_t numel() const { return impl_->numel; }
  /// First element's position in the storage, in elements.
  int64_t offset() const { return impl_->offset; }
  /// The memory behind the view. Values can be read through it: a traced tensor refuses.
  const std::shared_ptr<Storage>& storage() const {
    if (TensorExtension* extension = watcher()) extension->before_read(*this, "storage");
    return impl_->storage;
  }
  /// The same, for the engine: no questions asked.
  const std::shared_ptr<Storage>& memory() const { return impl_->storage; }
  bool is_contiguous() const { return impl_->contiguous; }
  size_t bytes() const { return static_cast<size_t>(numel()) * dtype_size(dtype()); }
  friend bool same(const Tensor& a, const Tensor& b) { return a.impl_ == b.impl_; }

  // Values, for user code: a traced tensor refuses.
  /// A row-major copy converted to T.
  template <class T>
  std::vector<T> to_vector() const;
  /// The single element; throws ShapeError when there is not exactly one.
  template <class T>
  T item() const;
  /// The elements in row-major order, where they lie. Throws DTypeError unless T is their type, ShapeError unless the
  /// tensor is contiguous.
  template <class T>
  std::span<const T> data() const;
  /// The same to write to; counts as one write.
  template <class T>
  std::span<T> mutable_data() const;
  /// Sets the element at `index`, one non-negative number per axis; throws ShapeError when it is outside.
  void set(const Dims& index, double value);
  void fill(double value);
  /// Copies `source` (same shape, any dtype) into this view.
  void copy_from(const Tensor& source);

  // Values, for kernels: no questions asked. `mutable_raw` counts as a write.
  const std::byte* raw() const { return impl_->storage->data() + impl_->byte_offset(); }
  std::byte* mutable_raw() const {
    impl_->storage->bump_version();
    return impl_->storage->data() + impl_->byte_offset();
  }
  template <class T>
  const T* raw_as() const {
    return reinterpret_cast<const T*>(raw());
  }
  template <class T>
  T* mutable_raw_as() const {
    return reinterpret_cast<T*>(mutable_raw());
  }

  // Views: share storage, carry no record (a tensor that needs one refuses). Errors name the function.
  Tensor permute(std::span<const int64_t> axes) const;
  Tensor transpose(int64_t axis_a, int64_t axis_b) const;
  /// Elements start, start + step, … before `end` along `axis`, with Python's clamping and negative indices.
  Tensor slice(int64_t axis, int64_t start, int64_t end, int64_t step = 1) const;
  /// Element `index` along `axis`, which disappears.
  Tensor select(int64_t axis, int64_t index) const;
  /// Numpy broadcast to `dims`.
  Tensor expand(const Dims& dims) const;
  /// The same elements as `dims`: a view when the strides allow it, else a copy.
  Tensor reshape(const Dims& dims) const;
  /// Itself when contiguous, else a row-major copy.
  Tensor contiguous() const;
  /// A row-major copy.
  Tensor clone() const;
  /// The same view without extension; a traced tensor itself.
  Tensor detach() const;
  /// A copy with elements converted as by `convert`.
  Tensor cast(DType dtype) const;

  TensorExtension* extension() const { return impl_ ? impl_->extension.get() : nullptr; }
  void set_extension(std::shared_ptr<TensorExtension> extension) const { impl_->extension = std::move(extension); }
  const std::shared_ptr<TensorExtension>& shared_extension() const { return impl_->extension; }

 private:
  struct Impl {
    std::shared_ptr<Storage> storage;
    int64_t offset = 0;
    int64_t numel = 0;
    Dims dims, strides;
    DType dtype = DType::undefined;
    bool contiguous = true;
    std::shared_ptr<TensorExtension> extension;
    int64_t byte_offset() const { return offset * static_cast<int64_t>(dtype_size(dtype)); }
  };
  static Tensor make(std::shared_ptr<Storage> storage, int64_t offset, const Dims& dims, const Dims& strides,
                     DType dtype);
  /// The extension when user code must ask it, else null.
  TensorExtension* watcher() const;
  void check_direct(std::string_view how, DType wanted) const;
  void check_view(std::string_view how) const {
    if (TensorExtension* extension = watcher()) extension->before_view(*this, how);
  }
  Tensor copy() const;
  std::shared_ptr<Impl> impl_;
};

template <>
Tensor Tensor::from<std::string>(std::span<const std::string> values, const Dims& dims);
template <>
std::vector<std::string> Tensor::to_vector<std::string>() const;
template <>
std::string Tensor::item<std::string>() const;

/// Bounds of a slice along an axis of `extent` elements, as Python clamps them. `step` is not 0.
struct SliceRange {
  int64_t start, step, count;
};
SliceRange clamp_slice(int64_t extent, int64_t start, int64_t end, int64_t step);

/// "float32[2, 3]"; values are not read.
void append(std::string& out, const Tensor& tensor);
/// Whether every element has bits that its dtype can have: booleans 0 and 1, numbers of 2 and 4 bits within theirs.
bool has_sound_elements(const Tensor& tensor);
/// The values in nested brackets, at most `edge` from each end of an axis.
std::string to_string(const Tensor& tensor, int64_t edge = 4);

}  // namespace onemodel
