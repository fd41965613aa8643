#include "kernels/portable/recurrent_tape.h"

namespace onemodel::kernels {

// Gates z, r, h. step.part is the candidate's recurrent part (h Rᵀ + b, or (r h) Rᵀ); step.slope holds r h.
template <>
struct CellMath<GruCell> {
  static constexpr int64_t kGates = 3;
  static int64_t added_bias(const GruCell& cell) { return cell.linear_before_reset ? 2 : 3; }

  template <class T>
  static void forward(const GruCell& cell, Run<T>& run, int64_t t, const Step<T>& step) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden, width = 3 * n;
    const T* projected = run.projected.data() + t * s.batch * width;
    T* product = run.product.data();
    const T clip = static_cast<T>(s.clip);
    times_transposed(s.batch, 2 * n, n, run.h.data(), run.in.r, product);
    each_row(s, t, 64 * n, [&](int64_t b) {
      T *gates = step.gates + b * width, *used = step.slope + b * n;
      const T* h = step.h + b * n;
      for (int64_t k = 0; k < 2 * n; ++k) gates[k] = projected[b * width + k] + product[b * 2 * n + k];
      activate(cell.f, clip, 2 * n, gates, step.slopes + b * width);
      for (int64_t j = 0; j < n; ++j) used[j] = cell.linear_before_reset ? h[j] : gates[n + j] * h[j];
    });
    times_transposed(s.batch, n, n, step.slope, run.in.r + 2 * n * n, step.part);
    each_row(s, t, 64 * n, [&](int64_t b) { candidate(cell, run, step, b, projected + b * width + 2 * n); });
  }

  template <class T>
  static void candidate(const GruCell& cell, Run<T>& run, const Step<T>& step, int64_t b, const T* projected) {
    const int64_t n = run.shape.hidden, width = 3 * n;
    const T *z = step.gates + b * width, *r = z + n, *bias = run.in.b ? run.in.b + 5 * n : nullptr;
    T *h = run.h.data() + b * n, *next = step.gates + b * width + 2 * n, *part = step.part + b * n;
    for (int64_t j = 0; j < n; ++j) {
      if (cell.linear_before_reset && bias) part[j] += bias[j];
      next[j] = projected[j] + (cell.linear_before_reset ? r[j] * part[j] : part[j]);
    }
    activate(cell.g, static_cast<T>(run.shape.clip), n, next, step.slopes + b * width + 2 * n);
    for (int64_t j = 0; j < n; ++j) h[j] = (1 - z[j]) * next[j] + z[j] * h[j];
  }

  template <class T>
  static void backward(const GruCell& cell, const Run<T>& run, int64_t t, const Step<T>& step, Back<T>& back) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden, width = 3 * n;
    T *gates = back.gates.data() + t * s.batch * width, *linear = back.linear.data() + t * s.batch * width;
    each_row(s, t, 16 * n, [&](int64_t b) { by_candidate(cell, step, b, n, gates, linear, back); });
    // By what R of the candidate was applied to.
    times(s.batch, n, n, linear + 2 * n, width, run.in.r + 2 * n * n, back.scratch.data());
    each_row(s, t, 16 * n, [&](int64_t b) {
      const T *v = step.gates + b * width, *slopes = step.slopes + b * width;
      T *d = gates + b * width, *by = back.scratch.data() + b * n, *h = back.h.data() + b * n;
      for (int64_t j = 0; j < n; ++j) {
        if (!cell.linear_before_reset) d[n + j] = by[j] * step.h[b * n + j] * slopes[n + j];
        h[j] += cell.linear_before_reset ? by[j] : by[j] * v[n + j];
      }
      std::copy_n(d, 2 * n, linear + b * width);
    });
    times(s.batch, n, 2 * n, linear, width, run.in.r, back.scratch.data());
    for (size_t i = 0; i < back.h.size(); ++i) back.h[i] += back.scratch[i];
  }

  // By the candidate and the update gate and, where it does not need R, the reset gate; back.h becomes what goes
  // straight to the state before.
  template <class T>
  static void by_candidate(const GruCell& cell, const Step<T>& step, int64_t b, int64_t n, T* gates, T* linear,
                           Back<T>& back) {
    const int64_t width = 3 * n;
    const T *v = step.gates + b * width, *slopes = step.slopes + b * width;
    T *d = gates + b * width, *l = linear + b * width, *h = back.h.data() + b * n;
    for (int64_t j = 0; j < n; ++j) {
      const T z = v[j], next = v[2 * n + j];
      d[j] = h[j] * (step.h[b * n + j] - next) * slopes[j];
      d[2 * n + j] = h[j] * (1 - z) * slopes[2 * n + j];
      l[2 * n + j] = d[2 * n + j];
      if (cell.linear_before_reset) {
        d[n + j] = d[2 * n + j] * step.part[b * n + j] * slopes[n + j];
        l[2 * n + j] *= v[n + j];
      }
      h[j] *= z;
    }
  }

  template <class T>
  static void finish(const GruCell&, const Run<T>& run, Tape<T>& tape, const Back<T>& back,
                     const RecurrentGradients<T>& g) {
    if (!g.r) return;
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden, width = 3 * n, rows = s.steps * s.batch;
    const Step<T> all = tape.at(0);
    transposed_times(2 * n, n, rows, back.linear.data(), width, all.h, g.r);
    transposed_times(n, n, rows, back.linear.data() + 2 * n, width, all.slope, g.r + 2 * n * n);
  }
};

OM_INSTANTIATE_CELL(GruCell)

}  // namespace onemodel::kernels
