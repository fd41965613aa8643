#include "kernels/portable/recurrent_tape.h"

namespace onemodel::kernels {

template <>
struct CellMath<RnnCell> {
  static constexpr int64_t kGates = 1;
  static int64_t added_bias(const RnnCell&) { return 1; }

  template <class T>
  static void forward(const RnnCell& cell, Run<T>& run, int64_t t, const Step<T>& step) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden;
    times_transposed(s.batch, n, n, run.h.data(), run.in.r, run.product.data());
    const T* projected = run.projected.data() + t * s.batch * n;
    each_row(s, t, 32 * n, [&](int64_t b) {
      T *gates = step.gates + b * n, *h = run.h.data() + b * n;
      for (int64_t j = 0; j < n; ++j) gates[j] = projected[b * n + j] + run.product[static_cast<size_t>(b * n + j)];
      activate(cell.f, static_cast<T>(s.clip), n, gates, step.slopes + b * n);
      std::copy_n(gates, n, h);
    });
  }

  template <class T>
  static void backward(const RnnCell&, const Run<T>& run, int64_t t, const Step<T>& step, Back<T>& back) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden;
    T* gates = back.gates.data() + t * s.batch * n;
    each_row(s, t, 4 * n, [&](int64_t b) {
      T* h = back.h.data() + b * n;
      for (int64_t j = 0; j < n; ++j) gates[b * n + j] = h[j] * step.slopes[b * n + j];
      std::fill_n(h, n, T(0));
    });
    times(s.batch, n, n, gates, n, run.in.r, back.scratch.data());
    for (size_t i = 0; i < back.h.size(); ++i) back.h[i] += back.scratch[i];
    std::copy_n(gates, s.batch * n, back.linear.data() + t * s.batch * n);
  }

  template <class T>
  static void finish(const RnnCell&, const Run<T>& run, Tape<T>& tape, const Back<T>& back,
                     const RecurrentGradients<T>& g) {
    const RecurrentShape& s = run.shape;
    if (g.r) transposed_times(s.hidden, s.hidden, s.steps * s.batch, back.gates.data(), s.hidden, tape.at(0).h, g.r);
  }
};

OM_INSTANTIATE_CELL(RnnCell)

}  // namespace onemodel::kernels
