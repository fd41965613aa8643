#include "ops/fused_attention.h"

#include "kernels/xnn/attention.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"
#include "ops/prepared_kernel.h"
#include "ops/shape_data.h"
#include "ops/softmax.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

constexpr DTypeSet kReal{[](DType d) { return d == DType::f32 || d == DType::f64; }, "float32 or float64"};
constexpr size_t kMask = 3;

Shape permuted_shape(const InferContext& context, const Shape& from, const std::vector<int64_t>& perm,
                     std::string_view name) {
  if (perm.empty()) return from;
  context.check(perm.size() == from.rank(), name, " names ", perm.size(), " axes, the operand has shape ", from);
  for (int64_t axis : perm) context.check(axis >= 0, "axis ", axis, " of ", name, " is negative");
  axis_set(context, perm, from.rank());
  Shape out;
  for (int64_t axis : perm) out.push_back(from[static_cast<size_t>(axis)]);
  return out;
}

Shape without_matrix(const Shape& shape) { return std::vector<Extent>(shape.begin(), shape.end() - 2); }

const Extent& rows_of(const Shape& shape) { return shape[shape.rank() - 2]; }
const Extent& columns_of(const Shape& shape) { return shape[shape.rank() - 1]; }

// As many heads as Q has.
Shape repeated(const InferContext& context, Shape shape, int64_t groups) {
  if (groups == 1) return shape;
  context.check<ArgumentError>(groups >= 1 && shape.rank() > 2, "groups is ", groups,
                               ", expected 1, or more for keys and values with heads, got shape ", shape);
  Extent& heads = shape[shape.rank() - 3];
  heads = heads * Extent(groups);
  return shape;
}

Var permuted(const Var& v, const std::vector<int64_t>& perm) { return perm.empty() ? v : permute(v, perm); }

Var repeated(const Var& v, int64_t groups) {
  if (groups == 1) return v;
  const size_t heads = v.rank() - 3;
  Dims one = v.dims(), many = v.dims();
  one.insert(heads + 1, 1);
  many[heads] *= groups;
  Dims wide = one;
  wide[heads + 1] = groups;
  return reshape(expand(reshape(v, one), wide), many);
}

// How a contiguous operand is read after its permutation.
Strided permuted_view(const Dims& dims, const std::vector<int64_t>& perm) {
  const Dims strides = contiguous_strides(dims);
  if (perm.empty()) return {dims, strides};
  Strided view;
  for (int64_t axis : perm) {
    view.dims.push_back(dims[static_cast<size_t>(axis)]);
    view.strides.push_back(strides[static_cast<size_t>(axis)]);
  }
  return view;
}

std::vector<int64_t> inverse(const std::vector<int64_t>& perm) {
  std::vector<int64_t> back(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) back[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
  return back;
}

// Extent and stride of the axis `back` from the end.
int64_t extent(const Strided& view, size_t back) { return view.dims[view.dims.size() - back]; }
int64_t stride(const Strided& view, size_t back) { return view.strides[view.strides.size() - back]; }
bool is_dense(const Strided& view, size_t back) { return stride(view, back) == 1 || extent(view, back) == 1; }

Dims without_matrix(const Dims& dims) { return Dims(std::span(dims.data(), dims.size() - 2)); }

// Offsets of a view's matrices for each index into `batch`; `groups` indices of its last axis share one.
std::vector<int64_t> matrix_offsets(const Strided& view, const Dims& batch, int64_t groups = 1) {
  Dims own = without_matrix(view.dims);
  if (groups > 1) own[own.size() - 1] *= groups;  // as many as the batch has, so that it does not broadcast
  const Dims strides = broadcast_strides(own, without_matrix(view.strides), batch);
  std::vector<int64_t> out(static_cast<size_t>(numel(batch)));
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i);
    for (size_t axis = batch.size(); axis-- > 0; rest /= batch[axis]) {
      const int64_t index = rest % batch[axis];
      out[i] += (axis + 1 == batch.size() ? index / groups : index) * strides[axis];
    }
  }
  return out;
}

std::unique_ptr<Kernel> make_attention(const FusedAttention& op, const KernelRequest& request, std::string& refusal) {
  if (request.clamp) return refusal = "no fused bound", nullptr;
  for (size_t i = 0; i < kMask; ++i)
    if (request.inputs[i].dtype != DType::f32) return refusal = "the dtype is not float32", nullptr;
  Strided views[4];
  const std::vector<int64_t> back = inverse(op.y_perm);
  const std::vector<int64_t>* perms[] = {&op.q_perm, &op.k_perm, &op.v_perm, &back};
  for (size_t i = 0; i < 4; ++i) views[i] = permuted_view(i < 3 ? request.dims(i) : request.outputs[0].dims, *perms[i]);
  const auto& [q, k, v, y] = views;
  const bool transposed_k = !is_dense(k, 1);
  if (!is_dense(q, 1) || !is_dense(v, 1) || !is_dense(y, 1) || (transposed_k && !is_dense(k, 2)))
    return refusal = "the elements of a row are not adjacent", nullptr;
  kernels::xnn::Attention p{.rows = extent(q, 2),
                            .keys = extent(k, 2),
                            .depth = extent(q, 1),
                            .width = extent(v, 1),
                            .scale = op.scale,
                            .fill = op.fill,
                            .q_row = stride(q, 2),
                            .k_row = stride(k, transposed_k ? 1 : 2),
                            .v_row = stride(v, 2),
                            .y_row = stride(y, 2),
                            .transposed_k = transposed_k,
                            .blocks = {}};
  const Dims batch = without_matrix(y.dims);
  const auto of_q = matrix_offsets(q, batch), of_k = matrix_offsets(k, batch, op.groups),
             of_v = matrix_offsets(v, batch, op.groups), of_y = matrix_offsets(y, batch);
  std::vector<int64_t> of_mask(of_q.size());
  if (request.has(kMask)) {
    p.mask =
        request.inputs[kMask].dtype == DType::f32 ? kernels::xnn::Attention::added : kernels::xnn::Attention::chosen;
    Dims scores = batch;
    for (int64_t size : {p.rows, p.keys}) scores.push_back(size);
    const Dims& dims = request.dims(kMask);
    const Strided mask{scores, broadcast_strides(dims, contiguous_strides(dims), scores)};
    p.mask_row = stride(mask, 2), p.mask_column = stride(mask, 1);
    of_mask = matrix_offsets(mask, batch);
  }
  for (size_t i = 0; i < of_q.size(); ++i) p.blocks.push_back({of_q[i], of_k[i], of_v[i], of_mask[i], of_y[i]});
  auto prepared = kernels::xnn::attention(std::move(p), refusal);
  return request.has(kMask) ? wrap_kernel(std::move(prepared), {0, 1, 2, kMask})
                            : wrap_kernel(std::move(prepared), {0, 1, 2});
}

}  // namespace

void FusedAttention::infer(InferContext& context) const {
  for (size_t i = 0; i < kMask; ++i) {
    check_in(context, i, kReal);
    context.check_same_dtype(0, i);
    context.check(context.rank(i) >= 2, "'", inputs[i].name, "' expects rank 2 or more, got shape ", context.shape(i));
  }
  const Shape q = permuted_shape(context, context.shape(0), q_perm, "q_perm");
  const Shape k = repeated(context, permuted_shape(context, context.shape(1), k_perm, "k_perm"), groups);
  const Shape v = repeated(context, permuted_shape(context, context.shape(2), v_perm, "v_perm"), groups);
  const auto check_same = [&](const Extent& a, const Extent& b, std::string_view what) {
    check_equal(context, a, b, "queries of shape ", q, ", keys of shape ", k, " and values of shape ", v, " differ in ",
                what);
  };
  check_same(columns_of(q), columns_of(k), "width");
  check_same(rows_of(k), rows_of(v), "number");
  Shape scores = context.broadcast(without_matrix(q), without_matrix(k));
  check_broadcasts_to(context, without_matrix(v), scores, "V");
  Shape y = scores;
  scores.push_back(rows_of(q)), scores.push_back(rows_of(k));
  y.push_back(rows_of(q)), y.push_back(columns_of(v));
  if (context.has(kMask)) {
    context.check_dtype(context.dtype(kMask) == DType::boolean || context.dtype(kMask) == context.dtype(0), kMask,
                        "bool or the dtype of Q");
    check_broadcasts_to(context, context.shape(kMask), scores, "mask");
  }
  context.output(context.dtype(0), permuted_shape(context, y, y_perm, "y_perm"));
}

void FusedAttention::evaluate(EvalContext& context) const {
  evaluate_formula(info.name, context, [&](std::span<const Var> inputs) {
    const Var q = permuted(inputs[0], q_perm), k = repeated(permuted(inputs[1], k_perm), groups),
              v = repeated(permuted(inputs[2], v_perm), groups);
    Var scores = matmul(q, transpose(k)) * static_cast<double>(scale);
    if (context.has(kMask)) {
      const Var& mask = inputs[kMask];
      scores = mask.dtype() == DType::boolean ? where(mask, scores, scores.constant(static_cast<double>(fill)))
                                              : scores + mask;
    }
    return permuted(matmul(apply(Softmax{}, {scores}), v), y_perm);
  });
}

std::span<const FastKernel<FusedAttention>> FusedAttention::fast_kernels() {
  static constexpr FastKernel<FusedAttention> kernels[] = {{"simd.attention", make_attention}};
  return kernels;
}

std::vector<Sample> FusedAttention::samples() {
  const auto x = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -1, 1, DType::f32, seed); };
  const Tensor q = x({2, 4, 3}, 1), k = x({2, 5, 3}, 2), v = x({2, 5, 6}, 3);
  const Tensor allowed = Tensor::from({true, false, true, true, false}, {5});
  const std::vector<int64_t> heads{0, 2, 1, 3};
  return {{FusedAttention{}, {q, k, v}},
          {FusedAttention{.scale = 0.5f}, {q, k, v, x({2, 1, 5}, 4)}},
          {FusedAttention{.scale = 0.5f}, {q, k, v, x({4, 1}, 4)}},
          {FusedAttention{.fill = -2}, {q, k, v, allowed}},
          {FusedAttention{}, {q, k, v, Tensor::from({true, true, false, true}, {4, 1})}},
          {FusedAttention{}, {x({7, 3}, 1), x({2, 2, 9, 3}, 2), x({2, 1, 9, 2}, 3)}},
          {FusedAttention{.k_perm = {0, 2, 1}}, {q, x({2, 3, 5}, 2), v}},
          {FusedAttention{.scale = 0.5f, .q_perm = heads, .k_perm = heads, .v_perm = heads, .y_perm = heads},
           {x({2, 6, 3, 4}, 1), x({2, 9, 3, 4}, 2), x({2, 9, 3, 8}, 3), x({1, 1, 6, 9}, 4)}},
          {FusedAttention{.groups = 2}, {x({1, 4, 6, 3}, 1), x({1, 2, 7, 3}, 2), x({1, 2, 7, 4}, 3)}},
          {FusedAttention{.y_perm = {2, 0, 1}}, {q, k, v}},
          {FusedAttention{}, {x({9, 4}, 1), x({150, 4}, 2), x({150, 40}, 3), x({9, 150}, 4)}},
          {FusedAttention{}, {q, x({2, 5, 4}, 2), v}, "differ in width"},
          {FusedAttention{}, {q, k, x({2, 4, 3}, 3)}, "differ in number"},
          {FusedAttention{}, {q, k, v, x({3, 5}, 4)}, "'mask' of shape [3, 5] does not broadcast to [2, 4, 5]"},
          {FusedAttention{}, {q, k, x({3, 2, 5, 6}, 3)}, "'V' of shape [3, 2] does not broadcast to [2]"},
          {FusedAttention{}, {q, k, v, sample_values({5}, 0, 9, DType::i32)}, "bool or the dtype of Q"},
          {FusedAttention{.q_perm = {1, 0}}, {q, k, v}, "q_perm names 2 axes"},
          {FusedAttention{.y_perm = {0, 1, 1}}, {q, k, v}, "axis 1"},
          {FusedAttention{.groups = 0}, {q, k, v}, "groups is 0, expected 1"},
          {FusedAttention{}, {x({3}, 1), k, v}, "'Q' expects rank 2 or more"}};
}

ONEMODEL_OPERATOR(FusedAttention)

}  // namespace onemodel
