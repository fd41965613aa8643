#include "ops/pool.h"

#include "kernels/portable/reduce.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/fast_checks.h"
#include "ops/pool_gradient.h"
#include "ops/prepared_kernel.h"

namespace onemodel {
namespace {

constexpr DTypeSet kPooled{[](DType d) { return is_floating(d) || d == DType::i8 || d == DType::u8; },
                           "a floating-point or 8-bit integer type"};

std::optional<kernels::xnn::Pool2d> accept(const WindowAttributes& attributes, const KernelRequest& request,
                                           std::string& refusal) {
  if (!accepts_plain_f32(request, refusal)) return {};
  const Dims &x = request.dims(0), &y = request.outputs[0].dims;
  const size_t spatial = x.size() - 2, last = spatial - 1;
  if (spatial == 3) return refusal = "three spatial axes", std::nullopt;
  const kernels::Window window = pool_operands(attributes, x, y).window;
  kernels::xnn::Pool2d pool{.n = x[0],
                            .c = x[1],
                            .h = spatial == 2 ? x[2] : 1,
                            .w = x.back(),
                            .out_h = spatial == 2 ? y[2] : 1,
                            .out_w = y.back(),
                            .kernel_h = spatial == 2 ? window.kernel[0] : 1,
                            .kernel_w = window.kernel[last],
                            .stride_w = window.strides[last],
                            .dilation_w = window.dilations[last],
                            .pad_left = window.pads_begin[last],
                            .pad_right = window.pads_end[last]};
  if (spatial == 2) {
    pool.stride_h = window.strides[0];
    pool.dilation_h = window.dilations[0];
    pool.pad_top = window.pads_begin[0];
    pool.pad_bottom = window.pads_end[0];
  }
  return pool;
}

// Row-major positions in planes of extents `spatial` as column-major ones.
void to_column_major(const Dims& spatial, int64_t count, int64_t* positions) {
  const int64_t plane = numel(spatial);
  for (int64_t i = 0; i < count; ++i) {
    if (positions[i] < 0) continue;
    int64_t rest = positions[i] % plane, place = 0, step = plane;
    for (size_t axis = spatial.size(); axis-- > 0; rest /= spatial[axis]) {
      step /= spatial[axis];
      place += rest % spatial[axis] * step;
    }
    positions[i] += place - positions[i] % plane;
  }
}

Tensor pool_input(const Dims& dims, uint64_t seed = 1) { return sample_values(dims, -2, 2, DType::f32, seed); }

}  // namespace

Shape pool_shape(const InferContext& context, const WindowAttributes& window) {
  const size_t spatial = check_spatial_rank(context);
  context.check<ArgumentError>(!window.kernel_shape.empty(), "kernel_shape is required: expected ", spatial,
                               " numbers");
  check_window(context, window, spatial);
  const Shape& x = context.shape(0);
  Shape out{x[0], x[1]};
  const Extents kernel(window.kernel_shape.begin(), window.kernel_shape.end());
  for (const Extent& extent : window_outputs(context, window, spatial_extents(x), kernel)) out.push_back(extent);
  return out;
}

kernels::PoolShape pool_operands(const WindowAttributes& window, const Dims& x, const Dims& y) {
  return {.planes = x[0] * x[1],
          .input = spatial_dims(x),
          .output = spatial_dims(y),
          .window = concrete_window(window, spatial_dims(x), Dims(window.kernel_shape))};
}

void MaxPool::infer(InferContext& context) const {
  check_in(context, 0, kPooled);
  const Shape out = pool_shape(context, window());
  context.check<ArgumentError>(storage_order == 0 || storage_order == 1,
                               "storage_order expects 0 (row-major indices) or 1 (column-major), got ", storage_order);
  context.output(context.dtype(0), out);
  if (context.output_count() > 1) context.output(1, DType::i64, out);
}

void MaxPool::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  const auto shape = pool_operands(window(), x.dims(), y.dims());
  int64_t* indices = context.has_output(1) ? context.output(1).mutable_raw_as<int64_t>() : nullptr;
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::max_pool(shape, x.raw_as<T>(), y.mutable_raw_as<T>(), indices);
  });
  if (indices && storage_order == 1) to_column_major(shape.input, y.numel(), indices);
}

std::span<const FastKernel<MaxPool>> MaxPool::fast_kernels() {
  static constexpr FastKernel<MaxPool> kernels[] = {
      {"simd.max_pool",
       [](const MaxPool& op, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (request.outputs.size() > 1) return refusal = "the indices are wanted", nullptr;
         const auto pool = accept(op.window(), request, refusal);
         return pool ? wrap_kernel(kernels::xnn::max_pool(*pool, refusal), {0}) : nullptr;
       }}};
  return kernels;
}

Gradients MaxPool::vjp(GradContext& context) const {
  const Var g = context.grad();
  if (!g.defined()) return {Var()};  // only the indices were used
  return {apply(MaxPoolGradient{.auto_pad = auto_pad,
                                .ceil_mode = ceil_mode,
                                .dilations = dilations,
                                .kernel_shape = kernel_shape,
                                .pads = pads,
                                .strides = strides},
                {context.input(0), g})};
}

std::vector<Sample> MaxPool::samples() {
  const Tensor x = pool_input({1, 2, 5, 4});
  return {
      {MaxPool{.kernel_shape = {2, 2}, .strides = {2, 2}}, {x}},
      {MaxPool{.ceil_mode = true, .kernel_shape = {3, 2}, .pads = {1, 0, 1, 1}, .strides = {2, 3}}, {x}, {}, 2},
      {MaxPool{.auto_pad = "SAME_UPPER", .kernel_shape = {3, 3}, .strides = {2, 1}}, {x}},
      {MaxPool{.dilations = {2}, .kernel_shape = {2}, .pads = {1, 0}}, {pool_input({2, 1, 7})}},
      {MaxPool{.kernel_shape = {2, 1, 2}}, {pool_input({1, 1, 3, 2, 3})}, {}, 2},
      {MaxPool{.kernel_shape = {2, 2}}, {sample_values({1, 1, 3, 3}, -99, 99, DType::i8)}},
      {MaxPool{}, {x}, "kernel_shape is required: expected 2 numbers"},
      {MaxPool{.kernel_shape = {2}}, {x}, "kernel_shape expects 2 numbers, got 1"},
      {MaxPool{.kernel_shape = {6, 1}}, {x}, "a window that spans 6 does not fit axis 2 of size 5"},
      {MaxPool{.kernel_shape = {0, 1}}, {x}, "kernel_shape expects numbers of at least 1, got 0"},
      {MaxPool{.kernel_shape = {2, 2}, .storage_order = 1}, {x}, {}, 2},
      {MaxPool{.kernel_shape = {2, 1, 2}, .storage_order = 1}, {pool_input({1, 2, 3, 2, 3})}, {}, 2},
      {MaxPool{.kernel_shape = {1, 1}, .storage_order = 2}, {x}, "storage_order expects 0 (row-major indices) or 1"},
      {MaxPool{.kernel_shape = {1, 1}},
       {sample_values({1, 1, 2, 2}, 0, 9, DType::i32)},
       "input 'X' expects a floating-point or 8-bit integer type, got int32"}};
}

void AveragePool::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  context.output(context.dtype(0), pool_shape(context, window()));
}

void AveragePool::evaluate(EvalContext& context) const {
  const Tensor &x = context.input(0), &y = context.output();
  const auto shape = pool_operands(window(), x.dims(), y.dims());
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::average_pool(shape, count_include_pad, x.raw_as<T>(), y.mutable_raw_as<T>());
  });
}

std::span<const FastKernel<AveragePool>> AveragePool::fast_kernels() {
  static constexpr FastKernel<AveragePool> kernels[] = {
      {"simd.average_pool",
       [](const AveragePool& op, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         auto pool = accept(op.window(), request, refusal);
         if (!pool) return nullptr;
         pool->count_include_pad = op.count_include_pad;
         return wrap_kernel(kernels::xnn::average_pool(*pool, refusal), {0});
       }}};
  return kernels;
}

Gradients AveragePool::vjp(GradContext& context) const {
  return {apply(AveragePoolGradient{.auto_pad = auto_pad,
                                    .ceil_mode = ceil_mode,
                                    .count_include_pad = count_include_pad,
                                    .dilations = dilations,
                                    .kernel_shape = kernel_shape,
                                    .pads = pads,
                                    .strides = strides},
                {context.input(0), context.grad()})};
}

std::vector<Sample> AveragePool::samples() {
  const Tensor x = pool_input({1, 2, 5, 4});
  return {{AveragePool{.kernel_shape = {2, 2}, .strides = {2, 2}}, {x}},
          {AveragePool{.count_include_pad = true, .kernel_shape = {3, 3}, .pads = {1, 1, 1, 1}}, {x}},
          {AveragePool{.ceil_mode = true, .kernel_shape = {3, 2}, .pads = {1, 0, 1, 1}, .strides = {2, 3}}, {x}},
          {AveragePool{.ceil_mode = true, .count_include_pad = true, .kernel_shape = {2, 3}, .strides = {2, 2}}, {x}},
          {AveragePool{.auto_pad = "SAME_LOWER", .kernel_shape = {2, 3}, .strides = {2, 1}}, {x}},
          {AveragePool{.dilations = {2}, .kernel_shape = {2}, .pads = {1, 0}}, {pool_input({2, 1, 7})}},
          {AveragePool{.kernel_shape = {2, 1, 2}}, {pool_input({1, 1, 3, 2, 3})}},
          {AveragePool{.kernel_shape = {6, 1}}, {x}, "a window that spans 6 does not fit axis 2 of size 5"},
          {AveragePool{.kernel_shape = {1, 1}},
           {sample_values({1, 1, 2, 2}, 0, 9, DType::i8)},
           "input 'X' expects a floating-point type, got int8"}};
}

void GlobalAveragePool::infer(InferContext& context) const {
  check_in(context, 0, kFloating);
  const Shape& x = context.shape(0);
  context.check(x.rank() >= 2, "'X' expects [batch, channels, spatial...], got shape ", x);
  Shape out = x;
  for (size_t i = 2; i < out.rank(); ++i) out[i] = 1;
  context.output(context.dtype(0), std::move(out));
}

void GlobalAveragePool::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  Dims axes;
  for (size_t i = 2; i < x.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  const auto shape = kernels::ReduceShape::over(x.dims(), x.strides(), axes);
  visit_dtype(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    kernels::reduce(kernels::Reduce::mean, shape, x.raw_as<T>(), context.output().mutable_raw_as<T>());
  });
}

std::span<const FastKernel<GlobalAveragePool>> GlobalAveragePool::fast_kernels() {
  static constexpr FastKernel<GlobalAveragePool> kernels[] = {
      {"simd.global_average_pool",
       [](const GlobalAveragePool&, const KernelRequest& request, std::string& refusal) -> std::unique_ptr<Kernel> {
         if (!accepts_plain_f32(request, refusal)) return nullptr;
         const Dims& x = request.dims(0);
         return wrap_kernel(kernels::xnn::global_average_pool(x[0] * x[1], numel(spatial_dims(x)), refusal), {0});
       }}};
  return kernels;
}

Gradients GlobalAveragePool::vjp(GradContext& context) const {
  const Dims& dims = context.input(0).dims();
  return {expand(context.grad() * (1.0 / static_cast<double>(numel(spatial_dims(dims)))), dims)};
}

std::vector<Sample> GlobalAveragePool::samples() {
  return {{GlobalAveragePool{}, {pool_input({2, 3, 4, 5})}},
          {GlobalAveragePool{}, {pool_input({1, 2, 7})}},
          {GlobalAveragePool{}, {pool_input({2, 2, 2, 3, 2})}},
          {GlobalAveragePool{}, {pool_input({4})}, "'X' expects [batch, channels, spatial...], got shape [4]"}};
}

ONEMODEL_OPERATOR(MaxPool)
ONEMODEL_OPERATOR(AveragePool)
ONEMODEL_OPERATOR(GlobalAveragePool)

}  // namespace onemodel
