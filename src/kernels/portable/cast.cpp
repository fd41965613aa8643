#include "kernels/portable/any_stream.h"
#include "kernels/portable/elementwise.h"

namespace onemodel::kernels {
namespace {

/// Through Wide, which holds every value of `from` exactly: the result is that of one conversion.
template <class Wide>
void cast_through(const Dims& dims, DType from, const void* x, const Dims& x_strides, DType to, void* y) {
  for_pieces(numel(dims), 2, [&] {
    return [=, in = AnyReader(from, x, dims, x_strides)](int64_t begin, int64_t count) mutable {
      Wide wide[kPiece];
      in.read(begin, count, wide);
      store(wide, begin, count, to, y);
    };
  });
}

}  // namespace

void cast(const Dims& dims, DType from, const void* x, const Dims& x_strides, DType to, void* y) {
  // from floating to integer saturates, between integers wraps
  if (from == DType::u64) return cast_through<uint64_t>(dims, from, x, x_strides, to, y);
  if (from == DType::i64 || (!is_floating(from) && !is_floating(to)))
    return cast_through<int64_t>(dims, from, x, x_strides, to, y);
  return cast_through<double>(dims, from, x, x_strides, to, y);
}

}  // namespace onemodel::kernels
