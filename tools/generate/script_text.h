#pragma once
// Fields of declarations as TypeScript.

#include <span>
#include <string>
#include <string_view>

#include "ops/attribute.h"

namespace onemodel::generate {

/// "MatMul" becomes "matMul", "kernel_shape" "kernelShape".
std::string camel(std::string_view name);
std::string script_type(const FieldInfo& field);
/// The default, "required", or "none".
std::string initial_text(const FieldInfo& field);
/// "'axis', 'keepDims'".
std::string names_of(std::span<const FieldInfo> fields);
/// The members of an options object, each with its documentation.
std::string option_list(std::span<const FieldInfo> fields);
/// "valuesOf('Softmax', options, ['axis'])": what was given for these fields, in order.
std::string values_text(std::string_view owner, std::span<const FieldInfo> fields);

}  // namespace onemodel::generate
