// Pools that are reductions of all positions, and pools of powers.

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

Ref positions(FunctionCall& call) {
  std::vector<int64_t> axes;
  for (size_t i = 2; i < call.rank(call.input(0)); ++i) axes.push_back(static_cast<int64_t>(i));
  if (axes.empty()) throw ModelError("Malformed", "input 0 expects [batch, channels, positions...]");
  return call.integers(axes);
}

void global_max_pool(FunctionCall& call) { call.give(0, "ReduceMax", {call.input(0), positions(call)}); }

// A number since opset 2; before, a real one.
double exponent(FunctionCall& call) {
  return call.is_real("p") ? call.real("p", 2) : static_cast<double>(call.integer("p", 2));
}

void global_lp_pool(FunctionCall& call) {
  const Ref x = call.input(0);
  const double p = exponent(call);
  const DType dtype = call.dtype(x);
  const Ref powers = call.make("Pow", {call.make("Abs", {x}), call.number(p, dtype)});
  call.give(0, "Pow", {call.make("ReduceSum", {powers, positions(call)}), call.number(1 / p, dtype)});
}

// The numbers of an attribute that has `count` of them or is left out.
std::vector<int64_t> list_of(FunctionCall& call, std::string_view name, size_t count, int64_t otherwise) {
  std::vector<int64_t> list = call.integers_of(name);
  if (list.empty()) list.assign(count, otherwise);
  const bool fits =
      std::ranges::all_of(list, [](int64_t v) { return v >= 0 && v <= std::numeric_limits<int32_t>::max(); });
  if (list.size() != count || !fits)
    throw ModelError("Malformed", concat("attribute '", name, "' expects ", count, " numbers from 0 up to 31 bits"));
  return list;
}

// Rounding the number of windows up is more padding at the end: as much as makes room for another window, unless that
// would start beyond the image.
void pad_for_last_windows(FunctionCall& call, size_t axes) {
  const auto kernel = list_of(call, "kernel_shape", axes, 1), strides = list_of(call, "strides", axes, 1);
  const auto dilations = list_of(call, "dilations", axes, 1);
  std::vector<int64_t> pads = list_of(call, "pads", 2 * axes, 0);
  for (size_t i = 0; i < axes; ++i) {
    int64_t& end = pads[axes + i];
    end = std::min(end + strides[i] - 1, dilations[i] * (kernel[i] - 1));
  }
  set_integers(call.node(), "kernel_shape", kernel);
  set_integers(call.node(), "strides", strides);
  set_integers(call.node(), "dilations", dilations);
  set_integers(call.node(), "pads", pads);
}

// The sum of a window is its average, zeros around the image counted, times its size.
void lp_pool(FunctionCall& call) {
  const Ref x = call.input(0);
  const double p = exponent(call);
  const DType dtype = call.dtype(x);
  const bool rounds_up = call.integer("ceil_mode", 0) != 0;
  const std::vector<int64_t> kernel = call.integers_of("kernel_shape");
  if (kernel.empty()) throw ModelError("Malformed", "attribute 'kernel_shape' is missing");
  double size = 1;
  for (const int64_t extent : kernel) size *= static_cast<double>(extent);
  const Ref powers = call.make("Pow", {call.make("Abs", {x}), call.number(p, dtype)});
  const std::string auto_pad = call.text("auto_pad", "NOTSET");
  set_text(call.node(), "auto_pad", auto_pad);
  set_integers(call.node(), "kernel_shape", kernel);
  if (rounds_up && auto_pad == "NOTSET") pad_for_last_windows(call, kernel.size());
  set_integer(call.node(), "count_include_pad", 1);
  const Ref average = call.make_with_rest("AveragePool", powers);
  call.give(0, "Pow", {call.make("Mul", {average, call.number(size, dtype)}), call.number(1 / p, dtype)});
}

constexpr Function kFunctions[] = {
    {"GlobalMaxPool", 1, 1, 1, global_max_pool},
    {"GlobalLpPool", 1, 1, 1, global_lp_pool},
    {"LpPool", 1, 1, 1, lp_pool},
    {"MaxRoiPool", 1, 2, 1, nullptr,
     "regions with rounded corners are not pooled here; RoiAlign is the operator for regions"}};

}  // namespace

std::span<const Function> pooling_functions() { return kFunctions; }

}  // namespace onemodel
