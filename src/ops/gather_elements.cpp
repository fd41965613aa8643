#include "ops/gather_elements.h"

#include "kernels/portable/scatter.h"
#include "ops/concat.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/formula.h"
#include "ops/scatter.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

// How many indices make a place, which decides the rank.
size_t place_depth(const InferContext& context) {
  const Extent& extent = context.shape(1)[context.rank(1) - 1];
  if (!extent.is_number() && context.tracing())
    context.symbolic_error(concat("'indices' of shape ", context.shape(1), " have a symbolic last extent"));
  const auto depth = extent.example();
  context.check<UnknownLength>(depth.has_value(), "'indices' have shape ", context.shape(1),
                               "; the last extent must be known, as it decides the rank");
  return static_cast<size_t>(*depth);
}

// indices with the places in the batch before them: int64[b…, i…, batch + k].
Var with_batch(const Var& indices, size_t batch) {
  Dims dims = indices.dims();
  dims[dims.size() - 1] = static_cast<int64_t>(batch);
  const Tensor places = Tensor::empty(dims, DType::i64);
  auto* to = places.mutable_raw_as<int64_t>();
  const Dims strides = contiguous_strides(dims);
  for (int64_t i = 0; i < places.numel(); ++i) {
    const auto axis = static_cast<size_t>(i % dims.back());
    to[i] = i / strides[axis] % dims[axis];
  }
  return apply(Concat{.axis = -1}, {Var(places, &indices.applier()), indices});
}

}  // namespace

void check_element_indices(const InferContext& context, int64_t axis) {
  const DType dtype = context.dtype(1);
  context.check_dtype(dtype == DType::i64 || dtype == DType::i32, 1, "int64 or int32");
  const Shape &data = context.shape(0), &indices = context.shape(1);
  const size_t at = context.axis(axis, data.rank());
  context.check(indices.rank() == data.rank(), "'indices' have shape ", indices, ", expected rank ", data.rank(),
                " as data, ", data);
  for (size_t i = 0; i < data.rank(); ++i) {
    if (i == at || !data[i].is_number() || !indices[i].is_number()) continue;
    context.check(indices[i].number() <= data[i].number(), "'indices' of shape ", indices, " have ", indices[i],
                  " at axis ", i, ", expected at most ", data[i], " as data, ", data);
  }
}

Shape picked_shape(const InferContext& context, int64_t batch_dims) {
  const Shape &data = context.shape(0), &indices = context.shape(1);
  context.check_dtype(context.dtype(1) == DType::i64, 1, "int64");
  context.check(data.rank() > 0 && indices.rank() > 0, "shapes ", data, " and ", indices, " expect rank 1 or more");
  const auto least = static_cast<int64_t>(std::min(data.rank(), indices.rank()));
  context.check<ArgumentError>(batch_dims >= 0 && batch_dims < least, "attribute 'batch_dims' is ", batch_dims,
                               ", expected 0 to ", least - 1);
  const auto batch = static_cast<size_t>(batch_dims);
  for (size_t i = 0; i < batch; ++i)
    check_equal(context, data[i], indices[i], "axis ", i, " has ", data[i], " in data and ", indices[i],
                " in indices, expected the same");
  const size_t depth = place_depth(context);
  context.check(depth >= 1 && depth <= data.rank() - batch, "'indices' have ", depth, " indices for each place, in ",
                data.rank() - batch, " axes of data");
  Shape out = indices;
  out.erase(out.rank() - 1);
  for (size_t i = batch + depth; i < data.rank(); ++i) out.push_back(data[i]);
  context.check(out.rank() <= kMaxRank, "the result would have rank ", out.rank(), ", above the largest supported, ",
                kMaxRank);
  return out;
}

void GatherElements::infer(InferContext& context) const {
  check_element_indices(context, axis);
  context.output(context.dtype(0), context.shape(1));
}

void GatherElements::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &indices = context.input(1);
  const size_t at = normalize_axis(info.name, axis, x.rank());
  with_op_name(info.name, [&] {
    const auto places = kernels::element_places(indices.dtype(), indices.raw(), indices.dims(), x.dims(), at);
    kernels::gather_places(dtype_size(x.dtype()), places, x.raw(), context.output().mutable_raw());
  });
}

Gradients GatherElements::vjp(GradContext& context) const {
  const Var x = context.input(0);
  return {apply(ScatterElements{.axis = axis, .reduction = "add"},
                {zeros_beside(x, x.dims()), context.input(1), context.grad()})};
}

std::vector<Sample> GatherElements::samples() {
  const Tensor x = sample_values({3, 4});
  const Tensor indices = Tensor::from<int64_t>({0, -1, 2, 0, 1, 1}, {2, 3});
  return {{GatherElements{}, {x, indices}},
          {GatherElements{.axis = -1}, {x, Tensor::from<int32_t>({3, -4, 0, 0}, {1, 4})}},
          {GatherElements{}, {sample_values({3}), sample_ints({2, 2, 0, 1})}},
          {GatherElements{}, {x, Tensor::zeros({0, 4}, DType::i64)}},
          {GatherElements{.axis = 2}, {x, indices}, "axis 2 is out of range for rank 2"},
          {GatherElements{}, {x, sample_ints({0})}, "'indices' have shape [1], expected rank 2"},
          {GatherElements{.axis = 1},
           {sample_values({1, 4}), indices},
           "'indices' of shape [2, 3] have 2 at axis 0, expected at most 1"},
          {GatherElements{}, {x, sample_values({2, 3})}, "input 'indices' expects int64 or int32, got float32"}};
}

void GatherND::infer(InferContext& context) const {
  Shape out = picked_shape(context, batch_dims);
  context.output(context.dtype(0), std::move(out));
}

void GatherND::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &indices = context.input(1);
  with_op_name(info.name, [&] {
    const auto places =
        kernels::row_places(indices.raw_as<int64_t>(), indices.dims(), x.dims(), static_cast<size_t>(batch_dims));
    kernels::gather_places(dtype_size(x.dtype()), places, x.raw(), context.output().mutable_raw());
  });
}

Gradients GatherND::vjp(GradContext& context) const {
  const Var x = context.input(0), indices = context.input(1);
  const Var places = batch_dims == 0 ? indices : with_batch(indices, static_cast<size_t>(batch_dims));
  return {apply(ScatterND{.reduction = "add"}, {zeros_beside(x, x.dims()), places, context.grad()})};
}

std::vector<Sample> GatherND::samples() {
  const Tensor x = sample_values({2, 3, 2});
  const Tensor pairs = Tensor::from<int64_t>({0, 1, -1, 2, 0, 1}, {3, 2});
  const Tensor single = Tensor::from<int64_t>({1, -1}, {2, 1});
  return {{GatherND{}, {x, pairs}},
          {GatherND{}, {x, single}},
          {GatherND{}, {x, sample_ints({1, 0, 1})}},
          {GatherND{.batch_dims = 1}, {x, single}},
          {GatherND{.batch_dims = 1}, {x, Tensor::from<int64_t>({2, 1, 0, 0, 2, 0, 2, 0}, {2, 2, 2})}},
          {GatherND{}, {sample_values({3}, 0, 9, DType::i64), Tensor::zeros({0, 1}, DType::i64)}},
          {GatherND{.batch_dims = 2}, {x, pairs}, "attribute 'batch_dims' is 2, expected 0 to 1"},
          {GatherND{.batch_dims = 1}, {x, pairs}, "axis 0 has 2 in data and 3 in indices, expected the same"},
          {GatherND{}, {sample_values({2}), pairs}, "'indices' have 2 indices for each place, in 1 axes of data"},
          {GatherND{}, {x, Tensor::scalar<int64_t>(0)}, "shapes [2, 3, 2] and [] expect rank 1 or more"},
          {GatherND{}, {x, pairs.cast(DType::i32)}, "input 'indices' expects int64, got int32"}};
}

ONEMODEL_OPERATOR(GatherElements)
ONEMODEL_OPERATOR(GatherND)

}  // namespace onemodel
