#include "kernels/portable/recurrent_tape.h"

namespace onemodel::kernels {
namespace {

// The gates' places in a row.
constexpr int64_t kInput = 0, kOutput = 1, kForget = 2, kCell = 3;

// y += p * c; p may be null.
template <class T>
void add_peephole(const T* p, const T* c, int64_t n, T* y) {
  for (int64_t j = 0; p && j < n; ++j) y[j] += p[j] * c[j];
}

}  // namespace

template <>
struct CellMath<LstmCell> {
  static constexpr int64_t kGates = 4;
  static int64_t added_bias(const LstmCell&) { return 4; }

  template <class T>
  static void forward(const LstmCell& cell, Run<T>& run, int64_t t, const Step<T>& step) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden, width = 4 * n;
    times_transposed(s.batch, width, n, run.h.data(), run.in.r, run.product.data());
    const T* projected = run.projected.data() + t * s.batch * width;
    each_row(s, t, 128 * n, [&](int64_t b) {
      T* gates = step.gates + b * width;
      const T* product = run.product.data() + b * width;
      for (int64_t k = 0; k < width; ++k) gates[k] = projected[b * width + k] + product[k];
      forward_row(cell, run, step, b);
    });
  }

  template <class T>
  static void forward_row(const LstmCell& cell, Run<T>& run, const Step<T>& step, int64_t b) {
    const int64_t n = run.shape.hidden;
    const T clip = static_cast<T>(run.shape.clip), unbounded = std::numeric_limits<T>::infinity();
    T *gates = step.gates + b * 4 * n, *slopes = step.slopes + b * 4 * n;
    T *i = gates + kInput * n, *o = gates + kOutput * n, *f = gates + kForget * n, *g = gates + kCell * n;
    const T *c = step.c + b * n, *p = run.in.p;
    T *next = step.c_next + b * n, *part = step.part + b * n;
    add_peephole(p, c, n, i);
    add_peephole(p ? p + 2 * n : p, c, n, f);
    activate(cell.f, clip, n, i, slopes + kInput * n);
    activate(cell.f, clip, n, f, slopes + kForget * n);
    for (int64_t j = 0; cell.coupled && j < n; ++j) f[j] = 1 - i[j];
    activate(cell.g, clip, n, g, slopes + kCell * n);
    for (int64_t j = 0; j < n; ++j) next[j] = f[j] * c[j] + i[j] * g[j];
    add_peephole(p ? p + n : p, next, n, o);
    activate(cell.f, clip, n, o, slopes + kOutput * n);
    std::copy_n(next, n, part);
    activate(cell.h, unbounded, n, part, step.slope + b * n);
    std::copy_n(next, n, run.c.data() + b * n);
    for (int64_t j = 0; j < n; ++j) run.h[static_cast<size_t>(b * n + j)] = o[j] * part[j];
  }

  template <class T>
  static void backward(const LstmCell& cell, const Run<T>& run, int64_t t, const Step<T>& step, Back<T>& back) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden, width = 4 * n;
    T* gates = back.gates.data() + t * s.batch * width;
    each_row(s, t, 32 * n, [&](int64_t b) { backward_row(cell, run, step, b, gates + b * width, back); });
    times(s.batch, n, width, gates, width, run.in.r, back.scratch.data());
    for (size_t i = 0; i < back.h.size(); ++i) back.h[i] += back.scratch[i];
    std::copy_n(gates, s.batch * width, back.linear.data() + t * s.batch * width);
  }

  template <class T>
  static void backward_row(const LstmCell& cell, const Run<T>& run, const Step<T>& step, int64_t b, T* d,
                           Back<T>& back) {
    const int64_t n = run.shape.hidden;
    const T *v = step.gates + b * 4 * n, *slopes = step.slopes + b * 4 * n, *p = run.in.p;
    T *h = back.h.data() + b * n, *c = back.c.data() + b * n;
    for (int64_t j = 0; j < n; ++j) {
      const int64_t at = b * n + j, i = kInput * n + j, o = kOutput * n + j, f = kForget * n + j, g = kCell * n + j;
      d[o] = h[j] * step.part[at] * slopes[o];
      T by_cell = c[j] + h[j] * v[o] * step.slope[at];
      if (p) by_cell += d[o] * p[n + j];
      const T by_forget = by_cell * step.c[at];
      const T by_input = by_cell * v[g] - (cell.coupled ? by_forget : T(0));
      d[i] = by_input * slopes[i];
      d[f] = cell.coupled ? T(0) : by_forget * slopes[f];
      d[g] = by_cell * v[i] * slopes[g];
      c[j] = by_cell * v[f];
      if (p) c[j] += d[i] * p[j] + d[f] * p[2 * n + j];
      h[j] = 0;
    }
  }

  template <class T>
  static void finish(const LstmCell&, const Run<T>& run, Tape<T>& tape, const Back<T>& back,
                     const RecurrentGradients<T>& g) {
    const RecurrentShape& s = run.shape;
    const int64_t n = s.hidden, width = 4 * n, rows = s.steps * s.batch;
    const Step<T> all = tape.at(0);
    if (g.r) transposed_times(width, n, rows, back.gates.data(), width, all.h, g.r);
    if (!g.p) return;
    std::fill_n(g.p, 3 * n, T(0));
    for (int64_t i = 0; i < rows; ++i) {
      const T* d = back.gates.data() + i * width;
      if (!s.runs(i / s.batch, i % s.batch)) continue;
      for (int64_t j = 0; j < n; ++j) {
        g.p[j] += d[kInput * n + j] * all.c[i * n + j];
        g.p[n + j] += d[kOutput * n + j] * all.c_next[i * n + j];
        g.p[2 * n + j] += d[kForget * n + j] * all.c[i * n + j];
      }
    }
  }
};

OM_INSTANTIATE_CELL(LstmCell)

}  // namespace onemodel::kernels
