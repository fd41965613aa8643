#include "ops/recurrent.h"

#include "ops/declare.h"
#include "ops/recurrent_shape.h"
#include "ops/wider.h"

namespace onemodel {
namespace {

kernels::RnnCell cell_of(const RNN& op, int64_t d) {
  return {recurrent_activations(RNN::info.name, op, kRnnKind, d)[0]};
}

kernels::GruCell cell_of(const GRU& op, int64_t d) {
  const auto activations = recurrent_activations(GRU::info.name, op, kGruKind, d);
  return {activations[0], activations[1], op.linear_before_reset};
}

kernels::LstmCell cell_of(const LSTM& op, int64_t d) {
  const auto activations = recurrent_activations(LSTM::info.name, op, kLstmKind, d);
  return {activations[0], activations[1], activations[2], op.input_forget};
}

// Batch-first data to and from the kernels' order; the same permutation either way for rank 3.
Tensor steps_first(const Tensor& x, const RecurrentAttributes& a) {
  if (!x.defined() || a.layout == 0) return x;
  const int64_t three[] = {1, 0, 2}, four[] = {1, 2, 0, 3};
  return x.permute(x.rank() == 4 ? std::span<const int64_t>(four) : three).contiguous();
}

// A contiguous place for `to` in the kernels' order; to itself when that is its order.
Tensor place_for(const Tensor& to, const RecurrentAttributes& a) {
  if (!to.defined() || a.layout == 0) return to;
  Dims d = to.dims();
  if (d.size() == 4) return Tensor::empty({d[1], d[2], d[0], d[3]}, to.dtype());
  return Tensor::empty({d[1], d[0], d[2]}, to.dtype());
}

void bring_back(const Tensor& from, Tensor to) {
  if (!to.defined() || same(from, to)) return;
  const int64_t three[] = {1, 0, 2}, four[] = {2, 0, 1, 3};
  to.copy_from(from.permute(from.rank() == 4 ? std::span<const int64_t>(four) : three));
}

// The operands of one run, in the kernels' order.
struct Operands {
  Operands(const RecurrentAttributes& a, const RecurrentKind& kind, const EvalContext& context) : attributes(a) {
    for (size_t i = 0; i < kind.operands; ++i) all.push_back(context.has(i) ? context.input(i).contiguous() : Tensor());
    all.resize(8);
    for (const size_t i : {kX, kInitialH, kInitialC}) all[i] = steps_first(all[i], a);
    const Dims &x = all[kX].dims(), &r = all[kR].dims();
    shape = {.steps = x[0], .batch = x[1], .inputs = x[2], .hidden = r[2], .y_step = r[0] * x[1] * r[2]};
    if (a.clip) shape.clip = static_cast<double>(*a.clip);
  }

  // Throws ShapeError for a length outside [0, steps].
  void check_lengths(std::string_view who) {
    if (!all[kLengths].defined()) return;
    shape.lengths = all[kLengths].raw_as<int32_t>();
    for (int64_t b = 0; b < shape.batch; ++b)
      check<ShapeError>(shape.lengths[b] >= 0 && shape.lengths[b] <= shape.steps, who, ": sequence_lens has ",
                        shape.lengths[b], " at ", b, ", expected 0 to ", shape.steps);
  }

  kernels::RecurrentShape direction(int64_t d) const {
    kernels::RecurrentShape out = shape;
    out.reverse = d == 1 || attributes.direction == "reverse";
    return out;
  }

  template <class T>
  kernels::RecurrentInputs<T> inputs(int64_t d) const {
    return {.x = all[kX].raw_as<T>(),
            .w = part<T>(kW, d),
            .r = part<T>(kR, d),
            .b = part<T>(kB, d),
            .h = part<T>(kInitialH, d),
            .c = part<T>(kInitialC, d),
            .p = part<T>(kPeepholes, d)};
  }

  // What belongs to direction `d` of a tensor whose first axis is the direction; null when absent.
  template <class T>
  const T* part(size_t i, int64_t d) const {
    return all[i].defined() ? all[i].raw_as<T>() + d * (all[i].numel() / recurrent_directions(attributes)) : nullptr;
  }

  const RecurrentAttributes& attributes;
  std::vector<Tensor> all;
  kernels::RecurrentShape shape;
};

// As Operands::part, of a result.
template <class T>
T* part_of(const Tensor& tensor, int64_t d, int64_t directions) {
  return tensor.defined() ? tensor.mutable_raw_as<T>() + d * (tensor.numel() / directions) : nullptr;
}

// Calls f(TypeTag<T>) with float or double.
template <class F>
void with_real(DType dtype, F&& f) {
  dtype == DType::f64 ? f(TypeTag<double>{}) : f(TypeTag<float>{});
}

template <class O>
void run_forward(const O& op, const RecurrentKind& kind, EvalContext& context) {
  Operands operands(op, kind, context);
  operands.check_lengths(O::info.name);
  std::vector<Tensor> out(3);
  for (size_t i = 0; i < 3; ++i)
    if (context.has_output(i)) out[i] = place_for(context.output(i), op);
  const int64_t directions = recurrent_directions(op);
  with_real(context.input(kX).dtype(), [&]<class T>(TypeTag<T>) {
    for (int64_t d = 0; d < directions; ++d) {
      T* y = out[0].defined() ? out[0].mutable_raw_as<T>() + d * operands.shape.batch * operands.shape.hidden : nullptr;
      kernels::recurrent<T>(operands.direction(d), cell_of(op, d), operands.inputs<T>(d),
                            {y, part_of<T>(out[1], d, directions), part_of<T>(out[2], d, directions)});
    }
  });
  for (size_t i = 0; i < 3; ++i)
    if (context.has_output(i)) bring_back(out[i], context.output(i));
}

template <class O>
void run_gradient(const O& op, const RecurrentKind& kind, EvalContext& context) {
  Operands operands(op, kind, context);
  operands.check_lengths(O::info.name);
  Tensor by[3];
  for (size_t i = 0; i < 3; ++i)
    if (context.has(kind.operands + i)) by[i] = steps_first(context.input(kind.operands + i).contiguous(), op);
  std::vector<Tensor> out(7);
  for (size_t i = 0; i < 7; ++i) {
    if (!context.has_output(i)) continue;
    const bool moved = i == 0 || i == 4 || i == 5;
    out[i] = moved ? place_for(context.output(i), op) : context.output(i);
  }
  if (out[0].defined()) out[0].fill(0);
  const int64_t directions = recurrent_directions(op);
  with_real(context.input(kX).dtype(), [&]<class T>(TypeTag<T>) {
    for (int64_t d = 0; d < directions; ++d) {
      const auto given = [&](const Tensor& tensor, int64_t offset) {
        return tensor.defined() ? tensor.raw_as<T>() + offset : nullptr;
      };
      const auto wanted = [&](size_t i) { return part_of<T>(out[i], d, directions); };
      const int64_t state = d * operands.shape.batch * operands.shape.hidden;
      kernels::recurrent_gradient<T>(operands.direction(d), cell_of(op, d), operands.inputs<T>(d),
                                     {.y_by = given(by[0], state),
                                      .h_by = given(by[1], state),
                                      .c_by = given(by[2], state),
                                      .x = out[0].defined() ? out[0].mutable_raw_as<T>() : nullptr,
                                      .w = wanted(1),
                                      .r = wanted(2),
                                      .b = wanted(3),
                                      .h = wanted(4),
                                      .c = wanted(5),
                                      .p = wanted(6)});
    }
  });
  for (size_t i = 0; i < 7; ++i)
    if (context.has_output(i)) bring_back(out[i], context.output(i));
}

// Gradients in the places of the forward operands.
Gradients gradients_of(const Op& gradient, const RecurrentKind& kind, GradContext& context) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < kind.operands; ++i) tensors.push_back(context.has(i) ? context.input(i).tensor() : Tensor());
  const size_t outputs = kind.has_cell ? 3 : 2;
  for (size_t i = 0; i < outputs; ++i) tensors.push_back(context.grad(i).tensor());
  Applier& applier = context.input(kX).applier();
  const std::vector<Tensor> found = applier.apply(gradient, tensors, kind.has_cell ? 7 : 5);
  Gradients out(kind.operands);
  for (size_t i = 0, next = 0; i < kind.operands; ++i) {
    if (i == kLengths) continue;
    if (context.has(i)) out[i] = Var(found[next], &applier);
    ++next;
  }
  out.resize(std::min(kind.operands, context.input_count()));
  return out;
}

}  // namespace

#define OM_RECURRENT(O, kKind)                                                                              \
  void O::infer(InferContext& context) const { infer_recurrent(context, *this, kKind); }                    \
  void O::evaluate(EvalContext& context) const {                                                            \
    in_float32(context, [this](EvalContext& c) { run_forward(*this, kKind, c); });                          \
  }                                                                                                         \
  Gradients O::vjp(GradContext& context) const { return gradients_of(O##Gradient{*this}, kKind, context); } \
  void O##Gradient::infer(InferContext& context) const { infer_recurrent_gradient(context, *this, kKind); } \
  void O##Gradient::evaluate(EvalContext& context) const {                                                  \
    in_float32(context, [this](EvalContext& c) { run_gradient(*this, kKind, c); });                         \
  }                                                                                                         \
  ONEMODEL_OPERATOR(O)                                                                                      \
  ONEMODEL_OPERATOR(O##Gradient)

OM_RECURRENT(RNN, kRnnKind)
OM_RECURRENT(GRU, kGruKind)
OM_RECURRENT(LSTM, kLstmKind)

#undef OM_RECURRENT

}  // namespace onemodel
