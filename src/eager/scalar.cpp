#include "eager/scalar.h"

#include "core/error.h"

namespace onemodel {

Tensor scalar_of(double value, DType dtype, std::string_view owner, std::string_view input) {
  Tensor out = Tensor::full({}, value, dtype);
  check<ArgumentError>(!is_integer(dtype) || out.cast(DType::f64).item<double>() == value, owner,
                       input.empty() ? "" : concat(": input '", input, "'"), ": ", value, " is no ", dtype,
                       ", the dtype of the tensor beside it; cast that one first");
  return out;
}

}  // namespace onemodel
