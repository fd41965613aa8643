#include "ops/gather.h"

#include <cstring>

#include "kernels/portable/gather.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

void check_indices(const InferContext& context) {
  const DType dtype = context.dtype(1);
  context.check_dtype(dtype == DType::i64 || dtype == DType::i32, 1, "int64 or int32");
}

// The shape of data[…, indices, …].
Shape gathered(const Shape& data, size_t axis, const Shape& indices) {
  Shape out;
  for (size_t i = 0; i < axis; ++i) out.push_back(data[i]);
  for (const Extent& extent : indices) out.push_back(extent);
  for (size_t i = axis + 1; i < data.rank(); ++i) out.push_back(data[i]);
  return out;
}

kernels::GatherShape kernel_shape(const Dims& data, size_t axis, int64_t count) {
  return {.outer = numel(std::span(data.begin(), axis)),
          .extent = data[axis],
          .inner = numel(std::span(data.begin() + axis + 1, data.end())),
          .count = count};
}

// Calls f with the indices as a pointer of their type; errors get the operator's name.
template <class F>
void with_indices(std::string_view op, const Tensor& indices, F&& f) {
  try {
    indices.dtype() == DType::i32 ? f(indices.raw_as<int32_t>()) : f(indices.raw_as<int64_t>());
  } catch (Error& error) {
    error.add_context(op);
    throw;
  }
}

}  // namespace

void Gather::infer(InferContext& context) const {
  check_indices(context);
  const size_t at = context.axis(axis, context.rank(0));
  Shape out = gathered(context.shape(0), at, context.shape(1));
  context.check(out.rank() <= kMaxRank, "the result would have rank ", out.rank(), ", above the largest supported, ",
                kMaxRank);
  const bool is_list = out.rank() <= 1;
  context.output(context.dtype(0), std::move(out));

  const auto data = is_list ? small_shape_data(context, 0) : std::nullopt;
  const auto indices = data ? small_shape_data(context, 1) : std::nullopt;
  if (!indices) return;
  ShapeData picked;
  for (const Extent& index : *indices) {
    const auto size = static_cast<int64_t>(data->size());
    if (!index.is_number() || index.number() < -size || index.number() >= size) return;
    picked.push_back((*data)[static_cast<size_t>(index.number() + (index.number() < 0 ? size : 0))]);
  }
  context.output_shape_data(0, std::move(picked));
}

void Gather::evaluate(EvalContext& context) const {
  const Tensor &data = context.input(0), &indices = context.input(1);
  const auto shape = kernel_shape(data.dims(), normalize_axis(info.name, axis, data.rank()), indices.numel());
  with_indices(info.name, indices, [&](const auto* positions) {
    kernels::gather(dtype_size(data.dtype()), shape, data.raw(), positions, context.output().mutable_raw());
  });
}

Gradients Gather::vjp(GradContext& context) const {
  const Var data = context.input(0);
  const auto at = static_cast<int64_t>(normalize_axis(info.name, axis, data.rank()));
  return {apply(GatherGradient{at, data.dims().vector()}, {context.grad(), context.input(1)})};
}

void GatherGradient::infer(InferContext& context) const {
  check_indices(context);
  const Dims to(shape);
  const Shape expected = gathered(to, context.axis(axis, to.size()), context.shape(1));
  context.check_dtype(is_numeric(context.dtype(0)), 0, "a numeric type");
  context.check(context.rank(0) == expected.rank(), "dY has shape ", context.shape(0), ", expected ", expected);
  for (size_t i = 0; i < expected.rank(); ++i)
    check_equal(context, context.shape(0)[i], expected[i], "dY has shape ", context.shape(0), ", expected ", expected);
  context.output(context.dtype(0), to);
}

void GatherGradient::evaluate(EvalContext& context) const {
  const Tensor &dy = context.input(0), &indices = context.input(1), &dx = context.output();
  const auto rows = kernel_shape(dx.dims(), normalize_axis(info.name, axis, dx.rank()), indices.numel());
  std::memset(dx.mutable_raw(), 0, dx.bytes());
  with_indices(info.name, indices, [&](const auto* positions) {
    visit_dtype(dy.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernels::scatter_add(rows, dy.raw_as<T>(), positions, dx.mutable_raw_as<T>());
    });
  });
}

Gradients GatherGradient::vjp(GradContext& context) const {
  return {apply(Gather{axis}, {context.grad(), context.input(1)})};
}

std::vector<Sample> Gather::samples() {
  const Tensor x = sample_values({4, 3});
  const Tensor indices = Tensor::from<int64_t>({0, -1, 2, 0}, {2, 2});
  return {{Gather{}, {x, indices}},
          {Gather{.axis = -1}, {x, Tensor::from<int32_t>({2, -3}, {2})}},
          {Gather{.axis = 1}, {x, Tensor::scalar<int64_t>(1)}},
          {Gather{}, {sample_values({3}, 0, 9, DType::i64), sample_ints({2, 0})}},
          {Gather{}, {x, sample_ints({})}},
          {Gather{.axis = 2}, {x, indices}, "axis 2 is out of range for rank 2"},
          {Gather{}, {x, sample_values({2})}, "input 'indices' expects int64 or int32, got float32"}};
}

std::vector<Sample> GatherGradient::samples() {
  const Tensor indices = Tensor::from<int64_t>({0, -1, 2, 0}, {4});
  return {{GatherGradient{0, {4, 3}}, {sample_values({4, 3}), indices}},
          {GatherGradient{1, {2, 3}}, {sample_values({2, 4}), indices}},
          {GatherGradient{1, {2, 3}}, {sample_values({2}), Tensor::scalar<int64_t>(1)}},
          {GatherGradient{0, {4, 3}}, {sample_values({2, 3}), indices}, "dY has shape [2, 3], expected [4, 3]"},
          {GatherGradient{2, {4, 3}}, {sample_values({2, 3}), indices}, "axis 2 is out of range for rank 2"}};
}

ONEMODEL_OPERATOR(Gather)
ONEMODEL_OPERATOR(GatherGradient)

}  // namespace onemodel
