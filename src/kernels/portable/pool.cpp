#include "kernels/portable/pool.h"

#include <vector>

#include "kernels/portable/half.h"
#include "kernels/portable/internal.h"
#include "kernels/portable/loops.h"
#include "kernels/portable/window3.h"

namespace onemodel::kernels {
namespace {

/// One plane of T as what it is computed in: in place, or through a buffer.
template <class T>
class Plane {
 public:
  explicit Plane(int64_t size) : size_(size) {
    if constexpr (Half<T>) wide_.resize(static_cast<size_t>(size));
  }
  const Compute<T>* load(const T* x) {
    if constexpr (Half<T>) {
      widen(x, size_, wide_.data());
      return wide_.data();
    } else {
      return x;
    }
  }
  Compute<T>* target(T* y) {
    if constexpr (Half<T>)
      return wide_.data();
    else
      return y;
  }
  void store(T* y) {
    if constexpr (Half<T>) narrow(wide_.data(), size_, y);
  }

 private:
  int64_t size_;
  std::vector<float> wide_;
};

/// Calls `f(plane)` for each, each thread with an own `f` made by `make()`.
template <class Make>
void for_planes(const PoolShape& shape, const Window3& w, const Make& make) {
  const int64_t cost = volume(w.output) * volume(w.kernel);
  parallel(shape.planes, grain_for(cost), [&](int64_t begin, int64_t end) {
    auto f = make();
    for (int64_t p = begin; p < end; ++p) f(p);
  });
}

template <class C>
constexpr C lowest() {
  using Limits = std::numeric_limits<C>;
  return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

/// Row by row, a window place at a time, so that the loop over a row vectorises.
template <class C>
void max_plane(const Window3& w, const C* x, C* y) {
  for (int64_t od = 0; od < w.output[0]; ++od) {
    for (int64_t oh = 0; oh < w.output[1]; ++oh, y += w.output[2]) {
      std::fill_n(y, w.output[2], lowest<C>());
      w.for_rows(od, oh, [&](int64_t, int64_t, int64_t kw, int64_t row) {
        const Range reach = w.reach(2, kw);
        const C* from = x + row * w.input[2] + w.shift(2, kw);
        update(y + reach.begin, from + reach.begin * w.stride[2], w.stride[2], reach.end - reach.begin,
               [](C best, C value) { return value > best || value != value ? value : best; });
      });
    }
  }
}

/// `base` is the position of the plane in the whole input.
template <class C>
void max_plane_with_indices(const Window3& w, const C* x, C* y, int64_t* indices, int64_t base) {
  for (int64_t od = 0; od < w.output[0]; ++od) {
    for (int64_t oh = 0; oh < w.output[1]; ++oh, y += w.output[2], indices += w.output[2]) {
      std::fill_n(y, w.output[2], lowest<C>());
      std::fill_n(indices, w.output[2], -1);
      w.for_rows(od, oh, [&](int64_t, int64_t, int64_t kw, int64_t row) {
        const Range reach = w.reach(2, kw);
        for (int64_t o = reach.begin; o < reach.end; ++o) {
          const int64_t place = row * w.input[2] + o * w.stride[2] + w.shift(2, kw);
          const C value = x[place], best = y[o];
          if (value > best || (value != value && best == best) || indices[o] < 0) {
            y[o] = value;
            indices[o] = base + place;
          }
        }
      });
    }
  }
}

/// How many places of the window at `o` an average divides by, along one axis.
int64_t counted(const Window3& w, size_t axis, int64_t o, bool include_pad) {
  const int64_t low = include_pad ? -w.pad_begin[axis] : 0;
  const int64_t high = w.input[axis] + (include_pad ? w.pad_end[axis] : 0);
  int64_t count = 0;
  for (int64_t k = 0; k < w.kernel[axis]; ++k) {
    const int64_t place = o * w.stride[axis] + w.shift(axis, k);
    count += place >= low && place < high;
  }
  return count;
}

/// Divisors of all outputs of a plane.
template <class C>
std::vector<C> divisors(const Window3& w, bool include_pad) {
  std::vector<C> out;
  out.reserve(static_cast<size_t>(volume(w.output)));
  for (int64_t d = 0; d < w.output[0]; ++d)
    for (int64_t h = 0; h < w.output[1]; ++h)
      for (int64_t i = 0; i < w.output[2]; ++i) {
        const int64_t count =
            counted(w, 0, d, include_pad) * counted(w, 1, h, include_pad) * counted(w, 2, i, include_pad);
        out.push_back(static_cast<C>(count == 0 ? 1 : count));
      }
  return out;
}

template <class C>
void average_plane(const Window3& w, const C* x, const C* divisor, C* y) {
  const int64_t width = w.output[2];
  for (int64_t od = 0; od < w.output[0]; ++od) {
    for (int64_t oh = 0; oh < w.output[1]; ++oh, y += width, divisor += width) {
      std::fill_n(y, width, C(0));
      w.for_rows(od, oh, [&](int64_t, int64_t, int64_t kw, int64_t row) {
        const Range reach = w.reach(2, kw);
        const C* from = x + row * w.input[2] + w.shift(2, kw);
        update(y + reach.begin, from + reach.begin * w.stride[2], w.stride[2], reach.end - reach.begin,
               [](C sum, C value) { return sum + value; });
      });
      update(y, divisor, 1, width, [](C sum, C count) { return sum / count; });
    }
  }
}

template <class C>
void average_gradient_plane(const Window3& w, const C* gradient, const C* divisor, C* x) {
  std::fill_n(x, volume(w.input), C(0));
  for (int64_t od = 0; od < w.output[0]; ++od) {
    for (int64_t oh = 0; oh < w.output[1]; ++oh) {
      w.for_rows(od, oh, [&](int64_t, int64_t, int64_t kw, int64_t row) {
        const Range reach = w.reach(2, kw);
        C* to = x + row * w.input[2] + w.shift(2, kw);
        for (int64_t o = reach.begin; o < reach.end; ++o) to[o * w.stride[2]] += gradient[o] / divisor[o];
      });
      gradient += w.output[2];
      divisor += w.output[2];
    }
  }
}

template <class T>
concept MaxPooled = Floating<T> || std::same_as<T, int8_t> || std::same_as<T, uint8_t>;

}  // namespace

template <class T>
void max_pool(const PoolShape& shape, const T* x, T* y, int64_t* indices) {
  if constexpr (!MaxPooled<T>) {
    unsupported("max_pool", dtype_of<T>);
  } else {
    const Window3 w("max_pool", shape.input, shape.output, shape.window);
    const int64_t in = volume(w.input), out = volume(w.output);
    for_planes(shape, w, [&] {
      return [&, from = Plane<T>(in), to = Plane<T>(out)](int64_t p) mutable {
        const Compute<T>* plane = from.load(x + p * in);
        Compute<T>* target = to.target(y + p * out);
        if (indices)
          max_plane_with_indices(w, plane, target, indices + p * out, p * in);
        else
          max_plane(w, plane, target);
        to.store(y + p * out);
      };
    });
  }
}

template <class T>
void max_pool_gradient(const PoolShape& shape, const T* y_gradient, const int64_t* indices, T* x_gradient) {
  if constexpr (!Floating<T>) {
    unsupported("max_pool_gradient", dtype_of<T>);
  } else {
    const Window3 w("max_pool_gradient", shape.input, shape.output, shape.window);
    const int64_t in = volume(w.input), out = volume(w.output);
    for_planes(shape, w, [&] {
      return [&, from = Plane<T>(out), to = Plane<T>(in)](int64_t p) mutable {
        const Compute<T>* gradient = from.load(y_gradient + p * out);
        Compute<T>* target = to.target(x_gradient + p * in);
        std::fill_n(target, in, Compute<T>(0));
        for (int64_t o = 0; o < out; ++o) {
          const int64_t index = indices[p * out + o];
          if (index >= 0) target[index - p * in] += gradient[o];
        }
        to.store(x_gradient + p * in);
      };
    });
  }
}

template <class T>
void average_pool(const PoolShape& shape, bool count_include_pad, const T* x, T* y) {
  if constexpr (!Floating<T>) {
    unsupported("average_pool", dtype_of<T>);
  } else {
    const Window3 w("average_pool", shape.input, shape.output, shape.window);
    const int64_t in = volume(w.input), out = volume(w.output);
    const auto divisor = divisors<Compute<T>>(w, count_include_pad);
    for_planes(shape, w, [&] {
      return [&, from = Plane<T>(in), to = Plane<T>(out)](int64_t p) mutable {
        average_plane(w, from.load(x + p * in), divisor.data(), to.target(y + p * out));
        to.store(y + p * out);
      };
    });
  }
}

template <class T>
void average_pool_gradient(const PoolShape& shape, bool count_include_pad, const T* y_gradient, T* x_gradient) {
  if constexpr (!Floating<T>) {
    unsupported("average_pool_gradient", dtype_of<T>);
  } else {
    const Window3 w("average_pool_gradient", shape.input, shape.output, shape.window);
    const int64_t in = volume(w.input), out = volume(w.output);
    const auto divisor = divisors<Compute<T>>(w, count_include_pad);
    for_planes(shape, w, [&] {
      return [&, from = Plane<T>(out), to = Plane<T>(in)](int64_t p) mutable {
        average_gradient_plane(w, from.load(y_gradient + p * out), divisor.data(), to.target(x_gradient + p * in));
        to.store(x_gradient + p * in);
      };
    });
  }
}

#define OM_INSTANTIATE(T)                                                             \
  template void max_pool<T>(const PoolShape&, const T*, T*, int64_t*);                \
  template void max_pool_gradient<T>(const PoolShape&, const T*, const int64_t*, T*); \
  template void average_pool<T>(const PoolShape&, bool, const T*, T*);                \
  template void average_pool_gradient<T>(const PoolShape&, bool, const T*, T*);
OM_FOR_EACH_TYPE(OM_INSTANTIATE)
#undef OM_INSTANTIATE

}  // namespace onemodel::kernels
