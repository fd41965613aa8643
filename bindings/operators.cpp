// Every operator through one function, and the modes in which they run.

#include <emscripten/bind.h>
#include <emscripten/em_macros.h>

#include "bindings/call_buffer.h"
#include "bindings/guard.h"
#include "bindings/handles.h"
#include "eager/apply.h"
#include "eager/record.h"

namespace onemodel::bindings {

/// Applies operator number `index` of op_list.inc. Buffer: operands, then attributes; afterwards: the outputs.
/// An export of its own: what Embind does between costs a third of a small operator.
extern "C" EMSCRIPTEN_KEEPALIVE int applyOperator(uint32_t index, uint32_t inputs, uint32_t outputs) {
  return guarded([&] {
    const auto operators = all_operators();
    check<ArgumentError>(index < operators.size(), "operator index ", index, " is out of range");
    const OpTraits& traits = *operators[index];
    CallReader reader;
    const std::vector<Tensor> operands = reader.operands(inputs, traits.info.name, traits.inputs);
    const Op op = traits.make(reader.values(traits.info.name, traits.fields));
    return write_tensors(apply(op, operands, outputs));
  });
}

EMSCRIPTEN_BINDINGS(operators) {
  using emscripten::function;
  function(
      "setArithmetic", +[](bool exact) { set_eager_arithmetic(exact ? Arithmetic::exact : Arithmetic::fast); });
  function(
      "isExact", +[] { return eager_arithmetic() == Arithmetic::exact; });
  function(
      "setGradEnabled", +[](bool enabled) { guarded([&] { set_grad_enabled(enabled); }); });
  function("gradEnabled", &grad_enabled);
}

}  // namespace onemodel::bindings
