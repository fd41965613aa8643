#include "ops/cast.h"

#include <cmath>
#include <optional>

#include "core/convert.h"
#include "kernels/portable/copy.h"
#include "kernels/portable/elementwise.h"
#include "ops/declare.h"
#include "ops/shape_data.h"

namespace onemodel {
namespace {

bool is_stored(DType dtype) { return dtype == DType::string || is_small(dtype); }

std::optional<PowerRounding> rounding_of(const Cast& cast) {
  const std::string mode = cast.round_mode.value_or("up");
  if (mode == "up") return PowerRounding::up;
  if (mode == "down") return PowerRounding::down;
  if (mode == "nearest") return PowerRounding::nearest;
  return {};
}

}  // namespace

void Cast::infer(InferContext& context) const {
  context.check<DTypeError>(to != DType::undefined, "attribute 'to' is missing");
  context.check<DTypeError>(dtype_size(to) != 0, "attribute 'to' is ONNX element type ", static_cast<int>(to),
                            ", which is not supported");
  context.check<ArgumentError>(rounding_of(*this).has_value(), "round_mode expects up, down or nearest, got '",
                               round_mode.value_or(""), '\'');
  context.output(to, context.shape(0));
  if (to == DType::i64 || to == DType::i32) keep_shape_data(context);
}

void Cast::evaluate(EvalContext& context) const {
  const Tensor& x = context.input(0);
  std::byte* y = context.output().mutable_raw();
  if (x.dtype() == to)
    kernels::copy(dtype_size(to), x.dims(), x.raw(), x.strides(), y);
  else if (is_stored(x.dtype()) || is_stored(to))
    convert_elements(x, to, y, {saturate, *rounding_of(*this)});
  else
    kernels::cast(x.dims(), x.dtype(), x.raw(), x.strides(), to, y);
}

Gradients Cast::vjp(GradContext& context) const {
  const DType from = context.input(0).dtype();
  if (!is_floating(from) || !is_floating(to)) return {};
  return {cast(context.grad(), from)};
}

std::vector<Sample> Cast::samples() {
  const Tensor x = sample_values({2, 3}, -300, 300);
  std::vector<Sample> out;
  for (DType to : kAllDTypes) {
    out.push_back({Cast{.to = to}, {x}});
    out.back().check_gradient = to == DType::f64;  // differences do not survive the rounding of smaller ones
  }
  out.push_back({Cast{.to = DType::f32}, {sample_values({3}, -99, 99, DType::i64)}});
  out.push_back({Cast{.to = DType::i64}, {Tensor::scalar(2.5)}});
  out.push_back({Cast{.to = DType::u8}, {sample_values({0, 2})}});
  out.push_back({Cast{}, {x}, "attribute 'to' is missing"});
  const Tensor special = Tensor::from<float>({0, -0.0f, 500, -500, 0.3f, 1e-9f, NAN, INFINITY, -INFINITY}, {9});
  for (DType to : kStorageDTypes) {
    if (to == DType::string) continue;
    out.push_back({Cast{.to = to}, {special}});
    out.back().check_gradient = false;
    out.push_back({Cast{.to = to, .saturate = false, .round_mode = "nearest"}, {special}});
    out.back().check_gradient = false;
    out.push_back({Cast{.to = DType::f16}, {x.cast(to)}});
    out.push_back({Cast{.to = to}, {sample_values({5}, -40, 40, DType::i32)}});
  }
  out.push_back({Cast{.to = DType::string}, {Tensor::from<float>({0.5f, -2, NAN, INFINITY, -INFINITY, 1024}, {2, 3})}});
  out.back().check_gradient = false;
  const Tensor texts = Tensor::from<std::string>({"3.14", "-1e-5", "NaN", "+inf", "100"}, {5});
  out.push_back({Cast{.to = DType::f64}, {texts}});
  out.push_back({Cast{.to = DType::string}, {texts}});
  out.push_back({Cast{.to = DType::f8e8m0, .round_mode = "sideways"}, {x}, "round_mode expects up, down or nearest"});
  out.push_back({Cast{.to = static_cast<DType>(14)}, {x}, "ONNX element type 14, which is not supported"});
  return out;
}

ONEMODEL_OPERATOR(Cast)

}  // namespace onemodel
