// Pools that are reductions of all positions, and pools of powers.

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

// The sum of a window is its average, zeros around the image counted, times its size.
void lp_pool(FunctionCall& call) {
  const Ref x = call.input(0);
  const double p = exponent(call);
  const DType dtype = call.dtype(x);
  if (call.integer("ceil_mode", 0) != 0) throw ModelError("Unsupported", "ceil_mode = 1 is not supported");
  const std::vector<int64_t> kernel = call.integers_of("kernel_shape");
  if (kernel.empty()) throw ModelError("Malformed", "attribute 'kernel_shape' is missing");
  double size = 1;
  for (const int64_t extent : kernel) size *= static_cast<double>(extent);
  const Ref powers = call.make("Pow", {call.make("Abs", {x}), call.number(p, dtype)});
  set_integers(call.node(), "kernel_shape", kernel);
  set_integer(call.node(), "count_include_pad", 1);
  const Ref average = call.make_with_rest("AveragePool", powers);
  call.give(0, "Pow", {call.make("Mul", {average, call.number(size, dtype)}), call.number(1 / p, dtype)});
}

constexpr Function kFunctions[] = {{"GlobalMaxPool", 1, 1, 1, global_max_pool},
                                   {"GlobalLpPool", 1, 1, 1, global_lp_pool},
                                   {"LpPool", 1, 1, 1, lp_pool}};

}  // namespace

std::span<const Function> pooling_functions() { return kFunctions; }

}  // namespace onemodel
