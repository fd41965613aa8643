#pragma once
// What the three recurrent cells share: the tape of a run, and the loops over steps in both directions.

#include <algorithm>
#include <vector>

#include "kernels/portable/recurrent_math.h"

namespace onemodel::kernels {

/// One step of a tape: gates and their activations' slopes [batch, gates * hidden]; the rest [batch, hidden].
template <class T>
struct Step {
  T *gates, *slopes;
  T* h;             // the state before
  T *c, *c_next;    // LSTM: the cell before and after
  T *part, *slope;  // LSTM: h(c_next) and its slope; GRU: the candidate's recurrent part, and what R was applied to
};

/// The values of every step, or of one that is overwritten.
template <class T>
class Tape {
 public:
  Tape(const RecurrentShape& shape, int64_t gates, bool keep)
      : row_(shape.batch * shape.hidden), gates_(gates), stride_(keep ? 1 : 0) {
    const auto steps = static_cast<size_t>(keep ? shape.steps : std::min<int64_t>(shape.steps, 1));
    wide_.resize(steps * 2 * static_cast<size_t>(gates * row_));
    narrow_.resize(steps * 5 * static_cast<size_t>(row_));
  }
  Step<T> at(int64_t t) {
    const int64_t i = t * stride_;
    const auto steps = static_cast<int64_t>(narrow_.size()) / (5 * std::max<int64_t>(row_, 1));
    T* wide = wide_.data() + i * gates_ * row_;
    T* narrow = narrow_.data() + i * row_;
    const int64_t plane = steps * row_;
    return {wide,
            wide + plane * gates_,
            narrow,
            narrow + plane,
            narrow + 2 * plane,
            narrow + 3 * plane,
            narrow + 4 * plane};
  }

 private:
  int64_t row_, gates_, stride_;
  std::vector<T> wide_, narrow_;
};

/// Calls f(b) for the rows of the batch that run in step t, on the pool.
template <class F>
void each_row(const RecurrentShape& s, int64_t t, int64_t cost, const F& f) {
  parallel(s.batch, grain_for(cost), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b)
      if (s.runs(t, b)) f(b);
  });
}

/// What a cell adds to the shared loops, specialised in its own file.
template <class Cell>
struct CellMath;

/// Working memory of a run.
template <class T>
struct Run {
  const RecurrentShape& shape;
  const RecurrentInputs<T>& in;
  std::vector<T> projected;  // [steps, batch, gates * hidden]: x Wᵀ and what of the bias is added before the step
  std::vector<T> product;    // [batch, gates * hidden]
  std::vector<T> h, c;       // states
};

template <class T>
Run<T> start_run(const RecurrentShape& s, int64_t gates, const RecurrentInputs<T>& in, int64_t recurrent_bias) {
  const int64_t width = gates * s.hidden, rows = s.steps * s.batch, states = s.batch * s.hidden;
  Run<T> run{s,
             in,
             std::vector<T>(static_cast<size_t>(rows * width)),
             std::vector<T>(static_cast<size_t>(s.batch * width)),
             std::vector<T>(static_cast<size_t>(states)),
             std::vector<T>(static_cast<size_t>(states))};
  times_transposed(rows, width, s.inputs, in.x, in.w, run.projected.data());
  if (in.b)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < width; ++k)
        run.projected[static_cast<size_t>(i * width + k)] +=
            k < recurrent_bias * s.hidden ? in.b[k] + in.b[width + k] : in.b[k];
  if (in.h) std::copy_n(in.h, states, run.h.data());
  if (in.c) std::copy_n(in.c, states, run.c.data());
  return run;
}

template <class T>
void write_step(const RecurrentShape& s, int64_t t, const std::vector<T>& h, T* y) {
  if (!y) return;
  T* to = y + t * s.y_step;
  for (int64_t b = 0; b < s.batch; ++b) {
    if (s.runs(t, b))
      std::copy_n(h.data() + b * s.hidden, s.hidden, to + b * s.hidden);
    else
      std::fill_n(to + b * s.hidden, s.hidden, T(0));
  }
}

template <class T, class Cell>
void run_steps(const Cell& cell, Run<T>& run, Tape<T>& tape, const RecurrentOutputs<T>& out) {
  const RecurrentShape& s = run.shape;
  for (int64_t k = 0; k < s.steps; ++k) {
    const int64_t t = s.reverse ? s.steps - 1 - k : k;
    const Step<T> step = tape.at(t);
    std::copy(run.h.begin(), run.h.end(), step.h);
    std::copy(run.c.begin(), run.c.end(), step.c);
    CellMath<Cell>::forward(cell, run, t, step);
    write_step(s, t, run.h, out.y);
  }
  if (out.h) std::copy(run.h.begin(), run.h.end(), out.h);
  if (out.c) std::copy(run.c.begin(), run.c.end(), out.c);
}

/// Gradients of a run on their way back.
template <class T>
struct Back {
  std::vector<T> h, c;           // by the states [batch, hidden]
  std::vector<T> gates, linear;  // by what goes into the activations, and by h Rᵀ + b; [steps, batch, gates * hidden]
  std::vector<T> scratch;        // [batch, hidden]
};

template <class T>
void add_columns(int64_t rows, int64_t width, const T* values, T* sums) {
  std::fill_n(sums, width, T(0));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t k = 0; k < width; ++k) sums[k] += values[i * width + k];
}

/// What follows for the weights once every step has been walked.
template <class T>
void finish_gradient(const Run<T>& run, int64_t gates, const Back<T>& back, const RecurrentGradients<T>& g) {
  const RecurrentShape& s = run.shape;
  const int64_t width = gates * s.hidden, rows = s.steps * s.batch;
  if (g.w) transposed_times(width, s.inputs, rows, back.gates.data(), width, run.in.x, g.w);
  if (g.b) {
    add_columns(rows, width, back.gates.data(), g.b);
    add_columns(rows, width, back.linear.data(), g.b + width);
  }
  if (g.x) {
    std::vector<T> x(static_cast<size_t>(rows * s.inputs));
    times(rows, s.inputs, width, back.gates.data(), width, run.in.w, x.data());
    for (size_t i = 0; i < x.size(); ++i) g.x[i] += x[i];
  }
  if (g.h) std::copy(back.h.begin(), back.h.end(), g.h);
  if (g.c) std::copy(back.c.begin(), back.c.end(), g.c);
}

template <class T>
Back<T> start_back(const RecurrentShape& s, int64_t gates, const RecurrentGradients<T>& g) {
  const auto states = static_cast<size_t>(s.batch * s.hidden);
  const size_t all = static_cast<size_t>(s.steps * gates) * states;
  Back<T> back{std::vector<T>(states), std::vector<T>(states), std::vector<T>(all), std::vector<T>(all),
               std::vector<T>(states)};
  if (g.h_by) std::copy_n(g.h_by, states, back.h.data());
  if (g.c_by) std::copy_n(g.c_by, states, back.c.data());
  return back;
}

template <class T, class Cell>
void run_forward(const RecurrentShape& s, const Cell& cell, const RecurrentInputs<T>& in,
                 const RecurrentOutputs<T>& out) {
  using Math = CellMath<Cell>;
  Run<T> run = start_run(s, Math::kGates, in, Math::added_bias(cell));
  Tape<T> tape(s, Math::kGates, false);
  run_steps(cell, run, tape, out);
}

template <class T, class Cell>
void run_gradient(const RecurrentShape& s, const Cell& cell, const RecurrentInputs<T>& in,
                  const RecurrentGradients<T>& g) {
  using Math = CellMath<Cell>;
  Run<T> run = start_run(s, Math::kGates, in, Math::added_bias(cell));
  Tape<T> tape(s, Math::kGates, true);
  run_steps(cell, run, tape, {});
  Back<T> back = start_back(s, Math::kGates, g);
  for (int64_t k = s.steps; k-- > 0;) {
    const int64_t t = s.reverse ? s.steps - 1 - k : k;
    if (g.y_by)
      for (int64_t b = 0; b < s.batch; ++b)
        for (int64_t j = 0; j < s.hidden && s.runs(t, b); ++j)
          back.h[static_cast<size_t>(b * s.hidden + j)] += g.y_by[t * s.y_step + b * s.hidden + j];
    Math::backward(cell, run, t, tape.at(t), back);
  }
  finish_gradient(run, Math::kGates, back, g);
  Math::finish(cell, run, tape, back, g);
}

}  // namespace onemodel::kernels

#define OM_INSTANTIATE_CELL(Cell)                                                                      \
  template <class T, class C>                                                                          \
  void recurrent(const RecurrentShape& shape, const C& cell, const RecurrentInputs<T>& in,             \
                 const RecurrentOutputs<T>& out) {                                                     \
    run_forward(shape, cell, in, out);                                                                 \
  }                                                                                                    \
  template <class T, class C>                                                                          \
  void recurrent_gradient(const RecurrentShape& shape, const C& cell, const RecurrentInputs<T>& in,    \
                          const RecurrentGradients<T>& gradients) {                                    \
    run_gradient(shape, cell, in, gradients);                                                          \
  }                                                                                                    \
  template void recurrent(const RecurrentShape&, const Cell&, const RecurrentInputs<float>&,           \
                          const RecurrentOutputs<float>&);                                             \
  template void recurrent(const RecurrentShape&, const Cell&, const RecurrentInputs<double>&,          \
                          const RecurrentOutputs<double>&);                                            \
  template void recurrent_gradient(const RecurrentShape&, const Cell&, const RecurrentInputs<float>&,  \
                                   const RecurrentGradients<float>&);                                  \
  template void recurrent_gradient(const RecurrentShape&, const Cell&, const RecurrentInputs<double>&, \
                                   const RecurrentGradients<double>&);
