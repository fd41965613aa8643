#include "kernels/portable/batch_norm.h"

#include <cmath>

#include "kernels/portable/loops.h"
#include "kernels/portable/stream.h"

namespace onemodel::kernels {

template <class T>
void batch_norm(int64_t batch, int64_t channels, int64_t inner, const T* x, const BatchNormParams<T>& params, T* y) {
  if constexpr (!Floating<T>) {
    unsupported("batch_norm", dtype_of<T>);
  } else {
    using C = Compute<T>;
    parallel(batch * channels, grain_for(4 * inner), [&](int64_t begin, int64_t end) {
      const Dims row{inner};
      Reader<T> in(x, row, Dims{1});
      Writer<T> out(y);
      for (int64_t plane = begin; plane < end; ++plane) {
        const int64_t c = plane % channels;
        const C mean = static_cast<C>(params.mean[c]), bias = static_cast<C>(params.bias[c]);
        const C scale = static_cast<C>(params.scale[c]);
        const C deviation = std::sqrt(static_cast<C>(params.variance[c]) + static_cast<C>(params.epsilon));
        in.rebase(x + plane * inner);
        out.rebase(y + plane * inner);
        for (int64_t i = 0; i < inner; i += kPiece) {
          const int64_t count = std::min(kPiece, inner - i);
          const C* piece = in.read(i, count);
          C* to = out.piece(i, piece);
          map(piece, to, count, [=](C v) { return (v - mean) / deviation * scale + bias; });
          out.finish(i, count);
        }
      }
    });
  }
}

#define OM_INSTANTIATE(T) \
  template void batch_norm<T>(int64_t, int64_t, int64_t, const T*, const BatchNormParams<T>&, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels
