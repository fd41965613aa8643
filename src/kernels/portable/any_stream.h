#pragma once
// Streams whose element type is known at run time, for kernels of two types: what is between is one
// of a few wide types, so that the pairs need not be compiled one by one.

#include <cstdint>
#include <variant>

#include "kernels/portable/loops.h"
#include "kernels/portable/stream.h"

namespace onemodel::kernels {

/// Reads a strided view of any dtype as float, double, int64_t or uint64_t (by static_cast, to be
/// asked only where it is defined).
class AnyReader {
 public:
  AnyReader(DType dtype, const void* base, const Dims& dims, const Dims& strides) {
    visit_dtype(dtype,
                [&]<class T>(TypeTag<T>) { reader_.emplace<Reader<T>>(static_cast<const T*>(base), dims, strides); });
  }

  /// `count` <= kPiece elements from `begin` into `out`.
  template <class Wide>
  void read(int64_t begin, int64_t count, Wide* out) {
    std::visit(
        [&]<class R>(R& reader) {
          if constexpr (!std::same_as<R, std::monostate>) {
            map(reader.read(begin, count), out, count, [](auto v) { return static_cast<Wide>(v); });
          }
        },
        reader_);
  }

 private:
  std::variant<std::monostate, Reader<float>, Reader<double>, Reader<Float16>, Reader<BFloat16>, Reader<int8_t>,
               Reader<int16_t>, Reader<int32_t>, Reader<int64_t>, Reader<uint8_t>, Reader<uint16_t>, Reader<uint32_t>,
               Reader<uint64_t>, Reader<bool>>
      reader_;
};

/// y[begin + i] = convert<dtype>(x[i]) for `count` <= kPiece elements.
template <class Wide>
void store(const Wide* x, int64_t begin, int64_t count, DType dtype, void* y) {
  visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
    T* out = static_cast<T*>(y) + begin;
    if constexpr (Half<T>) {
      float rounded[kPiece];
      map(x, rounded, count, [](Wide v) { return static_cast<float>(v); });
      narrow(rounded, count, out);
    } else {
      map(x, out, count, [](Wide v) { return convert<T>(v); });
    }
  });
}

}  // namespace onemodel::kernels
