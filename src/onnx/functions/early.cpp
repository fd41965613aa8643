// Experiments of opset 1 that later opsets took back.

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

Ref times(FunctionCall& call, Ref x, double factor) {
  return call.make("Mul", {x, call.number(factor, call.dtype(x))});
}

double required_real(FunctionCall& call, std::string_view name) {
  if (!call.has_attribute(name)) throw ModelError("Malformed", concat("attribute '", name, "' is missing"));
  return call.real(name, 0);
}

void affine(FunctionCall& call) {
  const Ref scaled = times(call, call.input(0), call.real("alpha", 1));
  call.give(0, "Add", {scaled, call.number(call.real("beta", 0), call.dtype(scaled))});
}

void scale(FunctionCall& call) {
  const Ref x = call.input(0);
  call.give(0, "Mul", {x, call.number(call.real("scale", 1), call.dtype(x))});
}

// alpha * tanh(beta * x)
void scaled_tanh(FunctionCall& call) {
  const double alpha = required_real(call, "alpha"), beta = required_real(call, "beta");
  const Ref y = call.make("Tanh", {times(call, call.input(0), beta)});
  call.give(0, "Mul", {y, call.number(alpha, call.dtype(y))});
}

// alpha * log(1 + exp(beta * x))
void parametric_softplus(FunctionCall& call) {
  const double alpha = required_real(call, "alpha"), beta = required_real(call, "beta");
  const Ref y = call.make("Softplus", {times(call, call.input(0), beta)});
  call.give(0, "Mul", {y, call.number(alpha, call.dtype(y))});
}

// x * scale + bias, one bias a channel.
void image_scaler(FunctionCall& call) {
  const Ref scaled = times(call, call.input(0), call.real("scale", 1));
  const std::vector<double> bias = take_reals(call.node(), "bias");
  const Tensor channels = Tensor::from(std::span<const double>(bias), {static_cast<int64_t>(bias.size()), 1, 1});
  call.give(0, "Add", {scaled, call.add(channels.cast(call.dtype(scaled)))});
}

constexpr int64_t kMostPixels = int64_t{1} << 31;

// border: left, top, right, bottom; scale: height and width of what is left, from left and top.
void crop(FunctionCall& call) {
  const std::vector<int64_t> border = call.integers_of("border"), size = call.integers_of("scale");
  if (border.size() != 4) throw ModelError("Malformed", "attribute 'border' expects four integers");
  if (!size.empty() && size.size() != 2) throw ModelError("Malformed", "attribute 'scale' expects two integers");
  for (const int64_t number :
       {border[0], border[1], border[2], border[3], size.empty() ? 0 : size[0], size.empty() ? 0 : size[1]})
    if (number < 0 || number > kMostPixels)
      throw ModelError("Malformed", concat("attributes 'border' and 'scale' expect numbers of pixels, got ", number));
  const Ref starts = call.integers({border[1], border[0]}), axes = call.integers({2, 3});
  Ref ends;
  if (!size.empty()) {
    ends = call.integers({border[1] + size[0], border[0] + size[1]});
  } else {
    const Ref sizes = call.make("Gather", {call.make("Shape", {call.input(0)}), axes}, {{"axis", 0}});
    ends = call.make("Sub", {sizes, call.integers({border[3], border[2]})});
  }
  call.give(0, "Slice", {call.input(0), starts, ends, axes});
}

constexpr Function kFunctions[] = {{"Affine", 1, 1, 1, affine},
                                   {"Scale", 1, 1, 1, scale},
                                   {"ScaledTanh", 1, 1, 1, scaled_tanh},
                                   {"ParametricSoftplus", 1, 1, 1, parametric_softplus},
                                   {"ImageScaler", 1, 1, 1, image_scaler},
                                   {"Crop", 1, 1, 1, crop}};

}  // namespace

std::span<const Function> early_functions() { return kFunctions; }

}  // namespace onemodel
